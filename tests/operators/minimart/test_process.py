"""The operator as a process of its own, under its role: what it serves and writes, and that its death harms nobody."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from accounted import account
from minimart_shop import NAME, change, is_deployed, left_over, revisions, runs, sample
from polling import until
from windlass.client import MergePatch
from windlass.kinds.apps.v1 import Deployment
from windlass.operators.minimart import CHART, Minimart
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from windlass.client import Client
    from windlass.testing import Access

pytestmark = pytest.mark.timeout(180)
RUN = ("run", "windlass.operators.minimart")
_PATIENCE = 60.0


@dataclass
class Operator:
    """A process that runs `windlass run windlass.operators.minimart`, and its log."""

    process: asyncio.subprocess.Process
    log: Path

    def lines(self) -> list[dict[str, Any]]:
        """What it has written, each line of which is JSON."""
        text = self.log.read_text(encoding="utf-8")
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    async def address(self, server: str) -> str:
        """Where it serves something, by its own word."""

        async def told() -> str:
            return next((each["bindAddress"] for each in self.lines() if server in each["msg"]), "")

        return await until(told, patience=_PATIENCE)

    async def get(self, server: str, path: str) -> tuple[int, str]:
        """What it answers: `health` or `metrics`."""
        where = f"http://{await self.address(server)}{path}"
        async with aiohttp.ClientSession() as web, web.get(where) as answer:
            return answer.status, await answer.text()


@pytest.fixture
async def kubeconfig(client: Client, control_plane: Access, tmp_path: Path) -> AsyncIterator[Path]:
    """That of an account under the operator's generated role."""
    await install_kinds(client, [Minimart])
    async with account(client, control_plane, "windlass.operators.minimart", tmp_path) as kubeconfig:
        yield kubeconfig


@pytest.fixture
def watches(tmp_path: Path) -> Path:
    """What the original operator consists of, besides the chart."""
    entry = {"group": "charts.samutup.com", "version": "v1alpha1", "kind": "Minimart", "chart": str(CHART)}
    file = tmp_path / "watch.yaml"
    file.write_text(json.dumps([entry]), encoding="utf-8")
    return file


@asynccontextmanager
async def started(
    client: Client, kubeconfig: Path, log: Path, command: tuple[str, ...] = RUN
) -> AsyncIterator[Operator]:
    """The operator, for the test's namespace; at the end of the block it is told to stop, if it still runs."""
    nowhere_yet = "-bind-address=127.0.0.1:0"
    with log.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "windlass", *command, f"--kubeconfig={kubeconfig}"),
            *(f"--metrics{nowhere_yet}", f"--health-probe{nowhere_yet}"),
            env={**os.environ, "WATCH_NAMESPACE": client.options.namespace},
            stderr=written,
        )
    try:
        yield Operator(process, log)
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(_PATIENCE):
            await process.wait()


async def deployment(client: Client, accept: Callable[[Deployment], bool]) -> Deployment:
    async def ask() -> Deployment | None:
        found = await client.list(Deployment, client.options.namespace)
        return next((each for each in found if each.metadata.name == NAME), None)

    found = await until(ask, lambda it: it is not None and accept(it), patience=_PATIENCE)
    assert found is not None
    return found


@pytest.mark.parametrize("way", ["its module", "watch.yaml"])
async def test_it_serves_metrics_and_health_and_writes_json(
    way: str, client: Client, helm: Path, kubeconfig: Path, watches: Path
) -> None:
    command = RUN if way == "its module" else ("helm", "run", f"--watches-file={watches}")
    async with started(client, kubeconfig, watches.parent / "log", command) as operator:
        ready = await until(
            lambda: operator.get("health", "/readyz"), lambda answer: answer[0] == 200, patience=_PATIENCE
        )
        alive = await operator.get("health", "/healthz")
        await client.create(sample())
        await deployment(client, runs(1))
        status, metrics = await operator.get("metrics", "/metrics")
        await client.delete(Minimart, NAME)
        await until(lambda: left_over(client), lambda found: not found, patience=_PATIENCE)

    assert (ready[1].strip(), alive[0], alive[1].strip()) == ("ok", 200, "ok")
    assert status == 200
    assert 'controller_runtime_reconcile_total{controller="minimart-controller",result="success"}' in metrics
    assert operator.process.returncode == 0
    for line in operator.lines():
        assert line.keys() >= {"level", "ts", "logger", "msg"}


async def test_what_changed_while_it_was_dead_is_done_when_it_is_back(
    client: Client, helm: Path, kubeconfig: Path, tmp_path: Path
) -> None:
    async with started(client, kubeconfig, tmp_path / "first") as operator:
        await client.create(sample())
        await deployment(client, runs(1))
        operator.process.send_signal(signal.SIGKILL)
        assert await operator.process.wait() == -signal.SIGKILL
    await change(client, replicaCount=3)
    await client.patch(Deployment, NAME, MergePatch({"spec": {"replicas": 7}}))

    async with started(client, kubeconfig, tmp_path / "second"):
        await deployment(client, runs(3))
        await until(lambda: client.get(Minimart, NAME), is_deployed("UpgradeSuccessful"), patience=_PATIENCE)
    async with started(client, kubeconfig, tmp_path / "third") as operator:  # to find nothing to do

        async def reconciled() -> list[Any]:
            found: list[Any] = json.loads((await operator.get("health", f"/journal?name={NAME}"))[1])["runs"]
            return found

        await until(reconciled, patience=_PATIENCE)
        assert await revisions(client) == {1: "superseded", 2: "deployed"}
        await client.delete(Minimart, NAME)
        await until(lambda: left_over(client), lambda found: not found, patience=_PATIENCE)
