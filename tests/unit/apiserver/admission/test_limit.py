from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission import check_claim, check_limits, set_limits
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.world import World

Object = dict[str, Any]


def world_with(*items: Object) -> World:
    world = World()
    limits = {"metadata": {"namespace": "ns", "name": "limits"}, "spec": {"limits": list(items)}}
    world.store.collection("/limitranges").put("ns/limits", limits, None)
    return world


def pod(**resources: Any) -> Object:
    container = {"name": "main", "resources": resources}
    return {"metadata": {"namespace": "ns", "name": "a"}, "spec": {"containers": [container]}}


def claim(size: str) -> Object:
    spec = {"resources": {"requests": {"storage": size}}}
    return {"metadata": {"namespace": "ns", "name": "a"}, "spec": spec}


def test_containers_get_what_they_leave_out_and_the_pod_says_so() -> None:
    item = {"type": "Container", "default": {"cpu": "1", "memory": "1Gi"}, "defaultRequest": {"cpu": "500m"}}
    obj = pod(limits={"memory": "2Gi"})
    obj["spec"]["initContainers"] = [{"name": "first"}]

    set_limits(obj, world_with(item))

    assert obj["spec"]["containers"][0]["resources"] == {
        "limits": {"memory": "2Gi", "cpu": "1"},
        "requests": {"cpu": "500m"},
    }
    assert obj["metadata"]["annotations"]["kubernetes.io/limit-ranger"] == (
        "LimitRanger plugin set: cpu request for container main; cpu limit for container main; "
        "cpu request for init container first; cpu, memory limit for init container first"
    )


def test_limits_of_another_namespace_do_not_matter() -> None:
    obj = pod()
    obj["metadata"]["namespace"] = "other"

    set_limits(obj, world_with({"type": "Container", "default": {"cpu": "1"}}))

    assert obj["spec"]["containers"][0]["resources"] == {}


@pytest.mark.parametrize(
    ("item", "resources", "why"),
    [
        ({"min": {"cpu": "1"}}, {}, "minimum cpu usage per Container is 1.  No request is specified"),
        (
            {"min": {"cpu": "1"}},
            {"requests": {"cpu": "500m"}},
            "minimum cpu usage per Container is 1, but request is 500m",
        ),
        (
            {"min": {"cpu": "1"}},
            {"requests": {"cpu": "1"}, "limits": {"cpu": "900m"}},
            "minimum cpu usage per Container is 1, but limit is 900m",
        ),
        ({"max": {"cpu": "1"}}, {}, "maximum cpu usage per Container is 1.  No limit is specified"),
        (
            {"max": {"cpu": "1"}},
            {"limits": {"cpu": "2"}},
            "maximum cpu usage per Container is 1, but limit is 2",
        ),
        (
            {"max": {"cpu": "1"}},
            {"limits": {"cpu": "1"}, "requests": {"cpu": "2"}},
            "maximum cpu usage per Container is 1, but request is 2",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            {"limits": {"cpu": "1"}, "requests": {"cpu": "300m"}},
            "cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
        ),
        (
            {"maxLimitRequestRatio": {"cpu": "2"}},
            {"limits": {"cpu": "1"}},
            "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
        ),
        (
            {"min": {"cpu": "1"}, "max": {"memory": "1Gi"}},
            {},
            (
                "[minimum cpu usage per Container is 1.  No request is specified, "
                "maximum memory usage per Container is 1Gi.  No limit is specified]"
            ),
        ),
    ],
)
def test_a_container_beyond_its_limits_is_forbidden(item: Object, resources: Object, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_limits(pod(**resources), world_with({"type": "Container", **item}))

    assert (refused.value.code, refused.value.message) == (403, f'pods "a" is forbidden: {why}')


def test_a_pod_is_judged_by_all_of_its_containers() -> None:
    world = world_with({"type": "Pod", "max": {"memory": "3Gi"}})
    obj = pod(limits={"memory": "2Gi"})
    obj["spec"]["containers"].append({"name": "other", "resources": {"limits": {"memory": "1Gi"}}})
    check_limits(obj, world)
    obj["spec"]["containers"][1]["resources"]["limits"]["memory"] = "2Gi"

    with pytest.raises(Refusal, match="maximum memory usage per Pod is 3Gi, but limit is 4Gi"):
        check_limits(obj, world)


@pytest.mark.parametrize(
    ("size", "why"),
    [("1Mi", "minimum storage usage.* is 1Gi, but request is 1Mi"), ("3Gi", "maximum .* but request is 3Gi")],
)
def test_a_claim_beyond_its_limits_is_forbidden(size: str, why: str) -> None:
    world = world_with(
        {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}, "max": {"storage": "2Gi"}}
    )
    check_claim(claim("1500Mi"), world)

    with pytest.raises(Refusal, match=why):
        check_claim(claim(size), world)
