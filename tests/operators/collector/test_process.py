"""The operator as a process of its own, under its generated role, on a cluster that runs pods."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from accounted import account
from delivered import made, samples
from polling import until
from tenants import condition, reason
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import Pod
from windlass.operators.collector import Collector
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.client import Client
    from windlass.testing import Access

pytestmark = pytest.mark.timeout(180)
PATIENCE = 60.0


@pytest.fixture
async def kubeconfig(client: Client, control_plane: Access, tmp_path: Path) -> AsyncIterator[Path]:
    """That of an account under the operator's generated role."""
    await install_kinds(client, [Collector])
    async with account(client, control_plane, "windlass.operators.collector", tmp_path) as kubeconfig:
        yield kubeconfig


@asynccontextmanager
async def started(namespace: str, kubeconfig: Path, log: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """`windlass run windlass.operators.collector` for one namespace; at the end it is told to stop."""
    with log.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "windlass", "run", "windlass.operators.collector"),
            *(
                f"--kubeconfig={kubeconfig}",
                "--leader-elect=true",
                f"--leader-election-namespace={namespace}",
            ),
            *("--metrics-bind-address=127.0.0.1:0", "--health-probe-bind-address=127.0.0.1:0"),
            env={**os.environ, "WATCH_NAMESPACE": namespace},
            stderr=written,
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(PATIENCE):
            await process.wait()


def lines(log: Path) -> list[dict[str, Any]]:
    """What it has written, each line of which is JSON."""
    text = log.read_text(encoding="utf-8")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


async def asked(log: Path, server: str, path: str) -> str:
    """What it answers at the address that it tells in its log."""

    async def told() -> str:
        return next((each["bindAddress"] for each in lines(log) if server in each["msg"]), "")

    where = await until(told, patience=PATIENCE)
    async with aiohttp.ClientSession() as web, web.get(f"http://{where}{path}") as answer:
        return (await answer.text()).strip()


async def sampled(client: Client) -> str:
    """Apply a sample, for a tenant whose namespace is that of the test; the name of its Collector."""
    documents = samples("collector", client.options.namespace)
    collectors = [each for each in documents if each["kind"] == "Collector"]
    await made(client, [each for each in documents if each not in collectors[1:]])
    return str(collectors[0]["metadata"]["name"])


async def test_C15_it_elects_serves_health_and_metrics_and_stops_in_good_order(
    client: Client, helm: Path, kubeconfig: Path, tmp_path: Path
) -> None:
    namespace, log = client.options.namespace, tmp_path / "log"
    async with started(namespace, kubeconfig, log) as process:
        await until(lambda: asked(log, "health", "/readyz"), lambda said: said == "ok", patience=PATIENCE)
        name = await sampled(client)

        async def is_available() -> bool:
            return condition(await client.get(Collector, name), "Available") == "True"

        await until(is_available, patience=PATIENCE)
        pods: list[Any] = list(await client.list(Pod, namespace))
        alive, metrics = await asked(log, "health", "/healthz"), await asked(log, "metrics", "/metrics")
        leases = await client.list(Lease, namespace)
        told = await client.get(Collector, name)
        await client.delete(Collector, name)

        async def is_gone() -> bool:
            return not (await client.list(Collector, namespace)).items

        await until(is_gone, patience=PATIENCE)

    assert (alive, reason(told)) == ("ok", "InstallSucceeded")
    assert [pod.status.phase for pod in pods] == ["Running"]
    assert 'controller_runtime_reconcile_total{controller="collector",result="success"}' in metrics
    assert leases.items
    assert process.returncode == 0
