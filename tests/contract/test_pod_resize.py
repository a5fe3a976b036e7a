"""resize: the one way to give the containers of a pod more, or less, to run with."""

from typing import Any

import pytest

from contract import JSON_PATCH, STRATEGIC, Api, Object, pod
from contract_objects import generation_of
from polling import until


def container(name: str, **resources: Object) -> Object:
    return {"name": name, "image": "example.com/app:1", "resources": resources}


def resources(name: str = "main", **amounts: Any) -> Object:
    return {"spec": {"containers": [{"name": name, "resources": amounts}]}}


@pytest.fixture
async def path(api: Api, pods: str) -> str:
    """The path of a pod of which only the first container asks for something."""
    main = container("main", requests={"cpu": "100m", "memory": "1Gi"})
    (await api.create(pods, pod("a", containers=[main, container("other")]))).ok()
    return f"{pods}/a"


async def test_a_container_is_resized(api: Api, path: str) -> None:
    resized = await api.patch(f"{path}/resize", resources(requests={"cpu": "200m"}), STRATEGIC)

    main = resized.ok()["spec"]["containers"][0]
    assert main["resources"] == {"requests": {"cpu": "200m", "memory": "1Gi"}}
    assert generation_of(resized) == 2
    assert (await api.get(path)).ok() == resized.body


async def test_a_container_may_be_given_limits_and_a_policy(api: Api, path: str) -> None:
    policy = [{"resourceName": "cpu", "restartPolicy": "NotRequired"}]
    patch = resources(limits={"cpu": "1"})
    patch["spec"]["containers"][0]["resizePolicy"] = policy

    reply = await api.patch(f"{path}/resize", patch, STRATEGIC)

    assert reply.refused(422, "Invalid")["message"] == (
        'Pod "a" is invalid: spec: Forbidden: only cpu and memory resources are mutable'
    )
    del patch["spec"]["containers"][0]["resizePolicy"]
    limited = (await api.patch(f"{path}/resize", patch, STRATEGIC)).ok()
    assert limited["spec"]["containers"][0]["resources"]["limits"] == {"cpu": "1"}


async def test_nothing_else_of_the_pod_is_changed(api: Api, path: str) -> None:
    patch = {**resources(requests={"cpu": "200m"}), "metadata": {"labels": {"a": "b"}}}
    patch["spec"]["containers"][0]["image"] = "example.com/other:1"

    after = (await api.patch(f"{path}/resize", patch, STRATEGIC)).ok()

    assert "labels" not in after["metadata"]
    assert after["spec"]["containers"][0]["image"] == "example.com/app:1"


@pytest.mark.parametrize(
    ("patch", "complaint"),
    [
        pytest.param(
            resources(requests={"cpu": None}),
            "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
            id="removed",
        ),
        pytest.param(
            resources(limits={"cpu": "1m"}),
            (
                'spec.containers[0].resources.requests: Invalid value: "100m": '
                "must be less than or equal to cpu limit of 1m"
            ),
            id="too-small",
        ),
        pytest.param(
            resources(limits={"ephemeral-storage": "1Gi"}),
            "spec: Forbidden: only cpu and memory resources are mutable",
            id="storage",
        ),
        pytest.param(
            {"spec": {"containers": [container("third")]}},
            "spec.containers: Forbidden: containers may not be added or removed on resize",
            id="added",
        ),
    ],
)
async def test_a_resize_that_is_none_is_refused(api: Api, path: str, patch: Object, complaint: str) -> None:
    reply = await api.patch(f"{path}/resize", patch, STRATEGIC)

    assert reply.refused(422, "Invalid")["message"] == f'Pod "a" is invalid: {complaint}'


async def test_containers_keep_their_names_and_places(api: Api, path: str) -> None:
    patch = [{"op": "replace", "path": "/spec/containers/1/name", "value": "renamed"}]

    reply = await api.patch(f"{path}/resize", patch, JSON_PATCH)

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.containers[1].name"]


