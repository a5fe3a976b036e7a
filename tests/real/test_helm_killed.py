"""`windlass helm run` is killed right before and right after each helm that it runs, and when it loses its lease."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from held_helm import HeldHelm
from polling import until
from real import administrator
from servers import embedded_fixture, server_fixture
from shelves import PATIENCE, look, no_helm_left, put
from shop_release import Shop
from windlass.client import MergePatch
from windlass.errors import ToolError
from windlass.kinds.coordination.v1 import Lease
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from held_helm import Moment
    from servers import Server
    from shelves import Shelf
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture
pytestmark = pytest.mark.timeout(240)

ELECTED = (
    *("--leader-elect", "--leader-election-id=held"),
    *(
        "--leader-elect-lease-duration=6s",
        "--leader-elect-renew-deadline=4s",
        "--leader-elect-retry-period=1s",
    ),
)


@pytest.fixture
def helm(tmp_path: Path) -> HeldHelm:
    try:
        return HeldHelm.made_in(tmp_path)
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    async with administrator(server.access, server.namespace) as client:
        await install_kinds(client, [Shop])
        yield client


async def becomes(client: Client, accept: Callable[[Shelf], bool]) -> None:
    await until(lambda: look(client, "oak"), accept, every=0.1, patience=PATIENCE)


async def test_a_helm_that_has_not_begun_or_has_just_ended_is_no_loss(
    server: Server, client: Client, helm: HeldHelm
) -> None:
    async def killed(moment: Moment, step: str) -> Shelf:
        helm.hold(moment, step)
        async with helm.operator(server.access.kubeconfig, server.namespace) as process:
            await helm.reached()
            process.kill()
        await no_helm_left(server.namespace)
        return await look(client, "oak")

    await put(client, "oak", "a", "b")
    assert (await killed("before", "upgrade")).revisions == ()
    installed = await killed("after", "upgrade")
    assert installed.is_made_of("a", "b")
    assert not installed.told  # nobody has heard of it yet

    await put(client, "oak", "a", "c")
    assert (await killed("before", "upgrade")).is_made_of("a", "b")
    assert (await killed("after", "upgrade")).is_made_of("a", "c")
    helm.let_go()
    async with helm.operator(server.access.kubeconfig, server.namespace):
        await becomes(client, lambda shelf: shelf.holds("a", "c"))
    assert helm.ran == []  # all was done

    await client.delete(Shop, "oak")
    assert (await killed("before", "uninstall")).is_made_of("a", "c")
    removed = await killed("after", "uninstall")
    assert not removed.revisions
    assert not removed.books
    assert not removed.is_gone  # its object waits to hear of it
    helm.let_go()
    async with helm.operator(server.access.kubeconfig, server.namespace):
        await becomes(client, lambda shelf: shelf.is_gone)
    assert helm.ran == []


async def test_who_loses_the_lease_takes_its_helm_along_and_the_next_leader_deploys(
    server: Server, client: Client, helm: HeldHelm
) -> None:
    flags = (*ELECTED, f"--leader-election-namespace={server.namespace}")
    await put(client, "oak", "a", "b")
    helm.hold("before", "upgrade")
    async with helm.operator(server.access.kubeconfig, server.namespace, *flags) as first:
        await helm.reached()
        helm.let_go()
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        stolen = {"holderIdentity": "somebody", "leaseDurationSeconds": 600, "renewTime": now}
        await client.patch(Lease, "held", MergePatch({"spec": stolen}))
        await no_helm_left(server.namespace)
        assert first.returncode is None  # it would lead again
        assert (await look(client, "oak")).revisions == ()
    await client.delete(Lease, "held")
    async with helm.operator(server.access.kubeconfig, server.namespace, *flags):
        await becomes(client, lambda shelf: shelf.holds("a", "b"))
    assert helm.ran == ["upgrade"]
    assert (await look(client, "oak")).revisions == ("deployed",)
