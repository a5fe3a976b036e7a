from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from windlass.apiserver.allocation.carry import align_addresses, carry_over, drop_with_type

Spec = dict[str, Any]

BALANCER: Spec = {
    "type": "LoadBalancer",
    "clusterIP": "10.96.0.9",
    "clusterIPs": ["10.96.0.9"],
    "ipFamilies": ["IPv4"],
    "ipFamilyPolicy": "SingleStack",
    "externalTrafficPolicy": "Local",
    "healthCheckNodePort": 30099,
    "allocateLoadBalancerNodePorts": True,
    "loadBalancerClass": "example.com/a",
    "ports": [{"name": "a", "port": 80, "nodePort": 30001}, {"name": "b", "port": 81, "nodePort": 30002}],
}


def test_an_update_that_leaves_out_what_was_given_keeps_it() -> None:
    spec: Spec = {
        "type": "LoadBalancer",
        "externalTrafficPolicy": "Local",
        "ports": [{"name": "b", "port": 82}, {"name": "a", "port": 80}],
    }

    carry_over(spec, BALANCER)

    assert (spec["clusterIP"], spec["clusterIPs"]) == ("10.96.0.9", ["10.96.0.9"])
    assert spec["healthCheckNodePort"] == 30099
    assert [port["nodePort"] for port in spec["ports"]] == [30002, 30001]


def test_a_port_that_another_took_over_is_not_given_twice() -> None:
    spec: Spec = {
        "type": "NodePort",
        "ports": [{"name": "a", "port": 80}, {"name": "c", "port": 82, "nodePort": 30001}],
    }

    carry_over(spec, BALANCER)

    assert [port.get("nodePort") for port in spec["ports"]] == [None, 30001]


def test_a_service_without_an_address_is_given_none() -> None:
    spec: Spec = {"type": "ExternalName"}

    carry_over(spec, BALANCER)

    assert spec == {"type": "ExternalName"}


@pytest.mark.parametrize(
    ("given", "old", "listed"),
    [
        ({"clusterIP": "10.96.0.9"}, None, ["10.96.0.9"]),
        ({"clusterIPs": ["10.96.0.9"]}, None, ["10.96.0.9"]),
        ({"clusterIP": "10.96.0.9"}, BALANCER, ["10.96.0.9"]),
        ({"clusterIP": "10.96.0.10", "clusterIPs": ["10.96.0.9"]}, BALANCER, ["10.96.0.10"]),
        ({"clusterIPs": ["10.96.0.9"]}, BALANCER, None),
        ({"clusterIP": "10.96.0.10", "clusterIPs": ["10.96.0.11"]}, BALANCER, ["10.96.0.11"]),
    ],
    ids=["new", "new, listed", "not listed", "another", "none any more", "two others"],
)
def test_the_list_of_addresses_follows_the_single_one(
    given: Spec, old: Spec | None, listed: list[str] | None
) -> None:
    align_addresses(given, old)

    assert given.get("clusterIPs") == listed


def test_a_new_type_drops_what_it_has_no_use_for() -> None:
    spec = deepcopy({**BALANCER, "type": "ExternalName"})

    drop_with_type(spec, BALANCER)

    assert spec == {"type": "ExternalName", "ports": [{"name": "a", "port": 80}, {"name": "b", "port": 81}]}


def test_what_an_update_changes_itself_is_left_to_be_judged() -> None:
    changed: Spec = {
        "type": "ClusterIP",
        "externalTrafficPolicy": "Cluster",
        "healthCheckNodePort": 30098,
        "loadBalancerClass": "example.com/b",
        "ports": [{"name": "a", "port": 80, "nodePort": 30003}],
    }

    spec = deepcopy(changed)
    drop_with_type(spec, BALANCER)

    assert spec == changed


def test_the_same_type_drops_nothing() -> None:
    spec = deepcopy(BALANCER)

    drop_with_type(spec, BALANCER)

    assert spec == BALANCER
