"""validation: of updates, and which fields can no longer be changed."""

from typing import Any

import pytest

from contract import JSON_PATCH, Api, Object, Reply
from contract_writes import collection, container, in_template, matching, pod_template, resource

Refused = tuple[Object, Object, str, str]

RUN_ONCE = {"spec": {"containers": [container()], "restartPolicy": "Never"}}
POD_FIELDS = "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"


def workload(kind: str, **spec: object) -> Object:
    spec = {"selector": matching(), "template": pod_template(), **spec}
    return resource("apps/v1", kind, spec=spec)


DEPLOYMENT = workload("Deployment")
STATEFUL_SET = workload("StatefulSet", serviceName="one")
JOB = resource("batch/v1", "Job", spec={"template": RUN_ONCE})
SERVICE = resource("v1", "Service", spec={"ports": [{"port": 80}]})
CLAIM = resource(
    "v1",
    "PersistentVolumeClaim",
    spec={"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
)
SECRET = resource("v1", "Secret", data={"key": "MQ=="}, immutable=True)
BINDING = resource("rbac.authorization.k8s.io/v1", "RoleBinding", roleRef={"kind": "Role", "name": "one"})

REFUSED: dict[str, Refused] = {
    "the selector of a deployment": (
        DEPLOYMENT,
        {
            "spec": {
                "selector": {"matchLabels": {"tier": "x"}},
                "template": {"metadata": {"labels": {"tier": "x"}}},
            }
        },
        "spec.selector",
        "field is immutable",
    ),
    "the service of a stateful set": (
        STATEFUL_SET,
        {"spec": {"serviceName": "two"}},
        "spec",
        "updates to statefulset spec for fields other than",
    ),
    "the template of a job": (
        JOB,
        in_template(containers=[container(image="example.com/other")]),
        "spec.template",
        "field is immutable",
    ),
    "the completions of a job": (JOB, {"spec": {"completions": 4}}, "spec.completions", "field is immutable"),
    "the address of a service": (
        SERVICE,
        {"spec": {"clusterIP": "10.96.255.254", "clusterIPs": ["10.96.255.254"]}},
        "spec.clusterIPs[0]",
        "may not change once set",
    ),
    "the access modes of a claim": (
        CLAIM,
        {"spec": {"accessModes": ["ReadOnlyMany"]}},
        "spec",
        "spec is immutable after creation",
    ),
    "the size of an unbound claim": (
        CLAIM,
        {"spec": {"resources": {"requests": {"storage": "2Gi"}}}},
        "spec",
        "spec is immutable after creation",
    ),
    "the type of a secret": (SECRET, {"type": "other"}, "type", "field is immutable"),
    "the data of an immutable secret": (
        SECRET,
        {"data": {"key": "Mg=="}},
        "data",
        "field is immutable when `immutable` is set",
    ),
    "the immutability of a secret": (
        SECRET,
        {"immutable": None},
        "immutable",
        "field is immutable when `immutable` is set",
    ),
    "the role of a binding": (BINDING, {"roleRef": {"name": "two"}}, "roleRef", "cannot change roleRef"),
}

ALLOWED: dict[str, tuple[Object, Object]] = {
    "the template of a deployment": (DEPLOYMENT, in_template(containers=[container(image="x:2")])),
    "the history of a stateful set": (STATEFUL_SET, {"spec": {"revisionHistoryLimit": 3}}),
    "the template of a stateful set": (STATEFUL_SET, in_template(containers=[container(image="x:2")])),
    "the parallelism of a job": (JOB, {"spec": {"parallelism": 4}}),
    "the suspension of a job": (JOB, {"spec": {"suspend": True}}),
    "the type of a service": (SERVICE, {"spec": {"type": "NodePort"}}),
    "the labels of an immutable secret": (SECRET, {"metadata": {"labels": {"app": "x"}}}),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
async def test_it_is_invalid_to_change(api: Api, namespace: str, change: Refused) -> None:
    body, patch, field, message = change
    path = collection(namespace, body)
    before = (await api.create(path, body)).ok()

    reply = await api.patch(f"{path}/a", patch)

    assert message in reply.refused(422, "Invalid")["message"]
    assert set(reply.fields) == {field}
    assert (await api.get(f"{path}/a")).ok() == before


@pytest.mark.parametrize(("body", "patch"), ALLOWED.values(), ids=ALLOWED.keys())
async def test_it_is_fine_to_change(api: Api, namespace: str, body: Object, patch: Object) -> None:
    path = collection(namespace, body)
    before = (await api.create(path, body)).ok()

    after = (await api.patch(f"{path}/a", patch)).ok()

    assert after["metadata"]["resourceVersion"] != before["metadata"]["resourceVersion"]


@pytest.fixture
async def pod_path(api: Api, pods: str) -> str:
    """The path of a Pod."""
    (await api.create(pods, resource("v1", "Pod", spec={"containers": [container()]}))).ok()
    return f"{pods}/a"


async def changed(api: Api, path: str, op: str, pointer: str, value: Any) -> Reply:
    return await api.patch(path, [{"op": op, "path": pointer, "value": value}], JSON_PATCH)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/spec/restartPolicy", "Never"),
        ("/spec/nodeName", "some-node"),
        ("/spec/containers/0/env", [{"name": "a", "value": "b"}]),
        ("/spec/containers/0/resources", {"requests": {"cpu": "1"}}),
        ("/spec/hostNetwork", True),
    ],
)
async def test_most_of_a_pods_spec_cannot_be_changed(
    api: Api, pod_path: str, pointer: str, value: object
) -> None:
    reply = await changed(api, pod_path, "add", pointer, value)

    refused = reply.refused(422, "Invalid")
    assert reply.fields == ["spec"]
    assert refused["details"]["causes"][0]["message"].startswith(POD_FIELDS)


