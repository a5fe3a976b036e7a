"""defaults: of services, storage, network, policy and access, each exactly."""

from typing import Any

import pytest

from contract import Api, Object
from contract_writes import matching, resource

RBAC = "rbac.authorization.k8s.io"


def without_metadata(body: Object) -> Object:
    return {key: value for key, value in body.items() if key not in ("apiVersion", "kind", "metadata")}


@pytest.fixture
def core(namespace: str) -> str:
    """The path of the core kinds in this test's namespace."""
    return f"/api/v1/namespaces/{namespace}"


def group(name: str, namespace: str, version: str = "v1") -> str:
    """The path of a group's kinds in a namespace."""
    return f"/apis/{name}/{version}/namespaces/{namespace}"


@pytest.mark.parametrize(
    ("given", "more"),
    [
        ({}, {"type": "ClusterIP"}),
        ({"type": "NodePort"}, {"externalTrafficPolicy": "Cluster"}),
        (
            {"type": "LoadBalancer"},
            {"externalTrafficPolicy": "Cluster", "allocateLoadBalancerNodePorts": True},
        ),
        (
            {"sessionAffinity": "ClientIP"},
            {"type": "ClusterIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 10800}}},
        ),
    ],
    ids=["ClusterIP", "NodePort", "LoadBalancer", "ClientIP"],
)
async def test_the_defaults_of_a_service(api: Api, core: str, given: Object, more: Object) -> None:
    body = resource("v1", "Service", spec={"ports": [{"port": 80}], **given})

    created = (await api.create(f"{core}/services", body)).ok()

    spec = created["spec"]
    address = spec["clusterIP"]
    port = {"port": 80, "protocol": "TCP", "targetPort": 80}
    if spec["type"] != "ClusterIP":
        assert 30000 <= spec["ports"][0]["nodePort"] <= 32767
        port["nodePort"] = spec["ports"][0]["nodePort"]
    assert spec == {
        "clusterIP": address,
        "clusterIPs": [address],
        "internalTrafficPolicy": "Cluster",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "ports": [port],
        "sessionAffinity": "None",
        **given,
        **more,
    }
    assert created["status"] == {"loadBalancer": {}}


async def test_the_defaults_of_an_external_name_service(api: Api, core: str) -> None:
    body = resource("v1", "Service", spec={"type": "ExternalName", "externalName": "example.com"})

    created = (await api.create(f"{core}/services", body)).ok()

    assert created["spec"] == {
        "externalName": "example.com",
        "sessionAffinity": "None",
        "type": "ExternalName",
    }


@pytest.mark.parametrize(
    ("selector", "families", "policy"),
    [
        ({"selector": {"a": "b"}}, ["IPv4"], "SingleStack"),
        ({}, ["IPv4", "IPv6"], "RequireDualStack"),
    ],
    ids=["with a selector", "without a selector"],
)
async def test_the_defaults_of_a_headless_service(
    api: Api, core: str, selector: Object, families: list[str], policy: str
) -> None:
    body = resource("v1", "Service", spec={"clusterIP": "None", **selector})

    created = (await api.create(f"{core}/services", body)).ok()

    assert created["spec"] == {
        "clusterIP": "None",
        "clusterIPs": ["None"],
        "internalTrafficPolicy": "Cluster",
        "ipFamilies": families,
        "ipFamilyPolicy": policy,
        "sessionAffinity": "None",
        "type": "ClusterIP",
        **selector,
    }


async def test_a_named_target_port_is_kept(api: Api, core: str) -> None:
    body = resource("v1", "Service", spec={"ports": [{"port": 80, "targetPort": "http"}]})

    created = (await api.create(f"{core}/services", body)).ok()

    assert created["spec"]["ports"] == [{"port": 80, "protocol": "TCP", "targetPort": "http"}]


async def test_the_defaults_of_a_persistent_volume_claim(api: Api, core: str) -> None:
    spec: dict[str, Any] = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1024Mi"}},
    }
    body = resource("v1", "PersistentVolumeClaim", spec=spec)

    created = (await api.create(f"{core}/persistentvolumeclaims", body)).ok()

    assert without_metadata(created) == {
        "spec": {**spec, "resources": {"requests": {"storage": "1Gi"}}, "volumeMode": "Filesystem"},
        "status": {"phase": "Pending"},
    }
    assert created["metadata"]["finalizers"] == ["kubernetes.io/pvc-protection"]


@pytest.mark.parametrize(
    ("kind", "given", "wanted"),
    [
        pytest.param("Secret", {}, {"type": "Opaque"}, id="Secret"),
        pytest.param("ConfigMap", {}, {}, id="ConfigMap"),
        pytest.param("ServiceAccount", {}, {}, id="ServiceAccount"),
        pytest.param(
            "ResourceQuota",
            {"spec": {"hard": {"cpu": "1000m"}}},
            {"spec": {"hard": {"cpu": "1"}}, "status": {}},
            id="ResourceQuota",
        ),
    ],
)
async def test_the_defaults_of_other_core_kinds(
    api: Api, core: str, kind: str, given: Object, wanted: Object
) -> None:
    created = (await api.create(f"{core}/{kind.lower()}s", resource("v1", kind, **given))).ok()

    assert without_metadata(created) == wanted


async def test_a_limit_range_takes_its_defaults_from_the_maximum(api: Api, core: str) -> None:
    limits = {"type": "Container", "max": {"memory": "1Gi"}, "default": {"cpu": "1"}}
    body = resource("v1", "LimitRange", spec={"limits": [limits]})

    created = (await api.create(f"{core}/limitranges", body)).ok()

    both = {"cpu": "1", "memory": "1Gi"}
    assert created["spec"]["limits"] == [{**limits, "default": both, "defaultRequest": both}]


