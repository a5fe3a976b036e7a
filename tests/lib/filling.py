"""Manifests whose defaults depend on what they say, and how an answer is made comparable with `fill`."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from windlass.apiserver.builtin import kinds
from windlass.apiserver.decode import builtin_types, complete, read
from windlass.apiserver.defaulting import fill, rewrite
from windlass.apiserver.kind import traits_of

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

RESOURCES = {f"{each.kind.api_version}/{each.kind.name}": each for each in kinds()}
SERVER_META = ("creationTimestamp", "finalizers", "generation", "managedFields", "uid")
SET_ELSEWHERE = {
    "apps/v1/DaemonSet": ["metadata.annotations"],
    "batch/v1/Job": ["metadata.labels", "spec.selector", "spec.template.metadata.labels"],
    "discovery.k8s.io/v1/EndpointSlice": ["endpoints.deprecatedTopology"],
    "v1/Namespace": ["spec.finalizers"],
    "v1/Node": ["spec.taints"],
    "v1/PersistentVolume": ["status.lastPhaseTransitionTime"],
    "v1/Pod": [
        "spec.preemptionPolicy",
        "spec.priority",
        "spec.tolerations",
        "status.conditions",
        "status.phase",
        "status.qosClass",
    ],
    "v1/Service": [
        "spec.clusterIP",
        "spec.clusterIPs",
        "spec.healthCheckNodePort",
        "spec.ipFamilies",
        "spec.ipFamilyPolicy",
        "spec.ports.nodePort",
    ],
}
"""By kind, what comes from admission, allocation, the time or the object's identity, or is dropped with these, and
not by `fill`."""

CONTAINER: Object = {"name": "a", "image": "app:1"}
DIGEST = "sha256:" + "0" * 64
IMAGES = (
    "app", "app:latest", "App:latest", "team/app:latest", "localhost/app", "localhost:5000/app", "EXAMPLE/app",
    "example.com/App", f"app@{DIGEST}", f"app:latest@{DIGEST}", f"app:latest@{DIGEST[:-1]}", "app:latest@sha256:"
    + "A" * 64, "app:latest@md5:" + "0" * 32, "app:latest@sha512:" + "0" * 128, "0" * 64, "0" * 63,
    "index.docker.io/app", "docker.io/app:latest", "a..b", "a.b", "a__b", "a___b", "a-b--c", "-a", "a/", "a//b",
    "[::1]:5000/app", "[::1]/app:latest", "a:b/c", "a:b:c", "app:", "app:" + "x" * 129, "x" * 256, "é:latest",
    "app:LATEST", "app@latest", "a b", "example.com:80:80/a", "a_b.com/x", "ex-.com/x", "app:latest@",
)  # fmt: skip
AMOUNTS = ("1u", "1n", "1001u", "1e-6", "0.0001", "0.0001Ki", "1.5Gi", "1500000u", "1e3")


def pod(**spec: Any) -> Object:
    return _object("v1", "Pod", spec={"containers": [CONTAINER], **spec})


def deployment(**spec: Any) -> Object:
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [CONTAINER], **spec}}
    return _object(
        "apps/v1", "Deployment", spec={"selector": {"matchLabels": {"app": "a"}}, "template": template}
    )


def service(**spec: Any) -> Object:
    return _object("v1", "Service", spec={"ports": [{"port": 80}], **spec})


def job(**spec: Any) -> Object:
    template = {"spec": {"restartPolicy": "Never", "containers": [CONTAINER]}}
    return _object("batch/v1", "Job", spec={"template": template, **spec})


def claim(**spec: Any) -> Object:
    wanted = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return _object("v1", "PersistentVolumeClaim", spec={**wanted, **spec})


def _object(api_version: str, kind: str, **fields: Any) -> Object:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, **fields}


def wanting(name: str = "a", **resources: Any) -> Object:
    return {**CONTAINER, "name": name, "resources": resources}


def dependent() -> Iterator[Object]:
    """Manifests in which one thing follows from another."""
    yield from (pod(containers=[{**CONTAINER, "image": image}]) for image in IMAGES)
    yield from (pod(containers=[wanting(limits={"memory": amount})]) for amount in AMOUNTS)
    yield from (deployment(containers=[wanting(limits={"memory": amount})]) for amount in AMOUNTS)
    yield from _pods()
    yield from _services()
    yield from _jobs()
    yield from _others()


def _pods() -> Iterator[Object]:
    ports = [{**CONTAINER, "ports": [{"containerPort": 80}, {"containerPort": 81, "hostPort": 81}]}]
    huge = wanting(limits={"hugepages-2Mi": "4Mi", "cpu": "1"})
    init = [
        wanting("i", requests={"cpu": "1500m"}),
        {**wanting("s", requests={"cpu": "250m"}), "restartPolicy": "Always"},
        wanting("j", requests={"cpu": "600m"}),
    ]
    for each in (pod, deployment):
        yield each(hostNetwork=True, containers=ports)
        yield each(terminationGracePeriodSeconds=0)
        yield each(serviceAccount="a")
        yield each(serviceAccount="a", serviceAccountName="b")
        yield each(volumes=[{"name": "a"}, {"name": "b", "image": {"reference": "app:1"}}])
        yield each(resources={"limits": {"cpu": "2"}}, containers=[wanting(requests={"cpu": "1"})])
    yield pod(terminationGracePeriodSeconds=-5)
    yield pod(containers=[wanting(limits={"cpu": "2", "memory": "1Gi"}, requests={"cpu": "1"})])
    yield pod(containers=[{**CONTAINER, "lifecycle": {}}])
    yield pod(
        resources={"limits": {"cpu": "2"}}, containers=[wanting(requests={"cpu": "1"})], initContainers=init
    )
    yield pod(resources={"requests": {"cpu": "2"}}, containers=[huge])
    yield pod(resources={"limits": {"hugepages-2Mi": "4Mi", "memory": "1Gi"}}, containers=[huge])
    yield pod(
        resources={"limits": {"memory": "1G"}},
        containers=[wanting(requests={"memory": "100Mi"}), wanting("b", requests={"memory": "100M"})],
    )
    old = {"annotations": {"pod.beta.kubernetes.io/init-containers": "x"}}
    yield pod() | {"metadata": {"name": "a", **old}}


def _services() -> Iterator[Object]:
    config: Object = {"clientIP": {"timeoutSeconds": 5}}
    yield service(sessionAffinity="ClientIP", sessionAffinityConfig={"clientIP": {}})
    yield service(sessionAffinity="ClientIP", sessionAffinityConfig=config)
    yield service(sessionAffinityConfig=config)
    yield service(externalIPs=["192.0.2.1"])
    yield service(type="ExternalName", externalName="example.com", internalTrafficPolicy="Local")
    yield service(clusterIP="None")
    yield service(type="LoadBalancer", allocateLoadBalancerNodePorts=False)
    yield service(ports=[{"port": 80, "targetPort": "http"}])


def _jobs() -> Iterator[Object]:
    yield job(parallelism=2)
    yield job(parallelism=2, completions=3)
    yield job(backoffLimit=0, suspend=True)
    yield job(completionMode="Indexed", completions=2, backoffLimitPerIndex=1)
    yield job(podFailurePolicy={"rules": [{"action": "Ignore", "onPodConditions": [{"type": "x"}]}]})


def _others() -> Iterator[Object]:
    group = {"apiGroup": "snapshot.storage.k8s.io"}
    yield claim(dataSource={"kind": "PersistentVolumeClaim", "name": "x"})
    yield claim(dataSource={"kind": "VolumeSnapshot", "name": "x", **group})
    yield claim(dataSource={"kind": "Other", "name": "x", **group})
    yield claim(dataSourceRef={"kind": "Other", "name": "x", **group})
    yield _object("v1", "Secret", stringData={"a": "é", "b": ""}, data={"a": "eA==", "c": "eA=="})
    yield _object("v1", "ServiceAccount", secrets=[{"name": "x", "kind": "y"}, {"kind": "z"}])
    yield _object("v1", "Node", spec={"podCIDR": "10.0.1.0/24", "podCIDRs": ["10.0.0.0/24"]})
    yield _object("v1", "Node", spec={"podCIDRs": ["10.0.0.0/24"]}, status={"capacity": {"cpu": "1u"}})
    limits = {
        "type": "Container",
        "max": {"cpu": "2"},
        "min": {"cpu": "1u", "memory": "1"},
        "default": {"cpu": "1"},
    }
    yield _object("v1", "LimitRange", spec={"limits": [limits, {"type": "Pod", "max": {"cpu": "2"}}]})
    yield _object("node.k8s.io/v1", "RuntimeClass", handler="x", overhead={"podFixed": {"cpu": "1u"}})
    sets = deployment()["spec"]
    yield _object("apps/v1", "StatefulSet", spec={**sets, "updateStrategy": {"type": "RollingUpdate"}})
    yield _object("v1", "ReplicationController", spec={"template": sets["template"]})


def differences(sent: Object, got: Object) -> list[str]:
    """Where we and the server differ about a manifest, but for what is not the business of `fill`."""
    kind = f"{sent['apiVersion']}/{sent['kind']}"
    ours, _ = read(deepcopy(sent), RESOURCES[kind].kind, builtin_types())
    theirs = deepcopy(got)
    fill(kind, ours)
    rewrite(kind, ours)
    complete(ours, RESOURCES[kind].kind, builtin_types())
    traits_of(RESOURCES[kind]).hide(ours)
    for obj in (ours, theirs):
        for name in (*SERVER_META, "namespace"):
            obj["metadata"].pop(name, None)
        for path in SET_ELSEWHERE.get(kind, ()):
            _remove(obj, path.split("."))
    return [f"{kind}{place}" for place in _compare(ours, theirs)]


def _remove(held: Any, path: list[str]) -> None:
    for each in held if isinstance(held, list) else [held]:
        if isinstance(each, dict) and len(path) == 1:
            each.pop(path[0], None)
        elif isinstance(each, dict):
            _remove(each.get(path[0]), path[1:])


def _compare(ours: Any, theirs: Any, place: str = "") -> Iterator[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted(ours.keys() | theirs.keys()):
            yield from _compare(ours.get(name, "(absent)"), theirs.get(name, "(absent)"), f"{place}.{name}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for one, other in zip(ours, theirs, strict=True):
            yield from _compare(one, other, f"{place}[]")
    elif ours != theirs:
        yield f"{place}: {ours!r} here, {theirs!r} there"