async def test_a_resize_keeps_the_quality_of_service(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    reply = await api.patch(f"{pods}/a/resize", resources(requests={"cpu": "1m"}), STRATEGIC)

    assert reply.refused(422, "Invalid")["message"] == (
        'Pod "a" is invalid: spec: Invalid value: "BestEffort": '
        "Pod QOS Class may not change as a result of resizing"
    )


async def test_a_node_that_does_not_report_resources_cannot_resize(api: Api, path: str) -> None:
    running = {"name": "main", "image": "", "imageID": "", "ready": True, "restartCount": 0}
    status = {"containerStatuses": [{**running, "state": {"running": {}}}]}
    (await api.patch(f"{path}/status", {"status": status})).ok()

    reply = await api.patch(f"{path}/resize", resources(requests={"cpu": "200m"}), STRATEGIC)

    assert reply.refused(422, "Invalid")["message"] == (
        'Pod "a" is invalid: spec: Forbidden: Pod running on node without support for resize'
    )


async def test_resources_have_no_other_door(api: Api, path: str) -> None:
    reply = await api.patch(path, resources(requests={"cpu": "200m"}), STRATEGIC)

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec"]


async def bound(api: Api, pods: str, namespace: str, **labels: str) -> None:
    """A pod `b` on a node that has two processors."""
    allocatable = {"cpu": "2", "memory": "1Gi"}
    meta = {"name": namespace, "labels": {key.replace("_", "/"): value for key, value in labels.items()}}
    (await api.create("/api/v1/nodes", {"metadata": meta, "status": {"allocatable": allocatable}})).ok()
    main = container("main", requests={"cpu": "1"})
    (await api.create(pods, pod("b", containers=[main], nodeName=namespace))).ok()


async def test_a_pod_cannot_be_made_larger_than_its_node(api: Api, pods: str, namespace: str) -> None:
    await bound(api, pods, namespace)
    large = resources(requests={"cpu": "3", "memory": "2Gi"})

    reply = await until(
        lambda: api.patch(f"{pods}/b/resize", large, STRATEGIC),
        lambda reply: "not found" not in reply.body.get("message", ""),
    )

    assert reply.refused(403, "Forbidden")["message"] == (
        'pods "b" is forbidden: node didn\'t have enough allocatable resources: '
        "cpu, requested: 3000, allocatable: 2000; memory, requested: 2147483648, allocatable: 1073741824"
    )
    assert reply.body["details"]["causes"] == [{"reason": "NodeCapacity"}]
    (await api.patch(f"{pods}/b/resize", resources(requests={"cpu": "2"}), STRATEGIC)).ok()
    (await api.delete(f"/api/v1/nodes/{namespace}")).ok()


async def test_a_pod_is_resized_on_linux_only(api: Api, pods: str, namespace: str) -> None:
    await bound(api, pods, namespace, **{"kubernetes.io_os": "plan9"})
    more = resources(requests={"cpu": "2"})

    reply = await until(
        lambda: api.patch(f"{pods}/b/resize", more, STRATEGIC),
        lambda reply: "not found" not in reply.body.get("message", ""),
    )

    assert reply.refused(403, "Forbidden")["message"].endswith(
        f'pod resize is only supported on linux nodes, node "{namespace}" is "plan9"'
    )
    assert reply.body["details"]["causes"] == [{"reason": "UnsupportedPlatform"}]
    (await api.delete(f"/api/v1/nodes/{namespace}")).ok()


async def test_a_pod_on_an_unknown_node_cannot_be_resized(api: Api, pods: str) -> None:
    main = container("main", requests={"cpu": "1"})
    (await api.create(pods, pod("b", containers=[main], nodeName="unknown"))).ok()

    same = await api.patch(f"{pods}/b/resize", resources(requests={"cpu": "1"}), STRATEGIC)
    reply = await api.patch(f"{pods}/b/resize", resources(requests={"cpu": "2"}), STRATEGIC)

    assert same.status == 200
    assert reply.refused(403, "Forbidden")["message"] == 'pods "b" is forbidden: node "unknown" not found'
