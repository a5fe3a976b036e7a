from __future__ import annotations

from typing import Any

import pytest

from pod_story import pod_of
from windlass.api import Quantity
from windlass.cluster.node.downward import Place
from windlass.cluster.node.environment import environment, expand, service_variables
from windlass.cluster.node.reference import Source
from windlass.kinds.core.v1 import Service

PLACE = Place("10.244.0.2", "172.18.0.2", {"cpu": Quantity("8"), "memory": Quantity("32Gi")})
KNOWN: Any = {
    Source("configmap", "settings"): {"mode": "fast", "not a name": "x"},
    Source("secret", "login"): {"user": b"anna"},
}


def variables(*env: dict[str, Any], **container: Any) -> dict[str, str]:
    """The variables of a container with this environment."""
    pod = pod_of(containers=[{"name": "main", "image": "web:1", "env": list(env), **container}])
    return environment(pod, pod.spec.containers[0], PLACE, KNOWN, {"OUT": "side"})


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ({"fieldRef": {"fieldPath": "metadata.name"}}, "web"),
        ({"fieldRef": {"fieldPath": "spec.nodeName"}}, "node-1"),
        ({"fieldRef": {"fieldPath": "status.podIP"}}, "10.244.0.2"),
        ({"fieldRef": {"fieldPath": "metadata.labels['none']"}}, ""),
        ({"configMapKeyRef": {"name": "settings", "key": "mode"}}, "fast"),
        ({"secretKeyRef": {"name": "login", "key": "user"}}, "anna"),
        ({"resourceFieldRef": {"resource": "limits.cpu"}}, "8"),
        ({"resourceFieldRef": {"resource": "limits.memory", "divisor": "1Gi"}}, "32"),
        ({"resourceFieldRef": {"resource": "requests.cpu", "divisor": "1m"}}, "1500"),
        ({"resourceFieldRef": {"resource": "requests.cpu"}}, "2"),
    ],
)
def test_a_variable_is_taken_from_where_it_says(source: dict[str, Any], value: str) -> None:
    requests = {"requests": {"cpu": "1500m"}}
    assert variables({"name": "X", "valueFrom": source}, resources=requests)["X"] == value


def test_a_key_that_is_missing_gives_no_variable() -> None:
    missing = {"configMapKeyRef": {"name": "settings", "key": "none", "optional": True}}
    assert "X" not in variables({"name": "X", "valueFrom": missing})


def test_whole_sources_come_first_and_names_that_are_none_are_left_out() -> None:
    found = variables(
        {"name": "C_mode", "value": "slow"}, envFrom=[{"prefix": "C_", "configMapRef": {"name": "settings"}}]
    )
    assert found == {"OUT": "side", "C_mode": "slow"}


def test_a_variable_may_speak_of_those_before_it() -> None:
    found = variables({"name": "A", "value": "1"}, {"name": "B", "value": "$(A)-$(OUT)-$(C)-$$(A)"})
    assert found["B"] == "1-side-$(C)-$(A)"


def test_a_text_is_expanded_once() -> None:
    assert expand("$(A)$(B)", {"A": "$(B)", "B": "x"}) == "$(B)x"


def test_services_are_told_as_every_container_knows_them() -> None:
    service = Service.from_wire(
        {
            "metadata": {"name": "my-db"},
            "spec": {"clusterIP": "10.96.0.9", "ports": [{"name": "sql", "port": 5432, "protocol": "TCP"}]},
        }
    )
    headless = Service.from_wire({"metadata": {"name": "no"}, "spec": {"clusterIP": "None"}})
    assert service_variables([service, headless]) == {
        "MY_DB_SERVICE_HOST": "10.96.0.9",
        "MY_DB_SERVICE_PORT": "5432",
        "MY_DB_SERVICE_PORT_SQL": "5432",
        "MY_DB_PORT": "tcp://10.96.0.9:5432",
        "MY_DB_PORT_5432_TCP": "tcp://10.96.0.9:5432",
        "MY_DB_PORT_5432_TCP_PROTO": "tcp",
        "MY_DB_PORT_5432_TCP_PORT": "5432",
        "MY_DB_PORT_5432_TCP_ADDR": "10.96.0.9",
    }
