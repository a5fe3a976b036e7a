"""Workloads that a server refuses: of the group apps, and those that came before it."""

from __future__ import annotations

from typing import Any, Final

from broken import ABSENT, Edits, Sample

LABELS: Final = {"app": "a"}
TEMPLATE: Final = "/spec/template/spec"


def template(**spec: Any) -> dict[str, Any]:
    """The template of pods that `selector` selects."""
    containers = [{"name": "main", "image": "example.com/app:1"}]
    return {"metadata": {"labels": dict(LABELS)}, "spec": {"containers": containers, **spec}}


def workload(kind: str, **spec: Any) -> dict[str, Any]:
    """A valid workload of the group apps."""
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "a"},
        "spec": {"selector": {"matchLabels": dict(LABELS)}, "template": template(), **spec},
    }


SELECTOR: Final[Edits] = {
    "no selector": {"/spec/selector": ABSENT},
    "an empty selector": {"/spec/selector": {}},
    "a selector of others": {"/spec/selector/matchLabels": {"app": "b"}},
    "a selector of a bad key": {"/spec/selector/matchLabels": {"a b": "c"}},
    "a selector without values": {"/spec/selector": {"matchExpressions": [{"key": "app", "operator": "In"}]}},
    "a selector of an unknown operator": {
        "/spec/selector": {"matchExpressions": [{"key": "app", "operator": "Unknown", "values": ["a"]}]}
    },
    "a selector of existence with values": {
        "/spec/selector": {"matchExpressions": [{"key": "app", "operator": "Exists", "values": ["a"]}]}
    },
    "a selector of a value that cannot be": {
        "/spec/selector": {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["-"]}]}
    },
}

PODS: Final[Edits] = {
    "a name in capitals": {"/metadata/name": "A"},
    "no template": {"/spec/template": ABSENT},
    "no containers": {f"{TEMPLATE}/containers": []},
    "a container's name in capitals": {f"{TEMPLATE}/containers/0/name": "A"},
    "a container without an image": {f"{TEMPLATE}/containers/0/image": ""},
    "pods that end": {f"{TEMPLATE}/restartPolicy": "Never"},
    "pods of an unknown restart policy": {f"{TEMPLATE}/restartPolicy": "Unknown"},
    "pods with a deadline": {f"{TEMPLATE}/activeDeadlineSeconds": 1},
    "pods with ephemeral containers": {f"{TEMPLATE}/ephemeralContainers": [{"name": "debug", "image": "x"}]},
    "a template's label with a blank": {"/spec/template/metadata/labels/b": "c d"},
    "a template's annotation with a blank": {"/spec/template/metadata/annotations": {"a b": "x"}},
    "a mount of an absent volume": {
        f"{TEMPLATE}/containers/0/volumeMounts": [{"name": "none", "mountPath": "/x"}]
    },
    "a negative request": {f"{TEMPLATE}/containers/0/resources": {"requests": {"cpu": "-1"}}},
}

DEPLOYMENT: Final = Sample(
    valid=workload("Deployment"),
    refused={
        **SELECTOR,
        **PODS,
        "negative replicas": {"/spec/replicas": -1},
        "negative seconds": {"/spec/minReadySeconds": -1, "/spec/progressDeadlineSeconds": -1},
        "a negative history": {"/spec/revisionHistoryLimit": -1},
        "a deadline before pods can be ready": {
            "/spec/minReadySeconds": 5,
            "/spec/progressDeadlineSeconds": 5,
        },
        "an unknown strategy": {"/spec/strategy": {"type": "Unknown"}},
        "an unknown strategy that rolls": {
            "/spec/strategy": {"type": "Unknown", "rollingUpdate": {"maxSurge": 1}}
        },
        "recreation that rolls": {"/spec/strategy": {"type": "Recreate", "rollingUpdate": {}}},
        "a surge without a sign": {"/spec/strategy": {"rollingUpdate": {"maxSurge": "10"}}},
        "a negative surge": {"/spec/strategy": {"rollingUpdate": {"maxSurge": -1}}},
        "more than all unavailable": {"/spec/strategy": {"rollingUpdate": {"maxUnavailable": "101%"}}},
        "an update that cannot move": {
            "/spec/strategy": {"rollingUpdate": {"maxSurge": "0%", "maxUnavailable": 0}}
        },
    },
    frozen={
        "another selector": {
            "/spec/selector/matchLabels": {"b": "c"},
            "/spec/template/metadata/labels": {"b": "c"},
        },
        "negative replicas": {"/spec/replicas": -1},
        "no containers": {f"{TEMPLATE}/containers": []},
    },
    accepted={
        "a surge of more than all": {"/spec/strategy": {"rollingUpdate": {"maxSurge": "200%"}}},
        "no replicas": {"/spec/replicas": 0},
        "a selector by existence": {
            "/spec/selector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]}
        },
    },
    changed={
        "another image": {f"{TEMPLATE}/containers/0/image": "x"},
        "another strategy": {"/spec/strategy": {"type": "Recreate"}},
    },
    status={
        "negative counts": {
            "/status/replicas": -1,
            "/status/unavailableReplicas": -1,
            "/status/observedGeneration": -1,
            "/status/collisionCount": -1,
        },
        "more parts than a whole": {
            "/status/replicas": 1,
            "/status/readyReplicas": 2,
            "/status/updatedReplicas": 2,
            "/status/availableReplicas": 3,
        },
    },
)

