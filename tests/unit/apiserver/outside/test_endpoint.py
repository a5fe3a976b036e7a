"""Who is behind a service, and how webhooks get there."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from windlass.apiserver import World
from windlass.apiserver.outside import Answer, Target, Unreachable, ready_endpoints

LIMIT = timedelta(seconds=10)
HOOK = Target.of({"service": {"namespace": "a", "name": "hook", "path": "/check"}})


def put_slice(world: World, name: str, *endpoints: dict[str, Any], **settings: Any) -> None:
    """An EndpointSlice of a service, `hook` unless said otherwise, in the namespace `a`."""
    body = {
        "metadata": {
            "name": name,
            "namespace": "a",
            "labels": {"kubernetes.io/service-name": settings.pop("service", "hook")},
        },
        "ports": [{"name": "https", "port": 8443}],
        "endpoints": list(endpoints),
        **settings,
    }
    world.store.collection("discovery.k8s.io/endpointslices").put(f"a/{name}", body, None)


def put_service(world: World) -> None:
    spec = {"type": "ClusterIP", "clusterIP": "10.96.0.1", "ports": [{"name": "https", "port": 443}]}
    world.store.collection("/services").put("a/hook", {"metadata": {"name": "hook"}, "spec": spec}, None)


def endpoint(address: str, **conditions: bool) -> dict[str, Any]:
    return {"addresses": [address], "conditions": conditions}


def test_the_ready_endpoints_of_all_slices_are_found() -> None:
    world = World()
    put_slice(world, "one", endpoint("10.0.0.1", ready=True), endpoint("10.0.0.2", ready=False))
    put_slice(world, "two", endpoint("fd00::1"))
    put_slice(world, "other", endpoint("10.0.0.9"), service="another")

    assert ready_endpoints(world.store, "a", "hook", "https") == ["10.0.0.1:8443", "[fd00::1]:8443"]


@pytest.mark.parametrize("ports", [None, [], [{"name": "http", "port": 80}], [{"name": "https"}]])
def test_an_endpoint_without_that_port_does_not_count(ports: Any) -> None:
    world = World()
    put_slice(world, "one", endpoint("10.0.0.1"), ports=ports)

    assert ready_endpoints(world.store, "a", "hook", "https") == []


def test_a_slice_that_only_speaks_of_a_service_is_not_its_own() -> None:
    world = World()
    note = {"kubernetes.io/service-name": "hook"}
    put_slice(world, "one", endpoint("10.0.0.1"), service="another", annotations=note)

    assert ready_endpoints(world.store, "a", "hook", "https") == []


async def test_a_webhook_behind_a_service_is_asked_at_a_ready_pod() -> None:
    async def answer(path: str, body: bytes) -> Answer:
        return Answer(200, path.encode() + body)

    world = World()
    put_service(world)
    put_slice(world, "one", endpoint("10.0.0.1"))
    world.network.lead("10.0.0.1:8443", answer)

    assert (await world.network.post(HOOK, b"!", LIMIT, world)).body == b"/check!"


async def test_a_pod_may_be_elsewhere_and_gone() -> None:
    world = World()
    put_service(world)
    put_slice(world, "one", endpoint("10.0.0.1"))
    world.network.lead("10.0.0.1:8443", "127.0.0.1:1")

    with pytest.raises(Unreachable, match=r"dial tcp 127\.0\.0\.1:1: connect: connection refused$"):
        await world.network.post(HOOK, b"!", LIMIT, world)


async def test_a_pod_whose_address_leads_nowhere_is_not_reached() -> None:
    world = World()
    put_service(world)
    put_slice(world, "one", endpoint("10.0.0.1"))

    with pytest.raises(Unreachable, match=r"dial tcp 10\.0\.0\.1:8443: connect: connection refused$"):
        await world.network.post(HOOK, b"!", LIMIT, world)


async def test_nobody_is_behind_a_service_without_ready_pods() -> None:
    world = World()
    put_service(world)
    put_slice(world, "one", endpoint("10.0.0.1", ready=False))

    with pytest.raises(Unreachable, match=r'no endpoints available for service "hook"$'):
        await world.network.post(HOOK, b"!", LIMIT, world)
