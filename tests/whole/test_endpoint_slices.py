"""The addresses behind services: EndpointSlices, and the older Endpoints."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from by_hand import PATIENCE, end, run, template
from polling import until
from windlass.client import DeleteOptions, MergePatch
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Endpoints, Node, Pod, Service
from windlass.kinds.discovery.v1 import EndpointSlice

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from windlass.client import Client

TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time"


@pytest.fixture
async def node(client: Client, namespace: str) -> AsyncIterator[str]:
    """A node on which nothing runs, in a zone."""
    metadata = {"name": f"node-of-{namespace}", "labels": {"topology.kubernetes.io/zone": "north"}}
    await client.create(Node.from_wire({"metadata": metadata}))
    yield metadata["name"]  # type: ignore[misc]
    await client.delete(Node, f"node-of-{namespace}")


async def serve(client: Client, **spec: Any) -> Service:
    """Create the service `web`."""
    metadata = {"name": "web", "labels": {"team": "shop"}}
    body = {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": "http"}], **spec}
    return await client.create(Service.from_wire({"metadata": metadata, "spec": body}))


async def pod(client: Client, name: str, node: str, port: int = 8080, **spec: Any) -> Pod:
    """Create a pod of the service, bound to the node."""
    containers = [{"name": "main", "image": "web:1", "ports": [{"name": "http", "containerPort": port}]}]
    body = template({"app": "web"}, nodeName=node, **(spec | {"containers": containers}))
    return await client.create(Pod.from_wire({**body, "metadata": {**body["metadata"], "name": name}}))


async def slices_when(
    client: Client, accept: Callable[[Sequence[EndpointSlice]], bool]
) -> list[EndpointSlice]:
    """The slices of the service, once a test accepts them."""

    async def ask() -> list[EndpointSlice]:
        chosen = "kubernetes.io/service-name=web"
        return list(await client.list(EndpointSlice, client.options.namespace, labels=chosen))

    return await until(ask, accept, patience=PATIENCE)


async def endpoints_when(client: Client, accept: Callable[[Endpoints], bool]) -> Endpoints:
    """The Endpoints of the service, once a test accepts them."""

    async def ask() -> Endpoints:
        try:
            return await client.get(Endpoints, "web")
        except NotFound:
            return Endpoints()

    return await until(ask, accept, patience=PATIENCE)


def conditions(slices: Sequence[EndpointSlice]) -> dict[str, tuple[bool | None, ...]]:
    """By pod, whether an endpoint is ready, serving and terminating."""
    return {
        each.target_ref.name or "": (
            each.conditions.ready,
            each.conditions.serving,
            each.conditions.terminating,
        )
        for found in slices
        for each in found.endpoints
        if each.target_ref and each.conditions
    }


async def test_a_slice_has_the_pods_that_a_service_selects(client: Client, node: str) -> None:
    service = await serve(client)
    (empty,) = await slices_when(client, bool)
    assert not empty.endpoints
    assert empty.metadata.name.startswith("web-")
    assert empty.metadata.labels == {
        "team": "shop",
        "kubernetes.io/service-name": "web",
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    }
    owner = empty.metadata.owner_references[0]
    assert (owner.kind, owner.uid, owner.controller) == ("Service", service.metadata.uid, True)
    assert TRIGGER in empty.metadata.annotations

    one = await pod(client, "one", node)
    await run(client, one, address="10.9.0.1")
    (found,) = await slices_when(client, lambda those: bool(those[0].endpoints))
    assert found.metadata.name == empty.metadata.name
    assert found.address_type == "IPv4"
    assert [each.to_wire() for each in found.ports] == [{"name": "", "port": 8080, "protocol": "TCP"}]
    assert found.endpoints[0].to_wire() == {
        "addresses": ["10.9.0.1"],
        "conditions": {"ready": True, "serving": True, "terminating": False},
        "nodeName": node,
        "zone": "north",
        "targetRef": {
            "kind": "Pod",
            "namespace": one.metadata.namespace,
            "name": "one",
            "uid": one.metadata.uid,
        },
    }
    old = await endpoints_when(client, lambda found: bool(found.subsets))
    assert old.metadata.labels == {
        "team": "shop",
        "endpoints.kubernetes.io/managed-by": "endpoint-controller",
    }
    assert old.subsets[0].to_wire() == {
        "addresses": [
            {"ip": "10.9.0.1", "nodeName": node, "targetRef": found.endpoints[0].to_wire()["targetRef"]}
        ],
        "ports": [{"port": 8080, "protocol": "TCP"}],
    }

    await client.patch(Pod, "one", MergePatch({"metadata": {"labels": {"app": "other"}}}))
    await slices_when(client, lambda those: len(those) == 1 and not those[0].endpoints)
    await endpoints_when(client, lambda found: not found.subsets)


async def test_pods_that_are_not_ready_and_that_are_ending_are_told_apart(client: Client, node: str) -> None:
    await serve(client)
    one, two, three = [await pod(client, name, node) for name in ("one", "two", "three")]
    await run(client, one, two, three)
    unready = {"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-02T03:04:06Z"}
    await client.status.patch(Pod, "two", MergePatch({"status": {"conditions": [unready]}}))
    await client.patch(Pod, "three", MergePatch({"metadata": {"finalizers": ["a.b/c"]}}))
    await client.delete(Pod, "three")
    await slices_when(
        client,
        lambda those: (
            conditions(those)
            == {"one": (True, True, False), "two": (False, False, False), "three": (False, True, True)}
        ),
    )
    found = await endpoints_when(client, lambda found: bool(found.subsets and found.subsets[0].addresses))
    found = await endpoints_when(client, lambda found: bool(found.subsets[0].not_ready_addresses))
    (subset,) = found.subsets
    assert [each.target_ref and each.target_ref.name for each in subset.addresses] == ["one"]
    assert [each.target_ref and each.target_ref.name for each in subset.not_ready_addresses] == ["two"]

    await client.patch(Service, "web", MergePatch({"spec": {"publishNotReadyAddresses": True}}))
    await slices_when(client, lambda those: {ready for ready, *_ in conditions(those).values()} == {True})
    await end(client, one)
    await slices_when(client, lambda those: set(conditions(those)) == {"two", "three"})
    await client.patch(Pod, "three", MergePatch({"metadata": {"finalizers": None}}))
    await client.delete(Pod, "three", options=DeleteOptions(grace_period=timedelta(0)))
    await slices_when(client, lambda those: set(conditions(those)) == {"two"})


async def test_pods_with_other_numbers_for_a_port_lie_in_slices_of_their_own(
    client: Client, node: str
) -> None:
    ports = [
        {"name": "http", "port": 80, "targetPort": "http"},
        {"name": "admin", "port": 81, "targetPort": 9},
    ]
    await serve(client, ports=ports)
    one, two = await pod(client, "one", node, 8080), await pod(client, "two", node, 9090)
    await run(client, one, address="10.9.0.1")
    await run(client, two, address="10.9.0.2")
    found = await slices_when(client, lambda those: len(conditions(those)) == 2)
    numbers = {frozenset((each.name, each.port) for each in one.ports) for one in found if one.endpoints}
    assert numbers == {
        frozenset({("http", 8080), ("admin", 9)}),
        frozenset({("http", 9090), ("admin", 9)}),
    }
    old = await endpoints_when(client, lambda found: sum(len(each.addresses) for each in found.subsets) == 4)
    shown = {
        frozenset((each.name, each.port) for each in subset.ports): [each.ip for each in subset.addresses]
        for subset in old.subsets
    }
    assert shown == {
        frozenset({("admin", 9)}): ["10.9.0.1", "10.9.0.2"],
        frozenset({("http", 8080)}): ["10.9.0.1"],
        frozenset({("http", 9090)}): ["10.9.0.2"],
    }


async def test_a_headless_service_tells_the_names_of_pods_in_its_domain(client: Client, node: str) -> None:
    await serve(client, clusterIP="None", ports=[])
    one = await pod(client, "one", node, hostname="first", subdomain="web")
    await run(client, one, await pod(client, "two", node, hostname="second"))
    found = await slices_when(client, lambda those: len(conditions(those)) == 2)
    names = {each.hostname for one in found for each in one.endpoints}
    assert names == {"first", None}
    assert all(each.metadata.labels["service.kubernetes.io/headless"] == "" for each in found)
    old = await endpoints_when(client, lambda found: bool(found.subsets))
    assert old.metadata.labels["service.kubernetes.io/headless"] == ""
    assert not old.subsets[0].ports


async def test_what_has_no_selector_is_left_alone_and_what_is_gone_has_no_endpoints(client: Client) -> None:
    await serve(client)
    await slices_when(client, bool)
    await endpoints_when(client, lambda found: bool(found.metadata.labels))
    plain = {"metadata": {"name": "plain"}, "spec": {"ports": [{"port": 80}]}}
    await client.create(Service.from_wire(plain))
    await client.delete(Service, "web")
    await endpoints_when(client, lambda found: not found.metadata.labels)
    listed = await client.list(EndpointSlice, client.options.namespace)
    assert not [each for each in listed if each.metadata.labels.get("kubernetes.io/service-name") == "plain"]
    with pytest.raises(NotFound):
        await client.get(Endpoints, "plain")


async def test_what_prefers_what_is_near_has_hints(client: Client, node: str) -> None:
    await serve(client, trafficDistribution="PreferClose")
    await run(client, await pod(client, "one", node))
    (found,) = await slices_when(client, lambda those: bool(those) and bool(those[0].endpoints))
    hints = found.endpoints[0].hints
    assert hints is not None
    assert [each.name for each in hints.for_zones] == ["north"]


async def test_endpoints_made_by_hand_are_mirrored_for_a_service_without_a_selector(client: Client) -> None:
    address = {"ip": "10.9.0.1", "hostname": "first"}
    subset = {
        "addresses": [address],
        "notReadyAddresses": [{"ip": "10.9.0.2"}],
        "ports": [{"name": "http", "port": 80}],
    }
    metadata = {"name": "web", "labels": {"team": "shop"}, "annotations": {"note": "kept"}}
    made = await client.create(Endpoints.from_wire({"metadata": metadata, "subsets": [subset]}))
    await serve(client, selector=None)
    (found,) = await slices_when(client, bool)
    assert found.metadata.labels == {
        "team": "shop",
        "kubernetes.io/service-name": "web",
        "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
    }
    assert found.metadata.annotations == {"note": "kept"}
    assert found.metadata.owner_references[0].uid == made.metadata.uid
    assert [each.to_wire() for each in found.ports] == [{"name": "http", "port": 80, "protocol": "TCP"}]
    told = sorted((each.to_wire() for each in found.endpoints), key=lambda each: str(each["addresses"]))
    assert told == [
        {"addresses": ["10.9.0.1"], "conditions": {"ready": True}, "hostname": "first"},
        {"addresses": ["10.9.0.2"], "conditions": {"ready": False}},
    ]

    await client.patch(Service, "web", MergePatch({"spec": {"selector": {"app": "web"}}}))
    manager = "endpointslice.kubernetes.io/managed-by"
    await slices_when(
        client,
        lambda those: (
            [each.metadata.labels[manager] for each in those] == ["endpointslice-controller.k8s.io"]
        ),
    )
