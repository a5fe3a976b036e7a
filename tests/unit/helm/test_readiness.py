"""Live objects are ready when their controllers are done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from windlass.helm.readiness import Readiness, readiness, summary

if TYPE_CHECKING:
    from windlass.api import Json

READY: Json = {"type": "Ready", "status": "True"}
NOT_READY: Json = {"type": "Ready", "status": "False", "message": "no disk"}
AVAILABLE: Json = {"type": "Available", "status": "True"}
PROGRESS: Json = {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"}
SLOW: Json = {
    "type": "Progressing",
    "status": "False",
    "reason": "ProgressDeadlineExceeded",
    "message": "slow",
}
ALL: Json = {"replicas": 3, "updatedReplicas": 3, "availableReplicas": 3, "readyReplicas": 3}
ROLLED: Json = {**ALL, "conditions": [AVAILABLE, PROGRESS]}
SCHEDULED: Json = dict.fromkeys(
    (
        "desiredNumberScheduled",
        "currentNumberScheduled",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberReady",
    ),
    2,
)
CRASHING: Json = {"name": "web", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}
STS: Json = {**ALL, "currentReplicas": 3, "currentRevision": "a", "updateRevision": "a"}
REJECTED: Json = {"type": "NamesAccepted", "status": "False", "message": "taken"}
ROLLING: Json = {"updateStrategy": {"rollingUpdate": {"partition": 1}}, "replicas": 3}


def condition(type_: str, status: str = "True", **more: str) -> Json:
    return {"conditions": [{"type": type_, "status": status, **more}]}


def live(kind: str, spec: Json, status: Json, **metadata: Any) -> Json:
    api_version, _, name = kind.rpartition("/")
    return {
        "apiVersion": api_version,
        "kind": name,
        "metadata": {"name": "shop"} | metadata,
        "spec": spec,
        "status": status,
    }


WAITING = [
    ("apps/v1/Deployment", {"replicas": 3}, {}, "0 of 3 replicas are updated"),
    ("apps/v1/Deployment", {}, {}, "0 of 1 replicas are updated"),
    ("apps/v1/Deployment", {"replicas": 3}, {**ALL, "availableReplicas": 1}, "1 of 3 replicas are available"),
    ("apps/v1/Deployment", {"replicas": 3}, {**ALL, "readyReplicas": 2}, "2 of 3 replicas are ready"),
    ("apps/v1/Deployment", {"replicas": 3}, {**ALL, "replicas": 4}, "1 old replica is still there"),
    ("apps/v1/Deployment", {"replicas": 3}, {**ALL, "replicas": 5}, "2 old replicas are still there"),
    ("apps/v1/Deployment", {"replicas": 3}, {**ALL, "conditions": [AVAILABLE, SLOW]}, "slow"),
    ("apps/v1/Deployment", {"replicas": 3}, {**ALL, "conditions": []}, "it is not available"),
    (
        "apps/v1/Deployment",
        {"replicas": 3, "progressDeadlineSeconds": 600},
        {**ALL, "conditions": [AVAILABLE]},
        "its pods are being replaced",
    ),
    ("apps/v1/StatefulSet", {"replicas": 3}, {**STS, "readyReplicas": 1}, "1 of 3 replicas are ready"),
    ("apps/v1/StatefulSet", {"replicas": 2}, STS, "1 old replica is still there"),
    ("apps/v1/StatefulSet", {"replicas": 3}, {**STS, "updateRevision": "b"}, "its pods are being replaced"),
    ("apps/v1/StatefulSet", {"replicas": 3}, {**STS, "currentReplicas": 2}, "2 of 3 replicas are updated"),
    ("apps/v1/StatefulSet", ROLLING, {**STS, "updatedReplicas": 1}, "1 of 2 replicas are updated"),
    ("apps/v1/ReplicaSet", {"replicas": 3}, {**ALL, "availableReplicas": 1}, "1 of 3 replicas are available"),
    ("apps/v1/ReplicaSet", {"replicas": 3}, ALL, "0 of 3 replicas are labelled"),
    ("apps/v1/ReplicaSet", {}, condition("ReplicaFailure", message="quota"), "quota"),
    ("apps/v1/DaemonSet", {}, {}, "it is not observed yet"),
    (
        "apps/v1/DaemonSet",
        {},
        {**SCHEDULED, "observedGeneration": 1, "numberAvailable": 1},
        "1 of 2 pods are available",
    ),
    ("batch/v1/Job", {}, {}, "it has not started"),
    ("batch/v1/Job", {}, condition("Failed", message="too often"), "it failed: too often"),
    ("v1/Pod", {}, {}, "it is pending"),
    ("v1/Pod", {}, {"phase": "Pending", **condition("PodScheduled", "False", message="no node")}, "no node"),
    ("v1/Pod", {}, {"phase": "Running", "conditions": [NOT_READY]}, "it is running, but not ready"),
    (
        "v1/Pod",
        {},
        {"phase": "Running", "containerStatuses": [CRASHING]},
        "container web crashes again and again",
    ),
    ("v1/Pod", {}, {"phase": "Failed", "reason": "Evicted"}, "it failed: Evicted"),
    ("v1/PersistentVolumeClaim", {}, {"phase": "Lost"}, "it is not bound, but lost"),
    ("v1/Service", {"type": "LoadBalancer"}, {}, "it has no address"),
    ("policy/v1/PodDisruptionBudget", {}, {}, "it is not observed yet"),
    ("apiextensions.k8s.io/v1/CustomResourceDefinition", {}, {}, "it is not established"),
    ("apiextensions.k8s.io/v1/CustomResourceDefinition", {}, {"conditions": [REJECTED]}, "taken"),
    ("x.io/v1/Shop", {}, {"conditions": [NOT_READY]}, "no disk"),
    ("x.io/v1/Shop", {}, condition("Ready", "Unknown", reason="Starting"), "Starting"),
    ("x.io/v1/Shop", {}, condition("Reconciling", message="busy"), "busy"),
    ("x.io/v1/Shop", {}, condition("Stalled", message="stuck"), "stuck"),
]
DONE = [
    ("apps/v1/Deployment", {"replicas": 3}, ROLLED),
    ("apps/v1/Deployment", {"replicas": 3, "progressDeadlineSeconds": 600}, ROLLED),
    ("apps/v1/Deployment", {"replicas": 0}, {"conditions": [AVAILABLE, PROGRESS]}),
    ("apps/v1/StatefulSet", {"replicas": 3}, STS),
    ("apps/v1/StatefulSet", {"replicas": 3, "updateStrategy": {"type": "OnDelete"}}, {}),
    ("apps/v1/StatefulSet", ROLLING, {**STS, "updatedReplicas": 2, "updateRevision": "b"}),
    ("apps/v1/ReplicaSet", {"replicas": 3}, {**ALL, "fullyLabeledReplicas": 3}),
    ("apps/v1/DaemonSet", {}, {**SCHEDULED, "observedGeneration": 1}),
    ("batch/v1/Job", {}, {"startTime": "2026-01-01T00:00:00Z"}),
    ("batch/v1/Job", {}, condition("Complete")),
    ("v1/Pod", {}, {"phase": "Running", "conditions": [READY]}),
    ("v1/Pod", {}, {"phase": "Succeeded", "conditions": [NOT_READY]}),
    ("v1/PersistentVolumeClaim", {}, {"phase": "Bound"}),
    ("v1/Service", {}, {}),
    ("v1/Service", {"type": "LoadBalancer", "clusterIP": "10.0.0.1"}, {}),
    ("policy/v1/PodDisruptionBudget", {}, {"observedGeneration": 1}),
    ("apiextensions.k8s.io/v1/CustomResourceDefinition", {}, condition("Established")),
    ("x.io/v1/Shop", {}, {"conditions": [READY]}),
    ("x.io/v1/Shop", {}, {"conditions": "unusual"}),
    ("x.io/v1/Deployment", {"replicas": 3}, {}),
    ("v1/ConfigMap", {}, {}),
]


@pytest.mark.parametrize(("kind", "spec", "status", "message"), WAITING)
def test_what_an_object_waits_for_is_told(kind: str, spec: Json, status: Json, message: str) -> None:
    assert readiness(live(kind, spec, status)) == Readiness(ready=False, message=message)


@pytest.mark.parametrize(("kind", "spec", "status"), DONE)
def test_an_object_that_is_done_is_ready(kind: str, spec: Json, status: Json) -> None:
    assert readiness(live(kind, spec, status)) == Readiness(ready=True)


@pytest.mark.parametrize("kind", ["apps/v1/Deployment", "x.io/v1/Shop"])
def test_a_change_that_no_controller_has_seen_is_not_ready(kind: str) -> None:
    status = {**ROLLED, "observedGeneration": 1}

    assert not readiness(live(kind, {"replicas": 3}, status, generation=2)).ready
    assert readiness(live(kind, {"replicas": 3}, status, generation=1)).ready


def test_an_object_that_is_being_deleted_is_not_ready() -> None:
    assert not readiness(live("v1/ConfigMap", {}, {}, deletionTimestamp="2026-01-01T00:00:00Z")).ready


def test_a_summary_names_what_a_release_waits_for() -> None:
    shop = live("apps/v1/Deployment", {"replicas": 3}, {**ALL, "availableReplicas": 1})
    claim = live("v1/PersistentVolumeClaim", {}, {})

    assert summary([shop, live("v1/ConfigMap", {}, {}), claim]) == (
        "Deployment shop: 1 of 3 replicas are available; "
        "PersistentVolumeClaim shop: it is not bound, but pending"
    )
    assert summary([live("v1/ConfigMap", {}, {})]) == ""


def test_a_summary_of_many_names_the_first() -> None:
    claims = [live("v1/PersistentVolumeClaim", {}, {}, name=f"c{number}") for number in range(9)]

    told = summary(claims)

    assert told.count("PersistentVolumeClaim") == 5
    assert told.endswith("PersistentVolumeClaim c4: it is not bound, but pending; 4 more are not ready")
