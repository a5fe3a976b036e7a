"""Services, endpoints and ingresses, volumes and their classes, with the statuses that show in a table."""

from __future__ import annotations

from typing import Any

from table_case import SELECTOR, Case, Object, core, of

PORTS = [{"port": 80, "protocol": "TCP", "name": "a"}, {"port": 53, "protocol": "UDP", "name": "b"}]
BALANCED = {
    "loadBalancer": {"ingress": [{"ip": "192.0.2.9"}, {"hostname": "long.example.com"}, {"ip": "192.0.2.1"}]}
}


def service(spec: Object, status: Object | None = None) -> Case:
    return core("services", "Service", body={"spec": spec}, status=status or {})


def ingress(spec: Object, status: Object | None = None) -> Case:
    return of("networking.k8s.io/v1", "ingresses", "Ingress", body={"spec": spec}, status=status or {})


BACKEND = {"service": {"name": "x", "port": {"number": 80}}}
PATHS = {"http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": BACKEND}]}}


def endpoints(*subsets: Object) -> Case:
    return core("endpoints", "Endpoints", body={"subsets": list(subsets)})


def addresses(*last: int) -> list[Object]:
    return [{"ip": f"192.0.2.{each}"} for each in last]


def slice_of(**body: Any) -> Case:
    given = {"addressType": "IPv4", "endpoints": [], **body}
    return of("discovery.k8s.io/v1", "endpointslices", "EndpointSlice", body=given)


DEFAULT_INGRESS = {"annotations": {"ingressclass.kubernetes.io/is-default-class": "true"}}

NETWORK = {
    "service": service({"type": "ClusterIP", "ports": PORTS, "selector": {"b": "2", "a": "1"}}),
    "headless service": service(
        {
            "type": "ClusterIP",
            "clusterIP": "None",
            "clusterIPs": ["None"],
            "externalIPs": ["192.0.2.7", "192.0.2.8"],
            "ports": PORTS,
        }
    ),
    "node port": service({"type": "NodePort", "ports": PORTS[:1]}),
    "pending balancer": service({"type": "LoadBalancer", "ports": PORTS[:1]}),
    "balancer": service({"type": "LoadBalancer", "ports": PORTS[:1]}, BALANCED),
    "balancer with addresses of its own": service(
        {"type": "LoadBalancer", "ports": PORTS[:1], "externalIPs": ["192.0.2.7"]}, BALANCED
    ),
    "external name": service({"type": "ExternalName", "externalName": "example.com"}),
    "no endpoints": core("endpoints", "Endpoints"),
    "endpoints": endpoints({"addresses": addresses(1, 2), "ports": [{"port": 80, "name": "a"}]}),
    "many endpoints": endpoints(
        {"addresses": addresses(1, 2, 3), "ports": [{"port": 80, "name": "a"}, {"port": 81, "name": "b"}]},
        {"addresses": addresses(4)},
    ),
    "endpoints without ports": endpoints({"addresses": [{"ip": "fd00::1"}]}),
    "endpoints of IPv6": endpoints({"addresses": [{"ip": "fd00::1"}], "ports": [{"port": 80}]}),
    "empty slice": slice_of(),
    "slice": slice_of(
        ports=[
            {"port": 80, "name": "a"},
            {"name": "b"},
            {"port": 82, "name": "c"},
            {"port": 83, "name": "d"},
        ],
        endpoints=[{"addresses": ["192.0.2.1", "192.0.2.2"]}, {"addresses": ["192.0.2.3"]}],
    ),
    "ingress": ingress({"defaultBackend": BACKEND}, BALANCED),
    "ingress with hosts": ingress(
        {
            "ingressClassName": "c",
            "tls": [{"hosts": ["a.b"]}],
            "rules": [{"host": "a.b", **PATHS}, PATHS, *({"host": f"{each}.b", **PATHS} for each in "cdef")],
        }
    ),
    "ingress class": of(
        "networking.k8s.io/v1",
        "ingressclasses",
        "IngressClass",
        cluster=True,
        body={
            "spec": {
                "controller": "a.b/c",
                "parameters": {"apiGroup": "a.b", "kind": "K", "name": "n", "scope": "Cluster"},
            }
        },
        metadata=DEFAULT_INGRESS,
    ),
    "ingress class without parameters": of(
        "networking.k8s.io/v1",
        "ingressclasses",
        "IngressClass",
        cluster=True,
        body={"spec": {"controller": "a.b/c"}},
    ),
    "network policy": of(
        "networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", body={"spec": {"podSelector": SELECTOR}}
    ),
    "network policy for all": of(
        "networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", body={"spec": {"podSelector": {}}}
    ),
}

