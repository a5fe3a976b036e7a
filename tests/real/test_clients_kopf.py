"""An operator written with kopf works on the embedded server, as on the real one."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polling import until
from program import running
from real import administrator, settled
from servers import embedded_fixture, server_fixture
from site_kind import Site, SiteSpec
from windlass.api import ObjectMeta
from windlass.client import MergePatch
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Event, Secret
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

OPERATOR = Path(__file__).parents[1] / "lib" / "kopf_operator.py"
FINALIZER = "operator.example.com/kopf"


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    async with settled(), administrator(server.access, server.namespace) as client:
        await install_kinds(client, [Site])
        yield client


def operator(server: Server) -> AbstractAsyncContextManager[Program]:
    """`kopf run`, which finds no peers to agree with, and so goes on alone."""
    command = ("-m", "kopf", "run", f"--namespace={server.namespace}", str(OPERATOR))
    return running(sys.executable, *command, KUBECONFIG=str(server.access.kubeconfig))


def site(name: str, **labels: str) -> Site:
    return Site(
        metadata=ObjectMeta(name=name, labels=labels), spec=SiteSpec(image="nginx:1", secret_name="paint")
    )


async def test_what_is_created_changed_and_deleted_reaches_its_handlers(
    server: Server, client: Client
) -> None:
    painted = ObjectMeta(name="paint", annotations={"operator.example.com/colour": "red"})
    await client.create(Secret(metadata=painted))
    async with operator(server) as they:
        await they.says("secret paint")
        await client.create(site("web"))
        await they.says("created web")
        await they.says("stumbled web")
        created = await until(lambda: client.get(Site, "web"), lambda obj: obj.status.colour == "red")
        await until(lambda: client.list(Event), lambda found: "Created" in {event.reason for event in found})
        await client.patch(Site, "web", MergePatch({"spec": {"image": "nginx:2"}}))
        await they.says("updated web nginx:1 nginx:2")
        await until(lambda: client.get(Site, "web"), lambda obj: obj.metadata.labels.get("image") == "2")
        await client.delete(Site, "web")
        await they.says("deleted web")
        await until(lambda: is_gone(client, "web"))

    assert created.status.ready_replicas == 1
    assert created.metadata.finalizers == [FINALIZER]


async def is_gone(client: Client, name: str) -> bool:
    try:
        await client.get(Site, name)
    except NotFound:
        return True
    return False


async def test_timers_and_daemons_come_and_go_with_their_labels(server: Server, client: Client) -> None:
    async with operator(server) as they:
        await client.create(site("web", timed="yes", guarded="yes"))
        await they.says("awake web")
        for _ in range(3):
            await they.says("ticked web")
        await client.patch(Site, "web", MergePatch({"metadata": {"labels": {"guarded": None}}}))
        await they.says("asleep web")
        await client.delete(Site, "web")
        await they.says("deleted web")


async def test_one_that_was_killed_resumes_and_finishes_what_was_deleted_meanwhile(
    server: Server, client: Client
) -> None:
    async with operator(server) as first:
        for name in ("kept", "dropped"):
            await client.create(site(name))
            await first.says(f"stumbled {name}")
        await until(lambda: client.list(Site), lambda found: all(each.metadata.finalizers for each in found))
        first.kill(signal.SIGKILL)
        await first.ended()
    await client.delete(Site, "dropped")
    marked = await client.get(Site, "dropped")
    async with operator(server) as second:
        await second.says("deleted dropped")
        await until(lambda: is_gone(client, "dropped"))
        await until(lambda: resumed(second))

    assert marked.metadata.deletion_timestamp is not None
    assert marked.metadata.finalizers == [FINALIZER]


async def resumed(program: Program) -> bool:
    return "resumed kept" in program.lines
