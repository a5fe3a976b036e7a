"""The guide to operators from charts, command by command."""

from __future__ import annotations

import re
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

import guided
import readme
from windlass.errors import ToolError
from windlass.helm import read_watches
from windlass.tools import find_helm

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/guides/helm.md"
STARTS = ("windlass helm run", "windlass run shop_operator.py")

pytestmark = pytest.mark.timeout(240)  # helm runs a dozen times


@pytest.fixture
def helm() -> Path:
    """The `helm` program."""
    try:
        return find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")


def _free_ports() -> tuple[int, int]:
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        first, second = (each.getsockname()[1] for each in held)
    return first, second


def _typed(command: str) -> str:
    """A command as the test types it: the reader has 8080 and 8081 to themselves, a test has not."""
    flags = '--metrics-bind-address=127.0.0.1:"$METRICS" --health-probe-bind-address=127.0.0.1:"$HEALTH"'
    for start in STARTS:
        command = re.sub(rf"^{start}", f"{start} {flags}", command)
    return command.replace("http://127.0.0.1:8081", 'http://127.0.0.1:"$HEALTH"')


async def test_every_command_of_the_guide_does_what_it_shows(helm: Path, tmp_path: Path) -> None:
    readme.write_files(tmp_path, PAGE, "watches.yaml", "crd.yaml", "corner.yaml", "shop_operator.py")
    (up, _), *rest = readme.dialogue(PAGE)
    commands = [_typed(command) for command, _ in rest]
    metrics, health = _free_ports()
    assert len([command for command in commands if "$METRICS" in command]) == len(STARTS)

    async with guided.cluster(up, tmp_path, helm):
        ports = f"export METRICS={metrics} HEALTH={health}"
        _, *answers = await guided.typed([ports, *commands], tmp_path, helm)

    guided.check(rest, answers)


def test_the_table_of_keys_has_those_of_an_entry(tmp_path: Path) -> None:
    text = (readme.ROOT / PAGE).read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (?!when)", text.partition("## What it must")[0], re.MULTILINE)
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    values = {
        "chart": "shop", "overrideValues": "{a: b}", "selector": "{matchLabels: {a: b}}", "reconcilePeriod": "3s",
        "watchDependentResources": "false", "dryRunOption": "server", "maxConcurrentReconciles": "2",
        "historyMax": "3", "timeout": "1m", "serviceAccountName": "shops",
    }  # fmt: skip
    lines = [f"  {key}: {values[key]}" for key in listed]
    (tmp_path / "watches.yaml").write_text("\n".join(["- version: v1\n  group: a.b\n  kind: Shop", *lines]))

    (watch,) = read_watches(tmp_path / "watches.yaml")

    assert set(listed) == set(values)
    assert (watch.overrides, watch.max_concurrent, watch.watch_dependents) == ({"a": "b"}, 2, False)
    assert (watch.dry_run, str(watch.period)) == ("server", "0:00:03")
