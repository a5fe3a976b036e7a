"""What a set reports of its pods."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from windlass.api import format_time
from windlass.cluster.controller.pod_state import PodState
from windlass.cluster.controller.replica_set.status import next_look, status_of
from windlass.kinds.apps.v1 import ReplicaSet
from windlass.kinds.core.v1 import Pod

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
LABELS = {"app": "web", "tier": "front"}


def replica_set(min_ready_seconds: int = 0, *conditions: dict[str, Any]) -> ReplicaSet:
    spec = {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": LABELS}},
        "minReadySeconds": min_ready_seconds,
        "replicas": 3,
    }
    metadata = {"name": "web", "generation": 4}
    return ReplicaSet.from_wire({"metadata": metadata, "spec": spec, "status": {"conditions": [*conditions]}})


def pod(phase: str = "Running", ready_for: float | None = None, **metadata: Any) -> PodState:
    at = format_time(NOON - timedelta(seconds=ready_for or 0))
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": at}
    status = {"phase": phase, "conditions": [] if ready_for is None else [ready]}
    made = {"metadata": {"labels": LABELS, **metadata}, "spec": {"containers": []}, "status": status}
    return PodState.of(Pod.from_wire(made))


def test_each_pod_is_counted_for_what_it_is() -> None:
    gone: dict[str, Any] = {"deletionTimestamp": format_time(NOON)}
    pods = [
        pod("Pending"),
        pod(ready_for=5),
        pod(ready_for=60, labels={"app": "web"}),
        pod("Failed"),
        pod("Succeeded", ready_for=60),
        pod(ready_for=60, **gone),
        pod("Failed", **gone),
    ]

    assert status_of(replica_set(30), pods, NOON).to_wire() == {
        "replicas": 3,
        "fullyLabeledReplicas": 2,
        "readyReplicas": 2,
        "availableReplicas": 1,
        "terminatingReplicas": 1,
        "observedGeneration": 4,
    }


def test_of_nothing_only_what_the_server_keeps_is_reported() -> None:
    assert status_of(replica_set(), [], NOON).to_wire() == {
        "replicas": 0,
        "terminatingReplicas": 0,
        "observedGeneration": 4,
    }


def test_a_failure_keeps_its_first_words_for_as_long_as_it_lasts() -> None:
    other = {"type": "Other", "status": "True"}
    first = status_of(replica_set(0, other), [], NOON, ("FailedCreate", "no")).to_wire()["conditions"]
    later = NOON + timedelta(hours=1)
    second = status_of(replica_set(0, *first), [], later, ("FailedDelete", "never")).to_wire()["conditions"]

    assert first[1] == {
        "type": "ReplicaFailure",
        "status": "True",
        "reason": "FailedCreate",
        "message": "no",
        "lastTransitionTime": format_time(NOON),
    }
    assert second == first
    assert status_of(replica_set(0, *first), [], later).to_wire()["conditions"] == [other]


def test_the_next_look_is_when_the_next_pod_has_been_ready_for_long_enough() -> None:
    pods = [pod("Pending"), pod(ready_for=5), pod(ready_for=20), pod(ready_for=30)]

    assert next_look(replica_set(30), pods, NOON) == timedelta(seconds=10)
    assert next_look(replica_set(0), pods, NOON) is None
    assert next_look(replica_set(30), [pod("Pending"), pod(ready_for=31)], NOON) is None