REPLICA_SET: Final = Sample(
    valid=workload("ReplicaSet"),
    refused={
        **SELECTOR,
        **PODS,
        "negative replicas": {"/spec/replicas": -1},
        "negative seconds": {"/spec/minReadySeconds": -1},
    },
    frozen={
        "another selector": {
            "/spec/selector/matchLabels": {"b": "c"},
            "/spec/template/metadata/labels": {"b": "c"},
        },
        "negative replicas": {"/spec/replicas": -1},
    },
    changed={"another template": {f"{TEMPLATE}/containers/0/image": "x"}},
    status={
        "negative counts": {"/status/replicas": -1, "/status/readyReplicas": -1},
        "more parts than a whole": {
            "/status/replicas": 1,
            "/status/fullyLabeledReplicas": 2,
            "/status/availableReplicas": 2,
        },
    },
)

DAEMON_SET: Final = Sample(
    valid=workload("DaemonSet"),
    refused={
        **SELECTOR,
        **PODS,
        "negative seconds": {"/spec/minReadySeconds": -1},
        "a negative history": {"/spec/revisionHistoryLimit": -1},
        "an unknown strategy": {"/spec/updateStrategy": {"type": "Unknown"}},
        "a surge and a gap": {
            "/spec/updateStrategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}}
        },
        "neither a surge nor a gap": {
            "/spec/updateStrategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}}
        },
        "more than all unavailable": {"/spec/updateStrategy": {"rollingUpdate": {"maxUnavailable": "101%"}}},
        "a gap without a sign": {"/spec/updateStrategy": {"rollingUpdate": {"maxUnavailable": "1"}}},
    },
    frozen={
        "another selector": {
            "/spec/selector/matchLabels": {"b": "c"},
            "/spec/template/metadata/labels": {"b": "c"},
        },
        "pods that end": {f"{TEMPLATE}/restartPolicy": "Never"},
    },
    changed={"another strategy": {"/spec/updateStrategy": {"type": "OnDelete"}}},
    status={
        "negative counts": {"/status/numberReady": -1, "/status/numberAvailable": -1},
    },
)

