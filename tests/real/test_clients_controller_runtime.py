"""An operator written with controller-runtime works on the embedded server, as on the real one."""

from __future__ import annotations

import signal
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from go_operator import PATIENCE, becomes, client_fixture, operator, program_fixture, reason, site
from polling import until
from servers import embedded_fixture, server_fixture
from site_kind import Site
from windlass.api import ObjectMeta
from windlass.client import MergePatch
from windlass.errors import NotFound
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import ConfigMap, Event, Secret

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from servers import Server
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture
program = program_fixture
client = client_fixture

pytestmark = pytest.mark.xdist_group("controller-runtime")  # one build serves all tests


async def reasons(client: Client) -> set[str | None]:
    """The reasons of all events that were posted."""
    return {event.reason for event in await client.list(Event)}


def image(obj: Deployment) -> str | None:
    assert obj.spec.template.spec is not None
    return obj.spec.template.spec.containers[0].image


def has_colour(colour: str) -> Callable[[Site], bool]:
    return lambda obj: obj.status.colour == colour


async def is_ready(client: Client, name: str, replicas: int) -> None:
    """Say of a Deployment what the controllers of a cluster would."""
    await becomes(client, Deployment, name, lambda obj: obj.spec.replicas == replicas)
    status = {"replicas": replicas, "readyReplicas": replicas}
    await client.status.patch(Deployment, name, MergePatch({"status": status}))


async def test_it_makes_what_a_resource_asks_for_and_reports_on_it(
    program: Path, server: Server, client: Client
) -> None:
    async with operator(program, server) as they:
        await they.says("leading")
        made = await client.create(site("web", replicas=2))
        rolling = await becomes(client, Site, "web", lambda obj: reason(obj) == "RollingOut")
        await is_ready(client, "web", 2)
        ready = await becomes(client, Site, "web", lambda obj: reason(obj) == "AllReady")
        deployment = await client.get(Deployment, "web")
        config = await client.get(ConfigMap, "web")
        await until(lambda: reasons(client), lambda told: told >= {"Kept", "AllReady"}, patience=PATIENCE)

    assert rolling.metadata.finalizers == ["operator.example.com/site"]
    assert ready.status.ready_replicas == 2
    [condition] = ready.status.conditions
    assert (condition.status, condition.message, condition.observed_generation) == (
        "True",
        "2 of 2 are ready",
        made.metadata.generation,
    )
    assert [(each.kind, each.uid) for each in deployment.metadata.owner_references] == [
        ("Site", made.metadata.uid)
    ]
    assert image(deployment) == "nginx:1"
    assert config.data == {"image": "nginx:1"}


async def test_a_hand_edit_is_put_back_and_a_change_of_the_resource_is_passed_on(
    program: Path, server: Server, client: Client
) -> None:
    async with operator(program, server) as they:
        await they.says("leading")
        await client.create(site("web", replicas=2))
        await becomes(client, Deployment, "web", lambda obj: obj.spec.replicas == 2)
        edited = await client.patch(Deployment, "web", MergePatch({"spec": {"replicas": 9}}))
        await becomes(client, Deployment, "web", lambda obj: obj.spec.replicas == 2)
        await client.delete(Deployment, "web")
        await becomes(client, Deployment, "web", lambda obj: obj.metadata.uid != edited.metadata.uid)
        await client.patch(Site, "web", MergePatch({"spec": {"image": "nginx:2"}}))
        await becomes(client, ConfigMap, "web", lambda obj: obj.data == {"image": "nginx:2"})
        await becomes(client, Deployment, "web", lambda obj: image(obj) == "nginx:2")


async def test_it_follows_the_metadata_of_secrets_by_an_index(
    program: Path, server: Server, client: Client
) -> None:
    async with operator(program, server) as they:
        await they.says("leading")
        await client.create(site("web", secret_name="paint"))
        await becomes(client, Site, "web", lambda obj: reason(obj) == "RollingOut")
        for colour in ("red", "blue"):
            painted = ObjectMeta(name="paint", annotations={"operator.example.com/colour": colour})
            await client.apply(Secret(metadata=painted, string_data={"key": "hidden"}))
            await becomes(client, Site, "web", has_colour(colour))


async def test_a_second_one_takes_over_from_one_that_was_killed_and_cleans_up(
    program: Path, server: Server, client: Client
) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(operator(program, server))
        await first.says("leading")
        second = await stack.enter_async_context(operator(program, server))
        await client.create(site("web"))
        await becomes(client, Site, "web", lambda obj: reason(obj) == "RollingOut")
        before = (await client.get(Lease, "site-operator")).spec
        assert "leading" not in second.lines
        first.kill(signal.SIGKILL)
        await client.delete(Site, "web")
        await second.says("leading")
        await second.says("cleaned web")
        after = (await client.get(Lease, "site-operator")).spec
        for kind in (Site, Deployment, ConfigMap):
            with pytest.raises(NotFound):
                await client.get(kind, "web")

    assert before.holder_identity != after.holder_identity
    assert after.lease_transitions == (before.lease_transitions or 0) + 1
