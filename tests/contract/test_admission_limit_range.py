"""limit ranges: what containers get by default, and how much pods, containers and claims may have."""

from typing import Any

import pytest

from contract import STRATEGIC, Api, Object, pod
from contract_quota import claim, container


class Range:
    """A namespace that a limit range is put into, before anything else: from then on it holds."""

    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self.space = f"/api/v1/namespaces/{namespace}"
        self.pods = f"{self.space}/pods"

    async def limit(self, kind: str, **item: Any) -> None:
        """Limit things of a kind."""
        body = {"metadata": {"name": "most"}, "spec": {"limits": [{"type": kind, **item}]}}
        (await self.api.create(f"{self.space}/limitranges", body)).ok()

    async def refusal(self, *containers: Object, **spec: Any) -> set[str]:
        """Why a pod is refused; the real server tells several reasons in any order."""
        reply = await self.api.create(self.pods, pod("a", containers=list(containers), **spec))
        start, _, text = reply.refused(403, "Forbidden")["message"].partition(" is forbidden: ")
        assert start == 'pods "a"'
        return set(text.removeprefix("[").removesuffix("]").replace(", m", "\nm").split("\n"))


@pytest.fixture
def limits(api: Api, namespace: str) -> Range:
    return Range(api, namespace)


async def test_a_container_gets_the_requests_and_limits_that_it_does_not_have(
    api: Api, limits: Range
) -> None:
    await limits.limit("Container", default={"cpu": "1", "memory": "1Gi"}, defaultRequest={"cpu": "500m"})
    given = pod("a", containers=[container(limits={"memory": "2Gi"})], initContainers=[container("first")])

    created = (await api.create(limits.pods, given)).ok()

    assert created["spec"]["containers"][0]["resources"] == {
        "limits": {"cpu": "1", "memory": "2Gi"},
        "requests": {"cpu": "500m", "memory": "2Gi"},
    }
    assert created["spec"]["initContainers"][0]["resources"] == {
        "limits": {"cpu": "1", "memory": "1Gi"},
        "requests": {"cpu": "500m", "memory": "1Gi"},
    }
    assert created["metadata"]["annotations"] == {
        "kubernetes.io/limit-ranger": (
            "LimitRanger plugin set: cpu request for container main; cpu limit for container main; "
            "cpu, memory request for init container first; cpu, memory limit for init container first"
        )
    }
    assert created["status"]["qosClass"] == "Burstable"


async def test_a_container_that_has_everything_is_left_alone(api: Api, limits: Range) -> None:
    await limits.limit("Container", default={"cpu": "1"}, defaultRequest={"cpu": "1"})

    created = await api.create(limits.pods, pod("a", containers=[container(limits={"cpu": "2"})]))

    assert created.ok()["spec"]["containers"][0]["resources"] == {
        "limits": {"cpu": "2"},
        "requests": {"cpu": "2"},
    }
    assert "annotations" not in created.body["metadata"]


CPU_RATIO = {"maxLimitRequestRatio": {"cpu": "2"}}


@pytest.mark.parametrize(
    ("item", "resources", "why"),
    [
        (
            {"min": {"cpu": "1"}},
            {"requests": {"cpu": "500m"}},
            "minimum cpu usage per Container is 1, but request is 500m",
        ),
        (
            {"max": {"memory": "1Gi"}},
            {"limits": {"memory": "2Gi"}},
            "maximum memory usage per Container is 1Gi, but limit is 2Gi",
        ),
        (
            CPU_RATIO,
            {"requests": {"cpu": "100m"}, "limits": {"cpu": "250m"}},
            "cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000",
        ),
        (
            CPU_RATIO,
            {"limits": {"memory": "1Gi"}},
            "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
        ),
        (
            CPU_RATIO,
            {"requests": {"cpu": "1"}},
            "cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0",
        ),
    ],
    ids=["small-request", "large-limit", "ratio", "no-request-for-a-ratio", "no-limit-for-a-ratio"],
)
async def test_containers_are_held_to_limits(
    limits: Range, item: Object, resources: Object, why: str
) -> None:
    await limits.limit("Container", **item)

    assert await limits.refusal(container(**resources)) == {why}


async def test_init_containers_are_held_to_limits_too(limits: Range) -> None:
    await limits.limit("Container", max={"cpu": "1"})
    large = container("first", limits={"cpu": "2"})

    assert await limits.refusal(container(), initContainers=[large]) == {
        "maximum cpu usage per Container is 1, but limit is 2"
    }


