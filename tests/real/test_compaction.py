"""What is told of a past that a server has forgotten, by the real server and by the embedded one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract import Api
from contract_reads import names, version_of
from windlass.client import HttpTransport, load_config
from windlass.testing import start_control_plane
from windlass.testing.embedded import EmbeddedControlPlane

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from windlass.testing.control_plane import RunningControlPlane

EVENTS = "/api/v1/namespaces/default/events"  # whose past the real server does not keep in its own memory

INCONSISTENT = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new "
    "list without the continue parameter, or use the continue token in this response to retrieve the "
    "remainder of the results. Continuing with the provided token results in an inconsistent list - "
    "objects that were created, modified, or deleted between the time the first chunk was returned and now "
    "may show up in the list."
)


@pytest.fixture(scope="module", params=["real", "embedded"])
def own(request: pytest.FixtureRequest) -> Iterator[RunningControlPlane | EmbeddedControlPlane]:
    """A server that no other test has to do with."""
    started = start_control_plane() if request.param == "real" else EmbeddedControlPlane()
    yield started
    started.stop()


@pytest.fixture
async def api(own: RunningControlPlane | EmbeddedControlPlane) -> AsyncIterator[Api]:
    """Plain requests to it."""
    transport = HttpTransport(load_config(own.access.kubeconfig))
    yield Api(transport)
    await transport.close()


async def happen(api: Api, *events: str) -> str:
    """Have some things happen; returns the version of the first."""
    about = {"kind": "Namespace", "name": "default", "namespace": "default"}
    made = [
        (await api.create(EVENTS, {"metadata": {"name": name}, "involvedObject": about})).ok()
        for name in events
    ]
    return version_of(made[0])


async def test_a_list_of_a_forgotten_past_has_expired(
    own: RunningControlPlane | EmbeddedControlPlane, api: Api
) -> None:
    past = await happen(api, "x", "y")
    own.compact()

    exact = await api.get(EVENTS, resourceVersion=past, resourceVersionMatch="Exact")
    paged = await api.get(EVENTS, resourceVersion=past, limit=1)

    for reply in (exact, paged):
        refused = reply.refused(410, "Expired")
        assert refused["message"] == "The resourceVersion for the provided list is too old."
        assert refused["metadata"] == {}


async def test_who_pages_through_a_forgotten_past_may_go_on_in_the_present(
    own: RunningControlPlane | EmbeddedControlPlane, api: Api
) -> None:
    await happen(api, "a", "c")
    first = (await api.get(EVENTS, limit=1)).ok()
    await happen(api, "b")
    own.compact()

    refused = (await api.get(EVENTS, continue_=first["metadata"]["continue"])).refused(410, "Expired")
    rest = (await api.get(EVENTS, continue_=refused["metadata"]["continue"])).ok()

    assert refused["message"] == INCONSISTENT
    assert names(first) == ["a"]
    assert names(rest)[:2] == ["b", "c"]
