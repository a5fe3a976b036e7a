from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.validation.service import validate


def service(**spec: Any) -> dict[str, Any]:
    ports = [{"port": 80, "protocol": "TCP", "targetPort": 80}]
    usual: dict[str, Any] = {
        "type": "LoadBalancer",
        "sessionAffinity": "None",
        "internalTrafficPolicy": "Cluster",
    }
    usual |= {"externalTrafficPolicy": "Local", "allocateLoadBalancerNodePorts": True}
    meta = {"name": "a", "namespace": "b", "resourceVersion": "1"}
    return {"metadata": meta, "spec": {"ports": ports, **usual, "healthCheckNodePort": 30000, **spec}}


def faults(obj: dict[str, Any], old: dict[str, Any] | None = None) -> list[str]:
    return [str(fault) for fault in validate(obj, old)]


def test_a_balancer_that_keeps_traffic_local_is_checked_on_a_port() -> None:
    assert faults(service()) == []
    assert faults(service(healthCheckNodePort=0)) == ["spec.healthCheckNodePort: Required value"]
    assert faults(service(healthCheckNodePort=70000)) == [
        "spec.healthCheckNodePort: Invalid value: 70000: must be between 1 and 65535, inclusive"
    ]


def test_the_port_of_the_health_check_stays() -> None:
    assert faults(service(healthCheckNodePort=30001), service()) == [
        "spec.healthCheckNodePort: Forbidden: field is immutable"
    ]


@pytest.mark.parametrize(
    ("config", "field"),
    [
        (None, "sessionAffinityConfig"),
        ({}, "sessionAffinityConfig.clientIP"),
        ({"clientIP": {}}, "sessionAffinityConfig.clientIP.timeoutSeconds"),
    ],
)
def test_affinity_has_a_timeout(config: dict[str, Any] | None, field: str) -> None:
    obj = service(sessionAffinity="ClientIP", sessionAffinityConfig=config)

    assert faults(obj) == [f"spec.{field}: Required value: when session affinity type is ClientIP"]


def test_a_timeout_without_affinity_is_forbidden() -> None:
    obj = service(sessionAffinityConfig={"clientIP": {"timeoutSeconds": 1}})

    assert faults(obj) == [
        "spec.sessionAffinityConfig: Forbidden: must not be set when session affinity is None"
    ]


@pytest.mark.parametrize(
    ("absent", "field"),
    [
        ("type", "spec.type"),
        ("sessionAffinity", "spec.sessionAffinity"),
        ("internalTrafficPolicy", "spec.internalTrafficPolicy"),
        ("allocateLoadBalancerNodePorts", "allocateLoadBalancerNodePorts"),
    ],
)
def test_what_defaulting_would_have_set_is_required(absent: str, field: str) -> None:
    obj = service()
    del obj["spec"][absent]

    assert f"{field}: Required value" in faults(obj)


def test_no_two_ports_have_one_node_port() -> None:
    ports = [
        {"name": name, "port": port, "protocol": "TCP", "targetPort": 80, "nodePort": 30080}
        for name, port in (("x", 80), ("y", 81))
    ]

    assert faults(service(ports=ports)) == ["spec.ports[1].nodePort: Duplicate value: 30080"]
