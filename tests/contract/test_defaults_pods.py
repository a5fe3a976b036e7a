"""defaults: of Pods, their containers, probes and volumes, each exactly."""

import pytest

from contract import Api, Object
from contract_writes import IMAGE, container, resource

IN_A_CONTAINER = {
    "imagePullPolicy": "IfNotPresent",
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
PROBE = {"failureThreshold": 3, "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1}


def pod(**spec: object) -> Object:
    return resource("v1", "Pod", spec={"containers": [container()], **spec})


async def spec_of(api: Api, pods: str, body: Object) -> Object:
    found = (await api.create(pods, body)).ok()["spec"]
    assert isinstance(found, dict)
    return found


async def test_the_defaults_of_a_pod(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod())).ok()

    lenient = {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    assert created["spec"] == {
        "containers": [container() | IN_A_CONTAINER],
        "dnsPolicy": "ClusterFirst",
        "enableServiceLinks": True,
        "preemptionPolicy": "PreemptLowerPriority",
        "priority": 0,
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "terminationGracePeriodSeconds": 30,
        "tolerations": [
            {"key": "node.kubernetes.io/not-ready", **lenient},
            {"key": "node.kubernetes.io/unreachable", **lenient},
        ],
    }
    assert created["status"] == {"phase": "Pending", "qosClass": "BestEffort"}
    assert created["metadata"]["generation"] == 1


async def test_a_toleration_that_is_given_is_not_added_again(api: Api, pods: str) -> None:
    mine = {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}

    spec = await spec_of(api, pods, pod(tolerations=[mine]))

    assert [each["key"] for each in spec["tolerations"]] == [
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
    ]
    assert spec["tolerations"][0] == mine


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("example.com/app", "Always"),
        ("example.com/app:latest", "Always"),
        ("example.com:5000/app", "Always"),
        ("example.com/app:1", "IfNotPresent"),
        ("example.com/app@sha256:" + "0" * 64, "IfNotPresent"),
        ("example.com/app:latest@sha256:" + "0" * 64, "Always"),
    ],
)
async def test_an_image_without_a_fixed_tag_is_always_pulled(
    api: Api, pods: str, image: str, policy: str
) -> None:
    spec = await spec_of(api, pods, pod(containers=[{"name": "main", "image": image}]))

    assert spec["containers"][0]["imagePullPolicy"] == policy


@pytest.mark.parametrize(
    ("resources", "wanted", "quality"),
    [
        ({}, {}, "BestEffort"),
        ({"requests": {"cpu": "1000m"}}, {"requests": {"cpu": "1"}}, "Burstable"),
        (
            {"limits": {"cpu": "0.5", "memory": "1024Mi"}},
            {"limits": {"cpu": "500m", "memory": "1Gi"}, "requests": {"cpu": "500m", "memory": "1Gi"}},
            "Guaranteed",
        ),
        (
            {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}},
            {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1", "memory": "1Gi"}},
            "Burstable",
        ),
    ],
    ids=["nothing", "requests", "limits", "both"],
)
async def test_requests_default_to_limits_and_decide_the_quality_of_service(
    api: Api, pods: str, resources: Object, wanted: Object, quality: str
) -> None:
    created = (await api.create(pods, pod(containers=[container(resources=resources)]))).ok()

    assert created["spec"]["containers"][0]["resources"] == wanted
    assert created["status"]["qosClass"] == quality


async def test_the_defaults_of_probes(api: Api, pods: str) -> None:
    probes: Object = {
        "livenessProbe": {"httpGet": {"port": 80}},
        "readinessProbe": {"tcpSocket": {"port": 80}},
        "startupProbe": {"grpc": {"port": 80}, "periodSeconds": 1},
    }

    spec = await spec_of(api, pods, pod(containers=[container(**probes)]))

    assert spec["containers"][0] == {
        "name": "main",
        "image": IMAGE,
        **IN_A_CONTAINER,
        "livenessProbe": {**PROBE, "httpGet": {"path": "/", "port": 80, "scheme": "HTTP"}},
        "readinessProbe": {**PROBE, "tcpSocket": {"port": 80}},
        "startupProbe": {**PROBE, "grpc": {"port": 80, "service": ""}, "periodSeconds": 1},
    }


async def test_the_defaults_of_ports_and_variables(api: Api, pods: str) -> None:
    variable = {"name": "NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
    body = pod(containers=[container(ports=[{"containerPort": 80}], env=[variable])])

    spec = await spec_of(api, pods, body)

    assert spec["containers"][0]["ports"] == [{"containerPort": 80, "protocol": "TCP"}]
    assert spec["containers"][0]["env"] == [
        {"name": "NAME", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}}
    ]


async def test_on_the_host_network_ports_are_host_ports(api: Api, pods: str) -> None:
    spec = await spec_of(
        api, pods, pod(containers=[container(ports=[{"containerPort": 80}])], hostNetwork=True)
    )

    assert spec["containers"][0]["ports"] == [{"containerPort": 80, "hostPort": 80, "protocol": "TCP"}]


async def test_the_defaults_of_volumes(api: Api, pods: str) -> None:
    item = {"path": "name", "fieldRef": {"fieldPath": "metadata.name"}}
    volumes = [
        {"name": "none"},
        {"name": "secret", "secret": {"secretName": "x"}},
        {"name": "config", "configMap": {"name": "x"}},
        {"name": "projected", "projected": {"sources": [{"configMap": {"name": "x"}}]}},
        {"name": "host", "hostPath": {"path": "/x"}},
        {"name": "downward", "downwardAPI": {"items": [item]}},
    ]

    spec = await spec_of(api, pods, pod(volumes=volumes))

    item = {"path": "name", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}
    mode = {"defaultMode": 0o644}
    assert spec["volumes"] == [
        {"name": "none", "emptyDir": {}},
        {"name": "secret", "secret": {"secretName": "x", **mode}},
        {"name": "config", "configMap": {"name": "x", **mode}},
        {"name": "projected", "projected": {"sources": [{"configMap": {"name": "x"}}], **mode}},
        {"name": "host", "hostPath": {"path": "/x", "type": ""}},
        {"name": "downward", "downwardAPI": {"items": [item], **mode}},
    ]


async def test_init_containers_are_defaulted_as_containers_are(api: Api, pods: str) -> None:
    spec = await spec_of(api, pods, pod(initContainers=[container("init")]))

    assert spec["initContainers"] == [container("init") | IN_A_CONTAINER]


async def test_the_old_name_of_the_service_account_is_written_too(api: Api, pods: str) -> None:
    spec = await spec_of(api, pods, pod(serviceAccountName="robot", automountServiceAccountToken=False))

    assert spec["serviceAccountName"] == spec["serviceAccount"] == "robot"


async def test_a_negative_grace_period_becomes_one_second(api: Api, pods: str) -> None:
    spec = await spec_of(api, pods, pod(terminationGracePeriodSeconds=-1))

    assert spec["terminationGracePeriodSeconds"] == 1


async def test_a_priority_class_brings_its_value(api: Api, pods: str) -> None:
    spec = await spec_of(api, pods, pod(priorityClassName="system-node-critical"))

    assert spec["priority"] == 2_000_001_000
