"""create: what admission and conversion do to some kinds."""

import pytest

from contract import Api, Object, config_map, deployment, pod
from contract_objects import job, secret, with_spec


@pytest.fixture
def secrets(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/secrets"


async def test_string_data_becomes_data_and_wins(api: Api, secrets: str) -> None:
    body = secret("a", data={"kept": "eA==", "both": "b2xk"}, stringData={"both": "new", "plain": "text"})

    created = (await api.create(secrets, body)).ok()

    assert created["data"] == {"kept": "eA==", "both": "bmV3", "plain": "dGV4dA=="}
    assert "stringData" not in created


async def test_a_secret_is_opaque_unless_it_says_otherwise(api: Api, secrets: str) -> None:
    assert (await api.create(secrets, secret("a"))).ok()["type"] == "Opaque"


async def test_a_tls_secret_needs_both_keys(api: Api, secrets: str) -> None:
    reply = await api.create(secrets, secret("a", type="kubernetes.io/tls"))

    assert reply.refused(422, "Invalid")["message"] == (
        'Secret "a" is invalid: [data[tls.crt]: Required value, data[tls.key]: Required value]'
    )
    assert reply.fields == ["data[tls.crt]", "data[tls.key]"]


async def test_a_refusal_does_not_show_the_contents_of_a_secret(api: Api, secrets: str) -> None:
    body = secret("a", type="kubernetes.io/dockerconfigjson", stringData={".dockerconfigjson": "hunter2"})

    reply = await api.create(secrets, body)

    assert "hunter2" not in reply.refused(422, "Invalid")["message"]
    assert reply.fields == ["data[.dockerconfigjson]"]


async def test_a_key_is_either_text_or_binary(api: Api, config_maps: str) -> None:
    body = {**config_map("a", {"key": "x"}), "binaryData": {"key": "eA=="}}

    reply = await api.create(config_maps, body)

    reply.refused(422, "Invalid")
    assert reply.fields == ["data[key]"]


async def test_a_write_of_null_for_bytes_is_always_a_change(api: Api, secrets: str) -> None:
    versions: list[str] = []
    shown: list[Object] = []
    for value in (None, None, "", "", None):
        body = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"key": value}}
        written = await (api.update(f"{secrets}/a", body) if versions else api.create(secrets, body))
        versions.append(written.ok()["metadata"]["resourceVersion"])
        shown += [written.body["data"], (await api.get(f"{secrets}/a")).ok()["data"]]

    assert shown == [{"key": ""}] * 10
    assert [versions.index(each) for each in versions] == [0, 1, 2, 2, 4]


async def test_bytes_may_be_written_as_numbers_with_null_for_zero(api: Api, config_maps: str) -> None:
    written = {"binaryData": {"key": [1, None]}}

    created = (await api.create(config_maps, {**config_map("a"), **written})).ok()
    (await api.create(config_maps, config_map("b"))).ok()
    patched = (await api.patch(f"{config_maps}/b", written)).ok()

    assert [each["binaryData"] for each in (created, patched)] == [{"key": "AQA="}] * 2


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("app", "Always"),
        ("app:latest", "Always"),
        ("app:1", "IfNotPresent"),
        ("host.example.com:5000/app", "Always"),
        ("app@sha256:" + "0" * 64, "IfNotPresent"),
    ],
)
async def test_the_pull_policy_follows_from_the_tag(api: Api, pods: str, image: str, policy: str) -> None:
    created = (await api.create(pods, pod("a", containers=[{"name": "main", "image": image}]))).ok()

    assert created["spec"]["containers"][0]["imagePullPolicy"] == policy


@pytest.mark.parametrize(
    ("resource", "given", "stored"),
    [
        ("cpu", "1000m", "1"),
        ("cpu", "0.5", "500m"),
        ("cpu", 2, "2"),
        ("cpu", "1u", "1m"),
        ("memory", "1024Mi", "1Gi"),
        ("memory", "1.5Gi", "1536Mi"),
        ("memory", "1073741824", "1073741824"),
        ("memory", "1e6", "1e6"),
        ("ephemeral-storage", "1000k", "1M"),
    ],
)
async def test_quantities_are_stored_in_their_canonical_form(
    api: Api, pods: str, resource: str, given: object, stored: str
) -> None:
    container = {"name": "main", "image": "app:1", "resources": {"limits": {resource: given}}}

    created = (await api.create(pods, pod("a", containers=[container]))).ok()

    assert created["spec"]["containers"][0]["resources"]["limits"] == {resource: stored}


