"""Which addresses a service has, and how they lie in its slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.cluster.controller.endpoints.slices import Changes, Slice, arrange, ports_key
from windlass.cluster.controller.endpoints.subsets import subsets_of, truncated
from windlass.kinds.core.v1 import Pod, Service

if TYPE_CHECKING:
    from windlass.api import Json

HTTP = ports_key([{"name": "http", "port": 80, "protocol": "TCP"}])
ADMIN = ports_key([{"name": "admin", "port": 9, "protocol": "TCP"}])
LABELS = {"kubernetes.io/service-name": "web"}


def endpoint(number: int, *, ready: bool = True) -> Json:
    return {
        "addresses": [f"10.0.{number // 250}.{number % 250}"],
        "conditions": {"ready": ready},
        "targetRef": {"kind": "Pod", "namespace": "default", "name": f"pod-{number}"},
    }


def endpoints(*numbers: int) -> list[Json]:
    return [endpoint(each) for each in numbers]


def applied(existing: list[Slice], changes: Changes) -> list[Slice]:
    """The slices after the changes were made."""
    kept = {each.name: each for each in existing}
    for each in changes.delete:
        del kept[each.name]
    kept.update({each.name: each for each in changes.update})
    taken = {each.name for each in existing}
    names = (name for number in range(1000) if (name := f"web-{number}") not in taken)
    return [
        *kept.values(),
        *(Slice(e.family, e.ports, e.endpoints, e.labels, next(names)) for e in changes.create),
    ]


def slice_with(name: str, *numbers: int) -> Slice:
    return Slice("IPv4", HTTP, tuple(endpoints(*numbers)), LABELS, name)


numbers = st.sets(st.integers(0, 400), max_size=350)


@given(st.lists(numbers, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_each_pod_lies_in_one_slice_however_they_come_and_go(past: list[set[int]]) -> None:
    slices: list[Slice] = []
    for present in past:
        wanted = {("IPv4", HTTP): endpoints(*sorted(present))} if present else {}
        slices = applied(slices, arrange(slices, wanted, LABELS, ["IPv4"]))
        held = [each["targetRef"]["name"] for found in slices for each in found.endpoints]
        assert sorted(held) == sorted(f"pod-{each}" for each in present)
        assert all(len(each.endpoints) <= 100 for each in slices)
        assert len(slices) >= 1
        again = arrange(slices, wanted, LABELS, ["IPv4"])
        assert again == Changes([], [], [])


def test_one_more_pod_changes_one_slice() -> None:
    there = [slice_with("a", *range(99)), slice_with("b", *range(100, 150))]
    wanted = {("IPv4", HTTP): endpoints(*range(99), *range(100, 151))}
    changes = arrange(there, wanted, LABELS, ["IPv4"])
    assert [each.name for each in changes.update] == ["a"]  # which is then full
    assert not changes.create


def test_slices_that_change_anyway_are_filled_first() -> None:
    there = [slice_with("a", *range(60)), slice_with("b", *range(100, 190))]
    changes = arrange(there, {("IPv4", HTTP): endpoints(*range(59), *range(100, 190), 300)}, LABELS, ["IPv4"])
    assert [each.name for each in changes.update] == ["a"]


def test_a_change_of_readiness_alone_keeps_the_place() -> None:
    changes = arrange(
        [slice_with("a", 1, 2)], {("IPv4", HTTP): [endpoint(1), endpoint(2, ready=False)]}, LABELS, ["IPv4"]
    )
    (found,) = changes.update
    assert [each["conditions"]["ready"] for each in found.endpoints] == [True, False]


def test_other_ports_take_the_place_of_what_goes() -> None:
    changes = arrange([slice_with("a", 1)], {("IPv4", ADMIN): endpoints(1)}, LABELS, ["IPv4"])
    assert [(each.name, each.ports) for each in changes.update] == [("a", ADMIN)]
    assert not changes.create
    assert not changes.delete


def test_each_family_without_endpoints_has_an_empty_slice() -> None:
    changes = arrange([], {("IPv4", HTTP): endpoints(1)}, LABELS, ["IPv4", "IPv6"])
    assert [(each.family, len(each.endpoints)) for each in changes.create] == [("IPv4", 1), ("IPv6", 0)]


def test_new_labels_of_the_service_are_put_on_its_slices() -> None:
    changes = arrange([slice_with("a", 1)], {("IPv4", HTTP): endpoints(1)}, {**LABELS, "b": "c"}, ["IPv4"])
    assert [each.labels for each in changes.update] == [{**LABELS, "b": "c"}]


def service(**spec: Any) -> Service:
    ports = [{"port": 80, "targetPort": 8080, "protocol": "TCP"}]
    metadata = {"name": "web", "namespace": "default"}
    body = {"ports": ports, "ipFamilies": ["IPv4"], "clusterIP": "10.0.0.1", **spec}
    return Service.from_wire({"metadata": metadata, "spec": body})


def running(name: str, address: str, *, ready: bool = True, **metadata: Any) -> Pod:
    status = {"conditions": [{"type": "Ready", "status": str(ready)}], "podIPs": [{"ip": address}]}
    return Pod.from_wire(
        {
            "metadata": {"name": name, "namespace": "default", "uid": name, **metadata},
            "spec": {"containers": [{"name": "main"}], "nodeName": "n"},
            "status": {"phase": "Running", **status},
        }
    )


PODS = [
    running("a", "10.1.0.2"),
    running("b", "10.1.0.1"),
    running("c", "10.1.0.3", ready=False),
    running("d", "10.1.0.4", deletionTimestamp="2026-01-01T00:00:00Z"),
    running("e", "fd00::1"),
]


@pytest.mark.parametrize(
    ("spec", "ready", "other"),
    [
        ({}, ["10.1.0.1", "10.1.0.2"], ["10.1.0.3"]),
        ({"publishNotReadyAddresses": True}, ["10.1.0.1", "10.1.0.2", "10.1.0.3", "10.1.0.4"], []),
        ({"ipFamilies": ["IPv6"]}, ["fd00::1"], []),
        ({"clusterIP": "None", "ports": []}, ["10.1.0.1", "10.1.0.2"], ["10.1.0.3"]),
    ],
)
def test_addresses_are_ready_or_not(spec: dict[str, Any], ready: list[str], other: list[str]) -> None:
    (subset,) = subsets_of(service(**spec), PODS)
    assert [each["ip"] for each in subset["addresses"]] == ready
    assert [each["ip"] for each in subset.get("notReadyAddresses", [])] == other


def test_of_very_many_addresses_the_ready_ones_are_told_first() -> None:
    many = [
        running(f"p{each}", f"10.2.{each // 250}.{each % 250}", ready=each % 2 == 0) for each in range(1800)
    ]
    (subset,) = truncated(subsets_of(service(), many))
    assert (len(subset["addresses"]), len(subset["notReadyAddresses"])) == (900, 100)
