from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill, rewrite

STICKY = {"clientIP": {"timeoutSeconds": 10800}}


def spec(**given: Any) -> dict[str, Any]:
    service = {"spec": given}
    fill("v1/Service", service)
    rewrite("v1/Service", service)
    return service["spec"]


def test_a_service_is_internal_and_forgets_its_clients() -> None:
    assert spec() == {"type": "ClusterIP", "sessionAffinity": "None", "internalTrafficPolicy": "Cluster"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"port": 80}, 80),
        ({"port": 80, "targetPort": 0}, 80),
        ({"port": 80, "targetPort": ""}, 80),
        ({"port": 80, "targetPort": 81}, 81),
        ({"port": 80, "targetPort": "http"}, "http"),
    ],
)
def test_a_port_leads_to_the_port_of_the_same_number(given: dict[str, Any], expected: object) -> None:
    (port,) = spec(ports=[given])["ports"]

    assert port == {"port": 80, "protocol": "TCP", "targetPort": expected}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"sessionAffinity": "ClientIP"}, STICKY),
        ({"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {}}}, STICKY),
        (
            {"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 5}}},
            {"clientIP": {"timeoutSeconds": 5}},
        ),
        ({"sessionAffinity": "None", "sessionAffinityConfig": STICKY}, None),
        ({"sessionAffinityConfig": STICKY}, None),
    ],
    ids=["nothing", "empty", "given", "not sticky", "not said"],
)
def test_sticky_sessions_last_three_hours(given: dict[str, Any], expected: object) -> None:
    assert spec(**given).get("sessionAffinityConfig") == expected


@pytest.mark.parametrize(
    ("given", "outside", "inside"),
    [
        ({"type": "ClusterIP"}, None, "Cluster"),
        ({"externalIPs": ["192.0.2.1"]}, "Cluster", "Cluster"),
        ({"type": "NodePort"}, "Cluster", "Cluster"),
        ({"type": "LoadBalancer", "externalTrafficPolicy": "Local"}, "Local", "Cluster"),
        ({"type": "NodePort", "internalTrafficPolicy": "Local"}, "Cluster", "Local"),
        ({"type": "ExternalName"}, None, None),
        ({"type": "ExternalName", "internalTrafficPolicy": "Local"}, None, "Local"),
    ],
)
def test_traffic_goes_to_any_endpoint(given: dict[str, Any], outside: object, inside: object) -> None:
    found = spec(**given)

    assert (found.get("externalTrafficPolicy"), found.get("internalTrafficPolicy")) == (outside, inside)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "LoadBalancer"}, True),
        ({"type": "LoadBalancer", "allocateLoadBalancerNodePorts": False}, False),
        ({"type": "NodePort"}, None),
    ],
)
def test_a_load_balancer_uses_ports_of_nodes(given: dict[str, Any], expected: object) -> None:
    assert spec(**given).get("allocateLoadBalancerNodePorts") is expected


@pytest.mark.parametrize(("form", "mode"), [("LoadBalancer", {"ipMode": "VIP"}), ("ClusterIP", {})])
def test_the_addresses_of_a_load_balancer_are_those_that_clients_see(form: str, mode: dict[str, str]) -> None:
    ingress = [{"ip": "192.0.2.1"}, {"hostname": "example.com"}]
    service = {"spec": {"type": form}, "status": {"loadBalancer": {"ingress": ingress}}}

    fill("v1/Service", service)

    assert ingress == [{"ip": "192.0.2.1", **mode}, {"hostname": "example.com"}]
