from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.quota.amount import written
from windlass.apiserver.quota.pod_need import limits_of, requests_of

Object = dict[str, Any]


def container(name: str, **resources: Object) -> Object:
    return {"name": name, "resources": resources}


def pod(*containers: Object, status: Object | None = None, **spec: Any) -> Object:
    return {"spec": {"containers": list(containers), **spec}, "status": status or {}}


def resized(reason: str, **seen: Object) -> Object:
    """A pod whose container is to have 200m and 300m, and has something else so far."""
    main = container("main", requests={"cpu": "200m"}, limits={"cpu": "300m"})
    conditions = [{"type": "Ready"}, {"type": "PodResizePending", "reason": reason}]
    status = {"containerStatuses": [{"name": "main", **seen}], "conditions": conditions}
    return pod(main, status=status)


@pytest.mark.parametrize(
    ("reason", "asked", "limit"), [("Deferred", "200m", "300m"), ("Infeasible", "150m", "250m")]
)
def test_a_size_that_a_node_will_never_give_does_not_count(reason: str, asked: str, limit: str) -> None:
    actual = {"requests": {"cpu": "100m"}, "limits": {"cpu": "250m"}}

    found = resized(reason, resources=actual, allocatedResources={"cpu": "150m"})

    assert written(requests_of(found)) == {"cpu": asked}
    assert written(limits_of(found)) == {"cpu": limit}


def test_a_container_of_which_nothing_was_seen_counts_as_it_is_wanted() -> None:
    found = resized("Infeasible", allocatedResources={"cpu": "5"})

    assert written(requests_of(found)) == {"cpu": "200m"}


def test_what_was_seen_of_an_init_container_counts_only_if_it_keeps_running() -> None:
    first = container("first", requests={"cpu": "1"})
    beside = container("beside", requests={"cpu": "1"}) | {"restartPolicy": "Always"}
    seen = [{"name": name, "resources": {"requests": {"cpu": "3"}}} for name in ("first", "beside")]

    alone = pod(initContainers=[first], status={"initContainerStatuses": seen})
    kept = pod(initContainers=[beside], status={"initContainerStatuses": seen})

    assert written(requests_of(alone)) == {"cpu": "1"}
    assert written(requests_of(kept)) == {"cpu": "3"}


def test_the_pod_as_a_whole_has_the_last_word_but_on_its_overhead() -> None:
    main = container("main", requests={"cpu": "1", "example.com/gpu": "1"}, limits={"memory": "1Gi"})
    whole = {"requests": {"cpu": "2", "hugepages-2Mi": "4Mi"}, "limits": {"cpu": "4"}}

    found = pod(main, resources=whole, overhead={"cpu": "100m", "memory": "1Mi", "ephemeral-storage": "1"})

    assert written(requests_of(found)) == {
        "cpu": "2100m",
        "ephemeral-storage": "1",
        "example.com/gpu": "1",
        "hugepages-2Mi": "4Mi",
        "memory": "1Mi",
    }
    assert written(limits_of(found)) == {"cpu": "4100m", "memory": "1025Mi"}