async def test_ingress_gets_no_path_type(api: Api, namespace: str) -> None:
    backend = {"service": {"name": "b", "port": {"number": 80}}}
    path = {"path": "/", "pathType": "Prefix", "backend": backend}
    spec = {"rules": [{"http": {"paths": [path]}}]}
    ingresses = f"{group('networking.k8s.io', namespace)}/ingresses"

    created = (await api.create(ingresses, resource("networking.k8s.io/v1", "Ingress", spec=spec))).ok()

    assert without_metadata(created) == {"spec": spec, "status": {"loadBalancer": {}}}
    del path["pathType"]
    reply = await api.create(ingresses, resource("networking.k8s.io/v1", "Ingress", "b", spec=spec))
    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.rules[0].http.paths[0].pathType"]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, {"policyTypes": ["Ingress"]}),
        ({"egress": []}, {"policyTypes": ["Ingress"]}),
        (
            {"egress": [{"ports": [{"port": 80}]}]},
            {"egress": [{"ports": [{"port": 80, "protocol": "TCP"}]}], "policyTypes": ["Ingress", "Egress"]},
        ),
    ],
    ids=["nothing", "empty egress", "egress"],
)
async def test_the_defaults_of_a_network_policy(
    api: Api, namespace: str, given: Object, wanted: Object
) -> None:
    policies = f"{group('networking.k8s.io', namespace)}/networkpolicies"
    body = resource("networking.k8s.io/v1", "NetworkPolicy", spec={"podSelector": {}, **given})

    created = (await api.create(policies, body)).ok()

    assert without_metadata(created) == {"spec": {"podSelector": {}, **wanted}}


async def test_the_defaults_of_a_horizontal_pod_autoscaler(api: Api, namespace: str) -> None:
    scalers = f"{group('autoscaling', namespace, 'v2')}/horizontalpodautoscalers"
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "b"}
    given = {
        "scaleTargetRef": target,
        "maxReplicas": 3,
        "behavior": {"scaleUp": {"stabilizationWindowSeconds": 5}},
    }

    body = resource("autoscaling/v2", "HorizontalPodAutoscaler", spec=given)
    created = (await api.create(scalers, body)).ok()

    cpu = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}
    percent = {"type": "Percent", "value": 100, "periodSeconds": 15}
    pods = {"type": "Pods", "value": 4, "periodSeconds": 15}
    assert created["spec"] == {
        "behavior": {
            "scaleDown": {"policies": [percent], "selectPolicy": "Max"},
            "scaleUp": {"policies": [pods, percent], "selectPolicy": "Max", "stabilizationWindowSeconds": 5},
        },
        "maxReplicas": 3,
        "metrics": [{"type": "Resource", "resource": cpu}],
        "minReplicas": 1,
        "scaleTargetRef": target,
    }
    old = (await api.get(f"{group('autoscaling', namespace)}/horizontalpodautoscalers/a")).ok()
    assert old["spec"] == {
        "maxReplicas": 3,
        "minReplicas": 1,
        "scaleTargetRef": target,
        "targetCPUUtilizationPercentage": 80,
    }


async def test_the_defaults_of_a_pod_disruption_budget(api: Api, namespace: str) -> None:
    spec = {"minAvailable": 1, "selector": matching()}
    body = resource("policy/v1", "PodDisruptionBudget", spec=spec)

    created = (await api.create(f"{group('policy', namespace)}/poddisruptionbudgets", body)).ok()

    assert without_metadata(created) == {
        "spec": spec,
        "status": {"currentHealthy": 0, "desiredHealthy": 0, "disruptionsAllowed": 0, "expectedPods": 0},
    }


async def test_the_defaults_of_a_role_binding(api: Api, namespace: str) -> None:
    subjects = [{"kind": kind, "name": "b"} for kind in ("User", "Group", "ServiceAccount")]
    body = resource(f"{RBAC}/v1", "RoleBinding", roleRef={"kind": "Role", "name": "b"}, subjects=subjects)

    created = (await api.create(f"{group(RBAC, namespace)}/rolebindings", body)).ok()

    assert without_metadata(created) == {
        "roleRef": {"apiGroup": RBAC, "kind": "Role", "name": "b"},
        "subjects": [
            {"kind": "User", "name": "b", "apiGroup": RBAC},
            {"kind": "Group", "name": "b", "apiGroup": RBAC},
            {"kind": "ServiceAccount", "name": "b"},
        ],
    }


async def test_a_role_without_rules_has_null_rules(api: Api, namespace: str) -> None:
    created = (await api.create(f"{group(RBAC, namespace)}/roles", resource(f"{RBAC}/v1", "Role"))).ok()

    assert without_metadata(created) == {"rules": None}


async def test_the_defaults_of_an_endpoint_slice(api: Api, namespace: str) -> None:
    slices = f"{group('discovery.k8s.io', namespace)}/endpointslices"
    fields: Object = {"addressType": "IPv4", "endpoints": [{"addresses": ["192.0.2.1"]}], "ports": [{}]}

    created = (await api.create(slices, resource("discovery.k8s.io/v1", "EndpointSlice", **fields))).ok()

    assert without_metadata(created) == {
        "addressType": "IPv4",
        "endpoints": [{"addresses": ["192.0.2.1"], "conditions": {}}],
        "ports": [{"name": "", "protocol": "TCP"}],
    }


async def test_the_defaults_of_a_lease(api: Api, namespace: str) -> None:
    leases = f"{group('coordination.k8s.io', namespace)}/leases"

    created = (await api.create(leases, resource("coordination.k8s.io/v1", "Lease"))).ok()

    assert without_metadata(created) == {"spec": {}}