async def test_a_malformed_quantity_is_a_bad_request(api: Api, pods: str) -> None:
    container = {"name": "main", "image": "app:1", "resources": {"limits": {"cpu": "1x"}}}

    refused = (await api.create(pods, pod("a", containers=[container]))).refused(400, "BadRequest")

    assert "quantities must match the regular expression" in refused["message"]


async def test_limits_become_requests_in_a_pod_but_not_in_a_template(
    api: Api, pods: str, deployments: str
) -> None:
    containers = [{"name": "main", "image": "app:1", "resources": {"limits": {"cpu": "1"}}}]
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": containers}}

    in_pod = (await api.create(pods, pod("a", containers=containers))).ok()["spec"]
    in_template = (await api.create(deployments, with_spec(deployment("a"), template=template))).ok()["spec"]

    assert in_pod["containers"][0]["resources"] == {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}
    assert in_template["template"]["spec"]["containers"][0]["resources"] == {"limits": {"cpu": "1"}}


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({}, "BestEffort"),
        ({"requests": {"cpu": "1"}}, "Burstable"),
        ({"limits": {"cpu": "1", "memory": "1Gi"}}, "Guaranteed"),
    ],
)
async def test_the_service_class_of_a_pod_follows_from_its_resources(
    api: Api, pods: str, resources: dict[str, object], expected: str
) -> None:
    container = {"name": "main", "image": "app:1", "resources": resources}

    created = (await api.create(pods, pod("a", containers=[container]))).ok()

    assert created["status"]["qosClass"] == expected


async def test_a_pod_tolerates_a_lost_node_for_five_minutes(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a"))).ok()

    assert created["spec"]["tolerations"] == [
        {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
        for key in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
    ]


async def test_a_pod_of_an_unknown_priority_class_is_forbidden(api: Api, pods: str) -> None:
    refused = (await api.create(pods, pod("a", priorityClassName="unknown"))).refused(403, "Forbidden")

    assert refused["message"] == 'pods "a" is forbidden: no PriorityClass with name unknown was found'
    assert refused["details"] == {"name": "a", "kind": "pods"}


async def test_a_priority_class_sets_the_priority_of_a_pod(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a", priorityClassName="system-node-critical"))).ok()

    assert created["spec"]["priority"] == 2000001000


async def test_a_limit_range_sets_the_default_limits_of_a_pod(api: Api, namespace: str, pods: str) -> None:
    limits = [{"type": "Container", "default": {"cpu": "200m"}, "max": {"cpu": "1"}}]
    body = {"metadata": {"name": "a"}, "spec": {"limits": limits}}
    (await api.create(f"/api/v1/namespaces/{namespace}/limitranges", body)).ok()

    created = (await api.create(pods, pod("a"))).ok()
    greedy = {"name": "main", "image": "app:1", "resources": {"limits": {"cpu": "2"}}}
    refused = (await api.create(pods, pod("b", containers=[greedy]))).refused(403, "Forbidden")

    assert created["spec"]["containers"][0]["resources"] == {
        "limits": {"cpu": "200m"},
        "requests": {"cpu": "200m"},
    }
    assert refused["message"] == (
        'pods "b" is forbidden: maximum cpu usage per Container is 1, but limit is 2'
    )


async def test_a_job_selects_its_pods_by_its_uid(api: Api, namespace: str) -> None:
    created = (await api.create(f"/apis/batch/v1/namespaces/{namespace}/jobs", job("a"))).ok()

    uid = created["metadata"]["uid"]
    assert created["spec"]["selector"] == {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}}
    assert created["spec"]["template"]["metadata"]["labels"] == {
        "batch.kubernetes.io/controller-uid": uid,
        "batch.kubernetes.io/job-name": "a",
        "controller-uid": uid,
        "job-name": "a",
    }


async def test_a_pod_with_scheduling_gates_waits_for_them(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a", schedulingGates=[{"name": "example.com/gate"}]))).ok()

    (condition,) = created["status"]["conditions"]
    assert (condition["type"], condition["status"]) == ("PodScheduled", "False")
    assert condition["reason"] == "SchedulingGated"
