"""defaults: of kinds without a namespace, each exactly; dry runs, so that nothing is left behind."""

import pytest

from contract import Api, Object
from contract_writes import resource

WEBHOOK = {
    "name": "hook.example.com",
    "clientConfig": {"service": {"name": "a", "namespace": "b"}},
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
    "rules": [
        {"apiGroups": ["example.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["x"]}
    ],
}
DEFAULTED_WEBHOOK = {
    "name": "hook.example.com",
    "clientConfig": {"service": {"name": "a", "namespace": "b", "port": 443}},
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
    "rules": [
        {
            "apiGroups": ["example.com"],
            "apiVersions": ["v1"],
            "operations": ["CREATE"],
            "resources": ["x"],
            "scope": "*",
        }
    ],
    "failurePolicy": "Fail",
    "matchPolicy": "Equivalent",
    "namespaceSelector": {},
    "objectSelector": {},
    "timeoutSeconds": 10,
}


async def created(api: Api, path: str, body: Object) -> Object:
    """What would be created, without its metadata."""
    answer = (await api.create(path, body, dryRun="All")).ok()
    return {key: value for key, value in answer.items() if key not in ("apiVersion", "kind", "metadata")}


async def test_the_defaults_of_a_namespace(api: Api, namespace: str) -> None:
    name = f"{namespace}-x"

    answer = (await api.create("/api/v1/namespaces", resource("v1", "Namespace", name), dryRun="All")).ok()

    assert answer["spec"] == {"finalizers": ["kubernetes"]}
    assert answer["status"] == {"phase": "Active"}
    assert answer["metadata"]["labels"] == {"kubernetes.io/metadata.name": name}


async def test_the_defaults_of_a_node(api: Api, namespace: str) -> None:
    found = await created(api, "/api/v1/nodes", resource("v1", "Node", f"{namespace}-x"))

    assert found["spec"] == {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}


async def test_the_defaults_of_a_persistent_volume(api: Api, namespace: str) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/x"}}
    body = resource("v1", "PersistentVolume", f"{namespace}-x", spec=spec)

    found = await created(api, "/api/v1/persistentvolumes", body)

    assert found["spec"] == {
        **spec,
        "hostPath": {"path": "/x", "type": ""},
        "persistentVolumeReclaimPolicy": "Retain",
        "volumeMode": "Filesystem",
    }
    assert found["status"]["phase"] == "Pending"


async def test_the_defaults_of_a_storage_class(api: Api, namespace: str) -> None:
    body = resource("storage.k8s.io/v1", "StorageClass", f"{namespace}-x", provisioner="example.com/x")

    assert await created(api, "/apis/storage.k8s.io/v1/storageclasses", body) == {
        "provisioner": "example.com/x",
        "reclaimPolicy": "Delete",
        "volumeBindingMode": "Immediate",
    }


async def test_the_defaults_of_a_priority_class(api: Api, namespace: str) -> None:
    body = resource("scheduling.k8s.io/v1", "PriorityClass", f"{namespace}-x", value=5)

    assert await created(api, "/apis/scheduling.k8s.io/v1/priorityclasses", body) == {
        "preemptionPolicy": "PreemptLowerPriority",
        "value": 5,
    }


async def test_the_defaults_of_an_ingress_class(api: Api, namespace: str) -> None:
    spec = {"controller": "example.com/x", "parameters": {"kind": "Parameters", "name": "x"}}
    body = resource("networking.k8s.io/v1", "IngressClass", f"{namespace}-x", spec=spec)

    assert await created(api, "/apis/networking.k8s.io/v1/ingressclasses", body) == {
        "spec": {
            "controller": "example.com/x",
            "parameters": {"kind": "Parameters", "name": "x", "scope": "Cluster"},
        }
    }


@pytest.mark.parametrize(
    ("kind", "more"),
    [("Validating", {}), ("Mutating", {"reinvocationPolicy": "Never"})],
    ids=["validating", "mutating"],
)
async def test_the_defaults_of_a_webhook_configuration(
    api: Api, namespace: str, kind: str, more: Object
) -> None:
    path = f"/apis/admissionregistration.k8s.io/v1/{kind.lower()}webhookconfigurations"
    body = resource(
        "admissionregistration.k8s.io/v1",
        f"{kind}WebhookConfiguration",
        f"{namespace}-x",
        webhooks=[WEBHOOK],
    )

    assert await created(api, path, body) == {"webhooks": [DEFAULTED_WEBHOOK | more]}


async def test_the_defaults_of_a_custom_resource_definition(api: Api, namespace: str) -> None:
    group = f"{namespace}.example.com"
    versions = [
        {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    ]
    names = {"plural": "things", "kind": "Thing"}
    spec: Object = {"group": group, "scope": "Namespaced", "names": names, "versions": versions}
    body = resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", f"things.{group}", spec=spec)

    found = await created(api, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body)

    assert found["spec"] == {
        **spec,
        "conversion": {"strategy": "None"},
        "names": {**names, "listKind": "ThingList", "singular": "thing"},
    }
    assert found["status"]["storedVersions"] == ["v1"]
