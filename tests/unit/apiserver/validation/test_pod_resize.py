"""Resizes that need a pod as no client makes it, or that the contract suite does not go through."""

from typing import Any

import pytest

from windlass.apiserver.validation.pod import validate_resize

Object = dict[str, Any]


def container(name: str, **fields: Any) -> Object:
    known = {"terminationMessagePolicy": "File", "imagePullPolicy": "Always", "resources": {}}
    return {"name": name, "image": "a", **known, **fields}


def pod(**fields: Any) -> Object:
    metadata = {"name": "a", "namespace": "b", "uid": "u", "resourceVersion": "1"}
    spec = {"restartPolicy": "Always", "dnsPolicy": "ClusterFirst", "containers": [container("main")]}
    return {
        "metadata": metadata | fields.pop("metadata", {}),
        "status": fields.pop("status", {}),
        "spec": spec | {"securityContext": {}, "terminationGracePeriodSeconds": 30} | fields,
    }


def requests(cpu: str) -> Object:
    return {"requests": {"cpu": cpu}}


def complaints(new: Object, old: Object) -> list[str]:
    return [str(fault) for fault in validate_resize(new, old)]


def test_a_resize_of_what_the_pod_and_its_containers_ask_for_is_valid() -> None:
    before = pod(
        containers=[container("main", resources=requests("1"))],
        initContainers=[container("init", resources=requests("1"))],
        resources=requests("2"),
    )
    after = pod(
        containers=[container("main", resources=requests("2"))],
        initContainers=[container("init", resources=requests("2"))],
        resources=requests("4"),
    )

    assert complaints(after, before) == []


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        pytest.param(
            {"metadata": {"annotations": {"kubernetes.io/config.mirror": "a"}}, "nodeName": "n"},
            "[]: Forbidden: static pods cannot be resized",
            id="static",
        ),
        pytest.param(
            {"os": {"name": "windows"}}, "[]: Forbidden: windows pods cannot be resized", id="windows"
        ),
    ],
)
def test_some_pods_cannot_be_resized_at_all(fields: Object, complaint: str) -> None:
    assert complaints(pod(**fields), pod(**fields)) == [complaint]


def test_a_pod_with_claims_of_its_node_cannot_be_resized() -> None:
    before = pod(status={"nodeAllocatableResourceClaimStatuses": [{}]})

    assert complaints(before, before) == [
        "spec: Forbidden: pods with node allocatable resource claims cannot be resized"
    ]


@pytest.mark.parametrize(
    ("resources", "complaint"),
    [
        pytest.param(None, "spec.resources: Forbidden: pod-level resources cannot be removed", id="removed"),
        pytest.param(
            {"requests": {"memory": "1"}},
            "spec.resources.requests: Forbidden: pod-level resource requests cannot be removed",
            id="one-removed",
        ),
        pytest.param(
            {"requests": {"cpu": "1", "hugepages-2Mi": "2Mi"}},
            "spec: Forbidden: only cpu and memory resources are mutable at pod-level",
            id="others",
        ),
    ],
)
def test_resources_of_the_pod_are_changed_but_not_removed(resources: Object | None, complaint: str) -> None:
    before = pod(resources=requests("1"), containers=[container("main", resources=requests("1"))])
    after = {**before, "spec": {**before["spec"], "resources": resources}}
    if resources is None:
        del after["spec"]["resources"]

    assert complaint in complaints(after, before)


def test_an_init_container_that_would_have_to_restart_cannot_be_resized() -> None:
    policy = [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]
    main = container("main", resources=requests("1"))
    before = pod(containers=[main], initContainers=[container("init", resizePolicy=policy)])
    resized = container("init", resizePolicy=policy, resources=requests("1"))

    assert complaints(pod(containers=[main], initContainers=[resized]), before)[-1] == (
        "spec.initContainers[0]: Forbidden: "
        "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"
    )