async def test_a_pod_gains_no_container(api: Api, pod_path: str) -> None:
    reply = await changed(api, pod_path, "add", "/spec/containers/-", container("second"))

    refused = reply.refused(422, "Invalid")
    assert refused["message"] == (
        'Pod "a" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers'
    )


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/spec/containers/0/image", "example.com/app:2"),
        ("/spec/activeDeadlineSeconds", 50),
        ("/spec/tolerations/-", {"key": "a", "operator": "Exists"}),
    ],
)
async def test_some_of_a_pods_spec_can_be_changed_and_moves_its_generation(
    api: Api, pod_path: str, pointer: str, value: object
) -> None:
    after = (await changed(api, pod_path, "add", pointer, value)).ok()

    assert after["metadata"]["generation"] == 2


async def test_the_deadline_of_a_pod_only_comes_nearer(api: Api, pod_path: str) -> None:
    (await api.patch(pod_path, {"spec": {"activeDeadlineSeconds": 50}})).ok()

    reply = await api.patch(pod_path, {"spec": {"activeDeadlineSeconds": 51}})

    assert reply.refused(422, "Invalid")["message"] == (
        'Pod "a" is invalid: spec.activeDeadlineSeconds: '
        "Invalid value: 51: must be less than or equal to previous value"
    )


CONTROLLER = resource("v1", "ReplicationController", spec={"replicas": 0, "template": pod_template()})
ROLE = resource("rbac.authorization.k8s.io/v1", "Role", rules=[])


@pytest.mark.parametrize(
    ("body", "prefix", "why"),
    [
        (CONTROLLER, "a/", "may not contain '/'"),
        (CONTROLLER, "..", None),
        (ROLE, "a%", "may not contain '%'"),
        (ROLE, "..", "may not be '..'"),
        (DEPLOYMENT, "..", None),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else str(value),
)
async def test_what_begins_a_name_is_a_part_of_a_path(
    api: Api, namespace: str, body: Object, prefix: str, why: str | None
) -> None:
    path, name = collection(namespace, body), body["metadata"]["name"]
    (await api.create(path, body)).ok()

    changed = await api.patch(f"{path}/{name}", {"metadata": {"generateName": prefix}})

    expected = [] if why is None else [f'Invalid value: "{prefix}": {why}']
    causes = changed.body.get("details", {}).get("causes", [])
    assert list(dict.fromkeys(cause["message"] for cause in causes)) == expected
