from __future__ import annotations

from typing import Any

import pytest

from windlass.cluster.scheduler.request import requests, supposed_requests
from windlass.kinds.core.v1 import PodSpec


def container(cpu: str = "", **more: Any) -> dict[str, Any]:
    resources = {"requests": {"cpu": cpu} if cpu else {}}
    return {"name": "c", "image": "i", "resources": resources, **more}


SIDECAR = {"restartPolicy": "Always"}


@pytest.mark.parametrize(
    ("spec", "cpu"),
    [
        ({"containers": [container("100m"), container("0.25")]}, 350),
        ({"containers": [container("1")], "initContainers": [container("300m")]}, 1000),
        ({"containers": [container("100m")], "initContainers": [container("300m")]}, 300),
        ({"containers": [container("100m")], "initContainers": [container("300m", **SIDECAR)]}, 400),
        (
            {"containers": [container("1m")], "initContainers": [container("2", **SIDECAR), container("3")]},
            5000,
        ),
        (
            {"containers": [container("1m")], "initContainers": [container("3"), container("2", **SIDECAR)]},
            3000,
        ),
        ({"containers": [container("100m")], "overhead": {"cpu": "50m"}}, 150),
        ({"containers": [container("100m")], "resources": {"requests": {"cpu": "1"}}}, 1000),
        ({"containers": [container("1u")]}, 1),
    ],
)
def test_a_pod_asks_for_what_it_needs_at_most_at_one_time(spec: dict[str, Any], cpu: int) -> None:
    assert requests(PodSpec.from_wire(spec)) == {"cpu": cpu}


def test_a_container_that_asks_for_nothing_is_taken_to_use_something() -> None:
    spec = PodSpec.from_wire({"containers": [container(), container("2")]})

    assert requests(spec) == {"cpu": 2000}
    assert supposed_requests(spec) == {"cpu": 2100, "memory": 400 * 2**20}
