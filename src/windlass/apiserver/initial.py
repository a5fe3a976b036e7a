"""The objects that every cluster has from the start, but for the roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.allocation import NETWORK, OWN_ADDRESS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.world import World

Object = dict[str, Any]

_SERVER: Final = "kube-apiserver"
_NAMESPACES: Final = ("default", "kube-node-lease", "kube-public", "kube-system")
_PORT: Final = 6443
_PRIORITIES: Final = (
    (
        "system-node-critical",
        2_000_001_000,
        "Used for system critical pods that must not be moved from their current node.",
    ),
    (
        "system-cluster-critical",
        2_000_000_000,
        (
            "Used for system critical pods that must run in the cluster, "
            "but can be moved to another node if necessary."
        ),
    ),
)


def initial_objects(world: World) -> Iterator[tuple[str, str, str, Object]]:
    """Each object with its group, version and plural."""
    yield "networking.k8s.io", "v1", "servicecidrs", _service_range(world)
    for name in _NAMESPACES:
        yield "", "v1", "namespaces", _namespace(world, name)
    for name, value, description in _PRIORITIES:
        yield "scheduling.k8s.io", "v1", "priorityclasses", _priority(world, name, value, description)
    yield "", "v1", "services", _own_service(world)


def _namespace(world: World, name: str) -> Object:
    fields: Object = {"f:metadata": {"f:labels": {".": {}, "f:kubernetes.io/metadata.name": {}}}}
    meta = _metadata(world, name, "v1", fields)
    meta["labels"] = {"kubernetes.io/metadata.name": name}
    return {"metadata": meta, "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}}


def _priority(world: World, name: str, value: int, description: str) -> Object:
    fields: Object = {"f:description": {}, "f:preemptionPolicy": {}, "f:value": {}}
    meta = _metadata(world, name, "scheduling.k8s.io/v1", fields)
    meta["generation"] = 1
    return {
        "metadata": meta,
        "value": value,
        "description": description,
        "preemptionPolicy": "PreemptLowerPriority",
    }


def _service_range(world: World) -> Object:
    ready = {
        "type": "Ready",
        "status": "True",
        "lastTransitionTime": world.now(),
        "reason": "",
        "message": "Kubernetes default Service CIDR is ready",
    }
    meta = _metadata(world, "kubernetes", "networking.k8s.io/v1", {"f:spec": {"f:cidrs": {}}})
    return {"metadata": meta, "spec": {"cidrs": [NETWORK]}, "status": {"conditions": [ready]}}


def _own_service(world: World) -> Object:
    port = {"name": "https", "protocol": "TCP", "port": 443, "targetPort": _PORT}
    key = 'k:{"port":443,"protocol":"TCP"}'
    owned: Object = {
        "clusterIP": {},
        "internalTrafficPolicy": {},
        "ipFamilyPolicy": {},
        "ports": {".": {}, key: {".": {}} | {f"f:{name}": {} for name in sorted(port)}},
        "sessionAffinity": {},
        "type": {},
    }
    fields = {
        "f:metadata": {"f:labels": {".": {}, "f:component": {}, "f:provider": {}}},
        "f:spec": {f"f:{name}": below for name, below in owned.items()},
    }
    meta = _metadata(world, "kubernetes", "v1", fields)
    meta |= {"namespace": "default", "labels": {"component": "apiserver", "provider": "kubernetes"}}
    spec = {
        "ports": [port],
        "clusterIP": OWN_ADDRESS,
        "clusterIPs": [OWN_ADDRESS],
        "type": "ClusterIP",
        "sessionAffinity": "None",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "internalTrafficPolicy": "Cluster",
    }
    return {"metadata": meta, "spec": spec, "status": {"loadBalancer": {}}}


def _metadata(world: World, name: str, version: str, fields: Object) -> Object:
    now = world.now()
    managed = {
        "manager": _SERVER,
        "operation": "Update",
        "apiVersion": version,
        "time": now,
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
    }
    return {"name": name, "uid": world.uid(), "creationTimestamp": now, "managedFields": [managed]}