CLAIM: Final[dict[str, Any]] = {
    "metadata": {"name": "data"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}

STATEFUL_SET: Final = Sample(
    valid=workload("StatefulSet", serviceName="a", volumeClaimTemplates=[CLAIM]),
    refused={
        **SELECTOR,
        **PODS,
        "a name with a dot": {"/metadata/name": "a.b"},
        "negative replicas": {"/spec/replicas": -1},
        "negative seconds": {"/spec/minReadySeconds": -1},
        "a negative start": {"/spec/ordinals": {"start": -1}},
        "an unknown management": {"/spec/podManagementPolicy": "Unknown"},
        "an unknown strategy": {"/spec/updateStrategy": {"type": "Unknown"}},
        "deletion that rolls": {
            "/spec/updateStrategy": {"type": "OnDelete", "rollingUpdate": {"partition": 1}}
        },
        "a negative partition": {"/spec/updateStrategy": {"rollingUpdate": {"partition": -1}}},
        "an unknown retention": {"/spec/persistentVolumeClaimRetentionPolicy": {"whenScaled": "Unknown"}},
        "a service's name with a dot": {"/spec/serviceName": "a.b"},
        "a claim of nothing": {"/spec/volumeClaimTemplates/0/spec": {"accessModes": ["Unknown"]}},
    },
    frozen={
        "another service": {"/spec/serviceName": "b"},
        "another management": {"/spec/podManagementPolicy": "Parallel"},
        "no claims": {"/spec/volumeClaimTemplates": ABSENT},
        "another selector": {
            "/spec/selector/matchLabels": {"b": "c"},
            "/spec/template/metadata/labels": {"b": "c"},
        },
        "negative replicas": {"/spec/replicas": -1},
    },
    accepted={
        "a mount of a claim": {
            f"{TEMPLATE}/containers/0/volumeMounts": [{"name": "data", "mountPath": "/x"}]
        },
        "a host's name of no use": {f"{TEMPLATE}/hostname": "A"},
    },
    changed={
        "another template": {f"{TEMPLATE}/containers/0/image": "x"},
        "more replicas": {"/spec/replicas": 5, "/spec/minReadySeconds": 3},
        "another retention": {"/spec/persistentVolumeClaimRetentionPolicy/whenDeleted": "Delete"},
        "the same size in other words": {
            "/spec/volumeClaimTemplates/0/spec/resources/requests/storage": "1024Mi"
        },
    },
    status={
        "negative counts": {"/status/replicas": -1, "/status/updatedReplicas": -1},
        "more parts than a whole": {
            "/status/replicas": 1,
            "/status/currentReplicas": 2,
            "/status/availableReplicas": 2,
        },
    },
)

REPLICATION_CONTROLLER: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "ReplicationController",
        "metadata": {"name": "a"},
        "spec": {"selector": dict(LABELS), "template": template()},
    },
    refused={
        **PODS,
        "negative replicas": {"/spec/replicas": -1},
        "negative seconds": {"/spec/minReadySeconds": -1},
        "a selector of others": {"/spec/selector": {"app": "b"}},
        "neither selector nor labels": {
            "/spec/selector": ABSENT,
            "/spec/template/metadata/labels": ABSENT,
        },
    },
    frozen={
        "negative replicas": {"/spec/replicas": -1},
        "a selector of others": {"/spec/selector": {"app": "b"}},
    },
    changed={
        "another selector": {"/spec/selector": {"b": "c"}, "/spec/template/metadata/labels": {"b": "c"}}
    },
    status={
        "negative counts": {"/status/replicas": -1, "/status/readyReplicas": -1},
        "more parts than a whole": {"/status/replicas": 1, "/status/availableReplicas": 2},
    },
)

POD_TEMPLATE: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "PodTemplate",
        "metadata": {"name": "a"},
        "template": template(),
    },
    refused={
        "a name in capitals": {"/metadata/name": "A"},
        "no template": {"/template": ABSENT},
        "no containers": {"/template/spec/containers": []},
        "a container's name in capitals": {"/template/spec/containers/0/name": "A"},
        "a container without an image": {"/template/spec/containers/0/image": ""},
        "an unknown restart policy": {"/template/spec/restartPolicy": "Unknown"},
        "an unknown DNS policy": {"/template/spec/dnsPolicy": "Unknown"},
        "a label with a blank": {"/template/metadata/labels/b": "c d"},
        "an annotation with a blank": {"/template/metadata/annotations": {"a b": "x"}},
        "two volumes of one name": {
            "/template/spec/volumes": [{"name": "v", "emptyDir": {}}, {"name": "v", "emptyDir": {}}]
        },
        "ephemeral containers": {"/template/spec/ephemeralContainers": [{"name": "d", "image": "x"}]},
    },
    frozen={"no containers": {"/template/spec/containers": []}},
    accepted={"an image with a blank": {"/template/spec/containers/0/image": " "}},
    changed={"another image": {"/template/spec/containers/0/image": "x"}},
)

CONTROLLER_REVISION: Final = Sample(
    valid={
        "apiVersion": "apps/v1",
        "kind": "ControllerRevision",
        "metadata": {"name": "a"},
        "revision": 1,
        "data": {"spec": {}},
    },
    refused={
        "a name in capitals": {"/metadata/name": "A"},
        "no name": {"/metadata/name": ABSENT},
        "a name too long": {"/metadata/name": "a" * 254},
        "a negative revision": {"/revision": -1},
        "no data": {"/data": ABSENT},
        "data of nothing": {"/data": None},
        "data that is a list": {"/data": [1]},
        "data that is an empty list": {"/data": []},
        "data that is an empty text": {"/data": ""},
        "data that is zero": {"/data": 0},
        "data that is a text": {"/data": "x"},
        "a label with a blank": {"/metadata/labels": {"a": "b c"}},
        "an annotation with a blank": {"/metadata/annotations": {"a b": "x"}},
        "a finalizer without a domain": {"/metadata/finalizers": ["plain"]},
    },
    frozen={"other data": {"/data": {"spec": {"a": 1}}}, "a negative revision": {"/revision": -1}},
    accepted={"empty data": {"/data": {}}},
    changed={"another revision": {"/revision": 2}},
)

SAMPLES: Final = (
    DEPLOYMENT,
    REPLICA_SET,
    DAEMON_SET,
    STATEFUL_SET,
    REPLICATION_CONTROLLER,
    POD_TEMPLATE,
    CONTROLLER_REVISION,
)
