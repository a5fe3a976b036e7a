from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill


def wanting(*, always: bool = False, **resources: Any) -> dict[str, Any]:
    return {"resources": resources} | ({"restartPolicy": "Always"} if always else {})


def resources(own: dict[str, Any], *containers: dict[str, Any], init: Any = ()) -> dict[str, Any]:
    pod: dict[str, Any] = {
        "spec": {"resources": own, "containers": list(containers), "initContainers": list(init)}
    }
    fill("v1/Pod", pod)
    found: dict[str, Any] = pod["spec"]["resources"]
    return found


def test_requests_of_a_pod_are_those_of_its_containers_or_else_its_limits() -> None:
    own = {"limits": {"cpu": "2", "memory": "1Gi"}}

    found = resources(own, wanting(requests={"cpu": "500m"}), wanting(limits={"cpu": "100m"}))

    assert found == {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "600m", "memory": "1Gi"}}


def test_a_request_that_is_given_is_kept() -> None:
    own = {"limits": {"cpu": "2"}, "requests": {"cpu": "1"}}

    assert resources(own, wanting(requests={"cpu": "500m"}))["requests"] == {"cpu": "1"}


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        ([wanting(requests={"cpu": "1"})], "1"),
        ([wanting(requests={"cpu": "100m"})], "500m"),
        ([wanting(requests={"cpu": "100m"}, always=True)], "600m"),
        ([wanting(requests={"cpu": "1"}, always=True), wanting(requests={"cpu": "1"})], "2"),
        ([wanting(requests={"cpu": "1"}), wanting(requests={"cpu": "1"}, always=True)], "1500m"),
    ],
    ids=["larger", "smaller", "sidecar", "after a sidecar", "before a sidecar"],
)
def test_init_containers_count_when_they_take_more(init: list[dict[str, Any]], expected: str) -> None:
    found = resources({"limits": {"cpu": "4"}}, wanting(requests={"cpu": "500m"}), init=init)

    assert found["requests"] == {"cpu": expected}


def test_limits_of_huge_pages_are_those_of_the_containers() -> None:
    container = wanting(limits={"hugepages-2Mi": "2Mi", "cpu": "1"})

    assert resources({"requests": {"cpu": "1"}}, container, container) == {
        "limits": {"hugepages-2Mi": "4Mi"},
        "requests": {"cpu": "1", "hugepages-2Mi": "4Mi"},
    }


def test_limits_of_huge_pages_stay_open_where_there_is_a_request() -> None:
    own = {"requests": {"hugepages-2Mi": "2Mi"}}

    assert resources(dict(own), wanting(limits={"hugepages-2Mi": "2Mi"})) == own


def test_other_resources_are_not_those_of_a_pod() -> None:
    found = resources({"limits": {"cpu": "1"}}, wanting(requests={"example.com/gpu": "1", "cpu": "1"}))

    assert found["requests"] == {"cpu": "1"}


def test_a_pod_that_says_nothing_of_its_resources_has_none() -> None:
    assert resources({}, wanting(limits={"cpu": "1"})) == {}
