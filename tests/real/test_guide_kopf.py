"""The operator of the guide for people who come from kopf, before and after."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import readme
from polling import until
from program import running
from real import administrator, settled
from servers import embedded_fixture, server_fixture
from windlass.api import Kind, Untyped
from windlass.client import MergePatch
from windlass.codegen import load_module
from windlass.errors import NotFound
from windlass.kinds.core.v1 import ResourceQuota
from windlass.testing import install_kinds

pytest.importorskip("kopf", reason="needs kopf: pip install -r requirements/clients.txt")

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from program import Program
    from servers import Server
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture
eventually = partial(until, patience=30.0)

FOLDER = readme.ROOT / "docs" / "guides" / "kopf"
WINDLASS = str(Path(sys.executable).parent / "windlass")
Budget = Untyped.of(Kind(group="demo.example.com", version="v1", name="Budget", plural="budgets"))

BEFORE = (sys.executable, "-m", "kopf", "run", "--standalone", str(FOLDER / "before.py"))
AFTER = (
    *(WINDLASS, "run", str(FOLDER / "after.py")),
    *("--metrics-bind-address=0", "--health-probe-bind-address=0"),
)


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    async with settled(), administrator(server.access, server.namespace) as client:
        await install_kinds(client, [load_module(str(FOLDER / "after.py")).Budget])
        yield client


def operator(command: tuple[str, ...], server: Server) -> AbstractAsyncContextManager[Program]:
    return running(*command, f"--namespace={server.namespace}", KUBECONFIG=str(server.access.kubeconfig))


async def limit(client: Client) -> str | None:
    """What the quota says, None when there is none."""
    try:
        return str((await client.get(ResourceQuota, "team")).spec.hard["requests.cpu"])
    except NotFound:
        return None


async def reported(client: Client) -> str:
    """What the status says, `gone` when the budget is."""
    try:
        told: str = ((await client.get(Budget, "team")).get("status") or {}).get("cpu", "")
    except NotFound:
        return "gone"
    return told


@pytest.mark.parametrize("command", [BEFORE, AFTER], ids=["before", "after"])
async def test_before_and_after_do_the_same(command: tuple[str, ...], server: Server, client: Client) -> None:
    async with operator(command, server):
        await client.create(Budget.from_wire({"metadata": {"name": "team"}, "spec": {"cpu": "2"}}))
        await eventually(lambda: limit(client), lambda found: found == "2")
        await client.patch(Budget, "team", MergePatch({"spec": {"cpu": "4"}}))
        await eventually(lambda: limit(client), lambda found: found == "4")
        await eventually(lambda: reported(client), lambda told: told == "4")
        quota = await client.get(ResourceQuota, "team")
        await client.delete(Budget, "team")
        await eventually(lambda: reported(client), lambda told: told == "gone")

    assert [owner.kind for owner in quota.metadata.owner_references] == ["Budget"]


async def test_after_it_a_quota_that_somebody_edits_is_put_back(server: Server, client: Client) -> None:
    async with operator(AFTER, server):
        await client.create(Budget.from_wire({"metadata": {"name": "team"}, "spec": {"cpu": "2"}}))
        await eventually(lambda: limit(client), lambda found: found == "2")
        await client.patch(ResourceQuota, "team", MergePatch({"spec": {"hard": {"requests.cpu": "9"}}}))
        await eventually(lambda: limit(client), lambda found: found == "2")
