"""The walk of the operator's README: in this process, and as people type it where there is a kubectl."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import readme
from on_call import TOKEN, condition, exchanged, on_call
from windlass.aio import SystemClock
from windlass.api import read_yaml
from windlass.kinds.apps.v1 import Deployment
from windlass.operators.pagerduty import BusinessService, EscalationPolicy, PagerdutyService
from windlass.operators.pagerduty.simulator import Account, furnish

if TYPE_CHECKING:
    from windlass.testing import Starter

PAGE = "src/windlass/operators/pagerduty/README.md"
SAMPLES = files("windlass.operators.pagerduty") / "samples"
KINDS: dict[str, Any] = {
    kind.__kind__.name: kind for kind in (EscalationPolicy, PagerdutyService, BusinessService, Deployment)
}


def a_furnished_account() -> Account:
    account = Account(clock=SystemClock(), random=Random(4711))
    account.allow(TOKEN)
    furnish(account)
    return account


async def test_the_samples_appear_are_put_back_and_go_in_the_right_order(operator: Starter) -> None:
    account = a_furnished_account()
    books = account.books
    async with operator(on_call(account, resync=timedelta(milliseconds=200))) as trial:
        for file in sorted(SAMPLES.iterdir(), key=lambda each: each.name):
            for sample in read_yaml(file.read_bytes(), file.name):
                await trial.client.create(KINDS[sample["kind"]].from_wire(sample))
        made = await trial.ready(EscalationPolicy, "escalationpolicy-sample")
        uses = await trial.ready(PagerdutyService, "pagerdutyservice-sample")
        await trial.ready(BusinessService, "businessservice-sample")
        assert [each.supporting for each in books.dependencies] == [uses.status.service_id]

        account.by_hand.edit(made.status.policy_id, num_loops=7)
        await exchanged(account, lambda each: each.call.method == "PUT" and each.done)
        assert books.policies.get(made.status.policy_id).fields["num_loops"] == 2

        await trial.client.delete(EscalationPolicy, "escalationpolicy-sample")
        await trial.until(
            EscalationPolicy, "escalationpolicy-sample", lambda each: condition(each, "Ready")[1] == "InUse"
        )
        await trial.client.delete(PagerdutyService, "pagerdutyservice-sample")
        await trial.client.delete(BusinessService, "businessservice-sample")
        await trial.gone(BusinessService, "businessservice-sample")
        await trial.gone(EscalationPolicy, "escalationpolicy-sample")

    assert [each.name for each in books.policies] == ["Default"]
    assert not len(books.services)
    assert not len(books.business_services)


def test_every_reason_that_the_operator_gives_is_in_the_readme() -> None:
    told = set(re.findall(r"`(\w+)`", (readme.ROOT / PAGE).read_text(encoding="utf-8")))
    folder = Path(str(files("windlass.operators.pagerduty") / "controllers"))
    said = {
        reason
        for path in folder.glob("*.py")
        for reason in re.findall(
            r'(?:unsynced|unresolved_because|waiting|Terminal|report)\(\s*"(\w+)"|return "(Policy\w+)"',
            path.read_text(encoding="utf-8"),
        )
        for reason in reason
        if reason
    }

    assert len(said) > 10
    assert said - told == {"CacheBehind"}  # of no interest to people


@pytest.mark.deployed
@pytest.mark.skipif(shutil.which("kubectl") is None, reason="needs kubectl")
@pytest.mark.timeout(240)
def test_the_commands_work_as_they_stand(tmp_path: Path) -> None:
    shutil.copytree(str(SAMPLES), tmp_path / "samples")
    lines = [command for command, _ in readme.dialogue(PAGE)]
    log = tmp_path / "log"
    script = "\n".join([_PREAMBLE, *(_step(line) for line in lines), "echo the walk is over"])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        script = script.replace("8085", str(free.getsockname()[1]))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with log.open("wb") as output:
        walk = subprocess.Popen(
            ["bash", "-c", script], cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT,
            env=os.environ | {"PATH": path}, start_new_session=True,
        )  # fmt: skip
        try:
            walk.wait(timeout=200)
        finally:
            _end(walk)
    said = log.read_text()

    assert "the walk is over" in said, said
    assert "was changed in PagerDuty: num_loops" in said, said


def _end(walk: subprocess.Popen[bytes]) -> None:
    """End the walk and everything that it left running, by force what does not heed a request."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if _is_running(walk):
            os.killpg(walk.pid, number)
        deadline = time.monotonic() + 5
        while _is_running(walk) and time.monotonic() < deadline:
            time.sleep(0.05)


def _is_running(walk: subprocess.Popen[bytes]) -> bool:
    """Whether anything of its process group is left."""
    walk.poll()
    try:
        os.killpg(walk.pid, 0)
    except ProcessLookupError:
        return False
    return True


_PREAMBLE = """set -eu
until_done() { for _ in $(seq 60); do if "$@"; then return 0; fi; sleep 0.5; done; return 1; }
"""


def _step(line: str) -> str:
    """A command as a person gives it: after one that runs on, they wait until it is there."""
    if line.startswith("windlass up"):
        return f"{line}\nuntil_done test -s kubeconfig"
    if line.startswith("windlass pagerduty-simulator"):
        return f"{line}\nuntil_done curl -sf -o /dev/null http://127.0.0.1:8085/_simulator/account"
    if line.startswith("kubectl get events"):
        return f"until_done sh -c '{line} 2>/dev/null | grep num_loops'"
    return line