async def test_all_that_is_wrong_is_told(limits: Range) -> None:
    await limits.limit("Container", max={"cpu": "1"}, min={"memory": "1Gi"})
    wrong = container(limits={"cpu": "2"}, requests={"memory": "1Mi"})

    assert await limits.refusal(wrong, container("other", limits={"cpu": "2"})) == {
        "maximum cpu usage per Container is 1, but limit is 2",
        "minimum memory usage per Container is 1Gi, but request is 1Mi",
    }


async def test_a_pod_is_held_to_limits_with_all_that_it_has(limits: Range) -> None:
    await limits.limit("Pod", max={"cpu": "2"}, min={"memory": "1Gi"})
    half = {"requests": {"cpu": "1", "memory": "256Mi"}, "limits": {"cpu": "1500m"}}

    assert await limits.refusal(container("a", **half), container("b", **half)) == {
        "maximum cpu usage per Pod is 2, but limit is 3",
        "minimum memory usage per Pod is 1Gi, but request is 512Mi",
    }


async def test_a_pod_without_requests_and_limits_is_refused_where_there_are_any(limits: Range) -> None:
    await limits.limit("Pod", max={"cpu": "2"}, min={"memory": "1Gi"})

    assert await limits.refusal(container()) == {
        "maximum cpu usage per Pod is 2.  No limit is specified",
        "minimum memory usage per Pod is 1Gi.  No request is specified",
    }


async def test_a_pod_may_say_as_a_whole_what_it_has(api: Api, limits: Range) -> None:
    await limits.limit("Pod", max={"cpu": "2"})
    large, small = ({"limits": {"cpu": amount}} for amount in ("3", "1"))

    assert await limits.refusal(container(), resources=large) == {
        "maximum cpu usage per Pod is 2, but limit is 3"
    }
    (await api.create(limits.pods, pod("a", resources=small))).ok()


async def test_the_start_of_a_pod_is_held_to_limits_too(limits: Range) -> None:
    await limits.limit("Pod", max={"cpu": "2"})
    starting = [container("first", limits={"cpu": "3"}), container("then", limits={"cpu": "1"})]

    assert await limits.refusal(container(limits={"cpu": "1"}), initContainers=starting) == {
        "maximum cpu usage per Pod is 2, but limit is 3"
    }


async def test_a_changed_pod_is_not_held_to_limits(api: Api, limits: Range) -> None:
    (await api.create(limits.pods, pod("a", containers=[container(limits={"cpu": "2"})]))).ok()
    await limits.limit("Container", max={"cpu": "1"})

    (await api.patch(f"{limits.pods}/a", {"metadata": {"labels": {"a": "b"}}})).ok()


def sized(**resources: Object) -> Object:
    return {"spec": {"containers": [{"name": "main", "resources": resources}]}}


async def test_a_resized_pod_is_held_to_limits(api: Api, limits: Range) -> None:
    await limits.limit("Container", max={"cpu": "1"})
    (await api.create(limits.pods, pod("a", containers=[container(requests={"cpu": "500m"})]))).ok()

    reply = await api.patch(f"{limits.pods}/a/resize", sized(limits={"cpu": "2"}), STRATEGIC)

    assert reply.refused(403, "Forbidden")["message"] == (
        'pods "a" is forbidden: maximum cpu usage per Container is 1, but limit is 2'
    )
    (await api.patch(f"{limits.pods}/a/resize", sized(requests={"cpu": "600m"}), STRATEGIC)).ok()


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ("5Gi", "maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 5Gi"),
        ("1Mi", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi"),
    ],
)
async def test_claims_are_held_to_limits(api: Api, limits: Range, size: str, why: str) -> None:
    await limits.limit("PersistentVolumeClaim", max={"storage": "4Gi"}, min={"storage": "1Gi"})
    path = f"{limits.space}/persistentvolumeclaims"

    reply = await api.create(path, claim("a", size, ""))

    assert reply.refused(403, "Forbidden")["message"] == f'persistentvolumeclaims "a" is forbidden: {why}'
    (await api.create(path, claim("a", "2Gi", ""))).ok()


async def test_a_changed_claim_is_held_to_limits(api: Api, limits: Range) -> None:
    path = f"{limits.space}/persistentvolumeclaims"
    await limits.limit("PersistentVolumeClaim", max={"storage": "4Gi"})
    (await api.create(path, claim("a", "2Gi", ""))).ok()
    (await api.patch(f"{path}/a/status", {"status": {"phase": "Bound"}})).ok()

    reply = await api.patch(f"{path}/a", {"spec": {"resources": {"requests": {"storage": "5Gi"}}}})

    assert reply.refused(403, "Forbidden")["message"] == (
        'persistentvolumeclaims "a" is forbidden: '
        "maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 5Gi"
    )
