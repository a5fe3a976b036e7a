from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.allocation import ServiceAllocator
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.world import World

Object = dict[str, Any]


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def allocator() -> ServiceAllocator:
    return ServiceAllocator()


def service(name: str, **spec: Any) -> Object:
    return {
        "metadata": {"namespace": "ns", "name": name},
        "spec": {"type": "ClusterIP", "ports": [{"port": 80, "protocol": "TCP"}], **spec},
    }


def stored(allocator: ServiceAllocator, world: World, obj: Object, old: Object | None = None) -> Object:
    allocator.choose(obj, old, world, dry_run=False)
    allocator.take(obj, world)
    return obj


def test_a_choice_that_is_not_stored_takes_nothing(allocator: ServiceAllocator, world: World) -> None:
    wanted = service("a", clusterIP="10.96.0.9")

    allocator.choose(wanted, None, world, dry_run=False)

    allocator.choose(service("b", clusterIP="10.96.0.9"), None, world, dry_run=False)
    assert len(world.store.collection("networking.k8s.io/ipaddresses")) == 0


def test_a_deleted_service_gives_everything_back(allocator: ServiceAllocator, world: World) -> None:
    ports = [{"port": 80, "nodePort": 30001}]
    spec = {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30002}
    first = stored(allocator, world, service("a", clusterIP="10.96.0.9", ports=ports, **spec))

    allocator.release(first, world)

    stored(allocator, world, service("b", clusterIP="10.96.0.9", ports=ports, **spec))


def test_a_service_that_becomes_an_external_name_gives_its_address_back(
    allocator: ServiceAllocator, world: World
) -> None:
    old = stored(allocator, world, service("a", clusterIP="10.96.0.9"))
    stored(allocator, world, service("a", type="ExternalName"), old)

    stored(allocator, world, service("b", clusterIP="10.96.0.9"))


def test_a_port_of_nodes_that_an_update_drops_is_free(allocator: ServiceAllocator, world: World) -> None:
    old = stored(allocator, world, service("a", type="NodePort", ports=[{"port": 80, "nodePort": 30001}]))
    stored(allocator, world, service("a", type="NodePort", ports=[{"port": 80, "nodePort": 30003}]), old)

    stored(allocator, world, service("b", type="NodePort", ports=[{"port": 80, "nodePort": 30001}]))


def test_one_port_of_nodes_serves_all_protocols_of_a_port(allocator: ServiceAllocator, world: World) -> None:
    ports = [
        {"port": 53, "protocol": "TCP"},
        {"port": 53, "protocol": "UDP", "nodePort": 30053},
        {"port": 53, "protocol": "SCTP"},
    ]

    made = stored(allocator, world, service("a", type="NodePort", ports=ports))

    assert [port["nodePort"] for port in made["spec"]["ports"]] == [30053] * 3


def test_a_balancer_may_do_without_ports_of_nodes(allocator: ServiceAllocator, world: World) -> None:
    ports = [{"port": 80}, {"port": 81, "nodePort": 30081}]
    spec = {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": False, "ports": ports}

    made = stored(allocator, world, service("a", **spec))

    assert [port.get("nodePort") for port in made["spec"]["ports"]] == [None, 30081]


def test_a_port_for_health_that_is_taken_is_an_internal_error(
    allocator: ServiceAllocator, world: World
) -> None:
    spec = {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30002}
    stored(allocator, world, service("a", **spec))

    with pytest.raises(Refusal) as refused:
        allocator.choose(service("b", **spec), None, world, dry_run=False)

    assert (refused.value.code, refused.value.message) == (
        500,
        (
            "Internal error occurred: failed to allocate requested HealthCheck NodePort 30002: "
            "provided port is already allocated"
        ),
    )


def test_an_update_may_not_use_a_port_of_nodes_twice(allocator: ServiceAllocator, world: World) -> None:
    old = stored(allocator, world, service("a", type="NodePort", ports=[{"port": 80, "nodePort": 30001}]))
    twice = [{"port": port, "protocol": "TCP", "nodePort": 30001} for port in (80, 81)]

    with pytest.raises(Refusal) as refused:
        allocator.choose(service("a", type="NodePort", ports=twice), old, world, dry_run=False)

    assert (refused.value.code, refused.value.message) == (500, "duplicate nodePort: {TCP 30001}")