CAPACITY = {"storage": "1Gi"}
MODES = ["ReadWriteMany", "ReadWriteOnce"]
VOLUME = {"capacity": CAPACITY, "accessModes": MODES, "hostPath": {"path": "/x"}}
CLAIM = {"accessModes": MODES, "resources": {"requests": CAPACITY}}


def volume(**spec: Any) -> Case:
    body = {"spec": VOLUME | spec}
    return core(
        "persistentvolumes", "PersistentVolume", cluster=True, body=body, status={"reason": "because"}
    )


def storage(plural: str, kind: str, **more: Any) -> Case:
    return of("storage.k8s.io/v1", plural, kind, cluster=True, **more)


DEFAULT_CLASS = {"annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}

STORAGE = {
    "volume": volume(),
    "claimed volume": volume(
        claimRef={"namespace": "a", "name": "b"}, storageClassName="fast", volumeMode="Block"
    ),
    "claim": core("persistentvolumeclaims", "PersistentVolumeClaim", body={"spec": CLAIM}),
    "bound claim": core(
        "persistentvolumeclaims",
        "PersistentVolumeClaim",
        body={"spec": CLAIM | {"volumeName": "v", "storageClassName": "fast"}},
        status={"phase": "Bound", "capacity": {"storage": "2Gi"}, "accessModes": MODES},
    ),
    "claim with a class in an annotation": core(
        "persistentvolumeclaims",
        "PersistentVolumeClaim",
        body={"spec": CLAIM | {"volumeName": "v"}},
        metadata={"annotations": {"volume.beta.kubernetes.io/storage-class": "old"}},
    ),
    "storage class": storage("storageclasses", "StorageClass", body={"provisioner": "a.b/c"}),
    "default storage class": storage(
        "storageclasses",
        "StorageClass",
        body={
            "provisioner": "a.b/c",
            "reclaimPolicy": "Retain",
            "volumeBindingMode": "WaitForFirstConsumer",
            "allowVolumeExpansion": True,
        },
        metadata=DEFAULT_CLASS,
    ),
    "attributes class": storage(
        "volumeattributesclasses", "VolumeAttributesClass", body={"driverName": "d", "parameters": {"a": "b"}}
    ),
    "attachment": storage(
        "volumeattachments",
        "VolumeAttachment",
        body={"spec": {"attacher": "a", "nodeName": "n", "source": {"persistentVolumeName": "p"}}},
        status={"attached": True},
    ),
    "driver": storage("csidrivers", "CSIDriver", body={"spec": {}}),
    "driver with much": storage(
        "csidrivers",
        "CSIDriver",
        body={
            "spec": {
                "attachRequired": False,
                "podInfoOnMount": True,
                "storageCapacity": True,
                "requiresRepublish": True,
                "tokenRequests": [{"audience": "a"}, {"audience": "b"}],
                "volumeLifecycleModes": ["Persistent", "Ephemeral"],
            }
        },
    ),
    "csi node": storage("csinodes", "CSINode", body={"spec": {"drivers": [{"name": "d", "nodeID": "n"}]}}),
    "capacity": of(
        "storage.k8s.io/v1", "csistoragecapacities", "CSIStorageCapacity", body={"storageClassName": "s"}
    ),
}
