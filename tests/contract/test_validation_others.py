"""validation: of services, network, storage, access and data, with the field and message of each fault."""

from typing import Any

import pytest

from contract import Api, Object
from contract_writes import assert_invalid, collection, resource

SUBDOMAIN = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'…"
KEY = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'…"
PATH = "spec.rules[0].http.paths[0]"
RBAC = "rbac.authorization.k8s.io/v1"
BACKEND = {"service": {"name": "b", "port": {"number": 80}}}


def service(name: str = "a", **spec: object) -> Object:
    return resource("v1", "Service", name, spec={"ports": [{"port": 80}], **spec})


def ingress(host: str = "", **path: object) -> Object:
    path = {"path": "/", "pathType": "Prefix", "backend": BACKEND, **path}
    rule = {"host": host, "http": {"paths": [path]}}
    return resource("networking.k8s.io/v1", "Ingress", spec={"rules": [rule]})


def network_policy(**spec: object) -> Object:
    return resource("networking.k8s.io/v1", "NetworkPolicy", spec={"podSelector": {}, **spec})


def role(**rule: object) -> Object:
    return resource(
        RBAC, "Role", rules=[{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"], **rule}]
    )


def role_binding(role_kind: str = "Role", subject_kind: str = "User") -> Object:
    subjects = [{"kind": subject_kind, "name": "b"}]
    return resource(RBAC, "RoleBinding", roleRef={"kind": role_kind, "name": "b"}, subjects=subjects)


def claim(modes: list[str], **requests: str) -> Object:
    spec = {"accessModes": modes, "resources": {"requests": requests}}
    return resource("v1", "PersistentVolumeClaim", spec=spec)


def autoscaler(**spec: object) -> Object:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "b"}
    spec = {"scaleTargetRef": target, **spec}
    return resource("autoscaling/v2", "HorizontalPodAutoscaler", spec=spec)


def config_map(**fields: Any) -> Object:
    return resource("v1", "ConfigMap", **fields)


def secret(secret_type: str, **data: str) -> Object:
    return resource("v1", "Secret", type=secret_type, data=data)


FAULTS: dict[str, tuple[Object, str, str]] = {
    "a service without ports": (service(ports=[]), "spec.ports", "Required value"),
    "a service of an unknown type": (
        service(type="Unknown"),
        "spec.type",
        (
            'Unsupported value: "Unknown": '
            'supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"'
        ),
    ),
    "a malformed cluster address": (
        service(clusterIP="10.96.1"),
        "spec.clusterIPs[0]",
        'Invalid value: "10.96.1": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ),
    "a cluster address out of range": (
        service(clusterIP="192.0.2.1"),
        "spec.clusterIPs",
        (
            'Invalid value: ["192.0.2.1"]: failed to allocate IP 192.0.2.1: '
            "the provided network does not match the current range"
        ),
    ),
    "service ports of one name": (
        service(ports=[{"port": 80, "name": "a"}, {"port": 81, "name": "a"}]),
        "spec.ports[1].name",
        'Duplicate value: "a"',
    ),
    "the same service port twice": (
        service(ports=[{"port": 80, "name": "a"}, {"port": 80, "name": "b"}]),
        "spec.ports[1]",
        "Duplicate value: …",
    ),
    "a node port out of range": (
        service(type="NodePort", ports=[{"port": 80, "nodePort": 80}]),
        "spec.ports[0].nodePort",
        (
            "Invalid value: 80: provided port is not in the valid range. "
            "The range of valid ports is 30000-32767"
        ),
    ),
    "a node port without nodes": (
        service(ports=[{"port": 80, "nodePort": 30080}]),
        "spec.ports[0].nodePort",
        "Forbidden: may not be used when `type` is 'ClusterIP'",
    ),
    "an external name left out": (
        service(type="ExternalName", ports=[]),
        "spec.externalName",
        "Required value",
    ),
    "an unknown session affinity": (
        service(sessionAffinity="Unknown"),
        "spec.sessionAffinity",
        'Unsupported value: "Unknown": supported values: "ClientIP", "None"',
    ),
    "a service's name with a dot": (
        service("a.b"),
        "metadata.name",
        'Invalid value: "a.b": must not contain dots',
    ),
    "an ingress without rules": (
        resource("networking.k8s.io/v1", "Ingress", spec={}),
        "spec",
        "Invalid value: null: either `defaultBackend` or `rules` must be specified",
    ),
    "an ingress path without a type": (
        ingress(pathType=None),
        f"{PATH}.pathType",
        "Required value: pathType must be specified",
    ),
    "an ingress path of an unknown type": (
        ingress(pathType="Unknown"),
        f"{PATH}.pathType",
        'Unsupported value: "Unknown": supported values: "Exact", "ImplementationSpecific", "Prefix"',
    ),
    "a relative ingress path": (
        ingress(path="x"),
        f"{PATH}.path",
        'Invalid value: "x": must be an absolute path',
    ),
    "an ingress host in capitals": (
        ingress("Host"),
        "spec.rules[0].host",
        f'Invalid value: "Host": {SUBDOMAIN}',
    ),
    "an address as ingress host": (
        ingress("192.0.2.1"),
        "spec.rules[0].host",
        'Invalid value: "192.0.2.1": must be a DNS name, not an IP address',
    ),
    "two wildcards in an ingress host": (
        ingress("*.*.com"),
        "spec.rules[0].host",
        "Invalid value: \"*.*.com\": a wildcard DNS-1123 subdomain must start with '*.'…",
    ),
    "an ingress path without a backend": (
        ingress(backend={}),
        f"{PATH}.backend",
        'Invalid value: "": resource or service backend is required',
    ),
    "a network policy's malformed block": (
        network_policy(ingress=[{"from": [{"ipBlock": {"cidr": "192.0.2.1"}}]}]),
        "spec.ingress[0].from[0].ipBlock.cidr",
        'Invalid value: "192.0.2.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ),
    "a network policy of an unknown type": (
        network_policy(policyTypes=["Unknown"]),
        "spec.policyTypes[0]",
        'Unsupported value: "Unknown": supported values: "Ingress", "Egress"',
    ),
    "a rule without verbs": (
        role(verbs=[]),
        "rules[0].verbs",
        "Required value: verbs must contain at least one value",
    ),
    "a rule without resources": (
        role(resources=[]),
        "rules[0].resources",
        "Required value: resource rules must supply at least one resource",
    ),
    "a rule without groups": (
        role(apiGroups=[]),
        "rules[0].apiGroups",
        "Required value: resource rules must supply at least one api group",
    ),
    "a binding to an unknown kind of role": (
        role_binding("Part"),
        "roleRef.kind",
        'Unsupported value: "Part": supported values: "Role", "ClusterRole"',
    ),
    "a binding of an unknown kind of subject": (
        role_binding(subject_kind="Robot"),
        "subjects[0].kind",
        'Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ),
    "a claim without access modes": (
        claim([], storage="1Gi"),
        "spec.accessModes",
        "Required value: at least 1 access mode is required",
    ),
    "a claim of an unknown access mode": (
        claim(["Unknown"], storage="1Gi"),
        "spec.accessModes",
        (
            'Unsupported value: "Unknown": supported values: '
            '"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"'
        ),
    ),
    "a claim of nothing": (claim(["ReadWriteOnce"]), "spec.resources[storage]", "Required value"),
    "a claim of zero bytes": (
        claim(["ReadWriteOnce"], storage="0"),
        "spec.resources[storage]",
        'Invalid value: "0": must be greater than zero',
    ),
    "an autoscaler whose minimum is above its maximum": (
        autoscaler(minReplicas=5, maxReplicas=3),
        "spec.maxReplicas",
        "Invalid value: 3: must be greater than or equal to `minReplicas`",
    ),
    "a budget of two bounds": (
        resource("policy/v1", "PodDisruptionBudget", spec={"minAvailable": 1, "maxUnavailable": 1}),
        "spec",
        "Invalid value: …",
    ),
    "a key with a space": (
        config_map(data={"a b": ""}),
        "data[a b]",
        f'Invalid value: "a b": {KEY}',
    ),
    "a key in both maps": (
        config_map(data={"a": ""}, binaryData={"a": ""}),
        "data[a]",
        'Invalid value: "a": duplicate of key present in binaryData',
    ),
    "a config map too large": (
        config_map(data={"a": "x" * 2**20, "b": "x"}),
        "[]",
        "Too long: may not be more than 1048576 bytes",
    ),
    "a registry password that is no JSON": (
        secret("kubernetes.io/dockerconfigjson", **{".dockerconfigjson": "eA=="}),
        "data[.dockerconfigjson]",
        'Invalid value: "<secret contents redacted>": …',
    ),
    "a quota of half a pod": (
        resource("v1", "ResourceQuota", spec={"hard": {"pods": "1.5"}}),
        "spec.hard[pods]",
        'Invalid value: "1500m": must be an integer',
    ),
}


@pytest.mark.parametrize(("body", "field", "message"), FAULTS.values(), ids=FAULTS.keys())
async def test_an_object_is_refused_for(
    api: Api, namespace: str, body: Object, field: str, message: str
) -> None:
    reply = await api.create(collection(namespace, body), body)

    assert_invalid(reply, body, (field, message))


async def test_several_service_ports_need_names(api: Api, namespace: str) -> None:
    body = service(ports=[{"port": 80}, {"port": 81}])

    reply = await api.create(collection(namespace, body), body)

    assert_invalid(
        reply, body, ("spec.ports[0].name", "Required value"), ("spec.ports[1].name", "Required value")
    )


async def test_a_service_name_may_begin_with_a_digit(api: Api, namespace: str) -> None:
    body = service("1a")

    assert (await api.create(collection(namespace, body), body)).status == 201


@pytest.mark.parametrize(
    ("secret_type", "keys"),
    [
        ("kubernetes.io/tls", ("tls.crt", "tls.key")),
        ("kubernetes.io/basic-auth", ("password", "username")),
        ("kubernetes.io/ssh-auth", ("ssh-privatekey",)),
        ("kubernetes.io/dockerconfigjson", (".dockerconfigjson",)),
    ],
)
async def test_a_secret_of_a_known_type_needs_its_keys(
    api: Api, namespace: str, secret_type: str, keys: tuple[str, ...]
) -> None:
    body = secret(secret_type)

    reply = await api.create(collection(namespace, body), body)

    assert_invalid(reply, body, *((f"data[{key}]", "Required value") for key in keys))


async def test_data_that_is_not_base64_is_a_bad_request(api: Api, namespace: str) -> None:
    body = secret("Opaque", key="%%")

    refused = (await api.create(collection(namespace, body), body)).refused(400, "BadRequest")

    assert refused["message"] == (
        'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0'
    )
