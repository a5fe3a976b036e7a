from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.warning.pod_port import port_warnings

PORT = {"containerPort": 80, "protocol": "TCP"}


@pytest.mark.parametrize(
    ("first", "second", "warnings"),
    [
        ({}, {"protocol": "UDP"}, []),
        ({}, {}, ["b.ports[0]: duplicate port definition with a.ports[0]"]),
        ({}, {"hostPort": 80}, ["b.ports[0]: overlapping port definition with a.ports[0]"]),
        (
            {"hostPort": 80},
            {"hostPort": 80, "hostIP": "192.0.2.1"},
            ["b.ports[0]: dangerously ambiguous port definition with a.ports[0]"],
        ),
        ({"hostPort": 80}, {"hostPort": 81}, []),
        (
            {},
            {"hostIP": "192.0.2.1", "containerPort": 81, "name": "x"},
            [
                (
                    "b.ports[0]: hostIP set without hostPort: "
                    "{Name:x HostPort:0 ContainerPort:81 Protocol:TCP HostIP:192.0.2.1}"
                )
            ],
        ),
        (
            {"name": "x"},
            {"name": "x", "containerPort": 81},
            [
                (
                    'b.ports[0]: duplicate port name "x" with a.ports[0], services and probes that select ports '
                    "by name will use a.ports[0]"
                )
            ],
        ),
    ],
)
def test_two_ports_of_a_pod_get_in_each_others_way(
    first: dict[str, Any], second: dict[str, Any], warnings: list[str]
) -> None:
    containers = [({"ports": [{**PORT, **first}]}, "a"), ({"ports": [{**PORT, **second}]}, "b")]

    assert list(port_warnings(containers)) == warnings
