"""What a Deployment reports, and when it has to be looked at again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from rollouts import rollout
from windlass.api import format_time
from windlass.cluster.controller.deployment.status import (
    expendable,
    failed_creation,
    is_complete,
    next_look,
    status_of,
)

if TYPE_CHECKING:
    from windlass.api import Json

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
DEADLINE = {"progressDeadlineSeconds": 600}
FOREVER = 2**31 - 1


def condition(reason: str, status: str = "True", *, type_: str = "Progressing", ago: int = 60) -> Json:
    at = format_time(NOON - timedelta(seconds=ago))
    times = {"lastUpdateTime": at, "lastTransitionTime": at}
    return {"type": type_, "status": status, "reason": reason, "message": "…", **times}


def told(*, created: bool = False, **said: Any) -> dict[str, tuple[str, str]]:
    """Status and reason of each condition."""
    status = status_of(rollout(**{"replicas": 2, "spec": DEADLINE, **said}), NOON, created=created)
    return {each.type: (each.status, each.reason or "") for each in status.conditions}


def test_counts_are_those_of_all_sets_and_zeros_are_left_out() -> None:
    said = status_of(rollout(sets=[(3, 2), (2, 1)], replicas=4, terminating=[0, 1]), NOON, created=False)
    empty = status_of(rollout(sets=[(0, 0)], replicas=0), NOON, created=False)

    counts = {name: value for name, value in said.to_wire().items() if name != "conditions"}
    assert counts == {
        "observedGeneration": 2,
        "replicas": 5,
        "updatedReplicas": 2,
        "readyReplicas": 3,
        "availableReplicas": 3,
        "unavailableReplicas": 2,
        "terminatingReplicas": 1,
    }
    assert {*empty.to_wire()} == {"observedGeneration", "terminatingReplicas", "conditions"}


@pytest.mark.parametrize(
    ("available", "limits", "expected"),
    [
        (4, (1, 0), ("True", "MinimumReplicasAvailable")),
        (3, (1, 0), ("False", "MinimumReplicasUnavailable")),
        (3, (1, 1), ("True", "MinimumReplicasAvailable")),
        (3, (1, "49%"), ("True", "MinimumReplicasAvailable")),
        (2, (1, "49%"), ("False", "MinimumReplicasUnavailable")),
    ],
)
def test_a_deployment_is_available_with_all_but_those_that_may_be_missing(
    available: int, limits: Any, expected: tuple[str, str]
) -> None:
    assert told(sets=[(4, available)], replicas=4, limits=limits)["Available"] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"sets": [(2, 0)], "created": True, "pods": [0]}, ("True", "NewReplicaSetCreated")),
        ({"sets": [(2, 0)], "pods": [0]}, ("True", "FoundNewReplicaSet")),
        ({"sets": [(2, 0)], "before": "NewReplicaSetCreated"}, ("True", "ReplicaSetUpdated")),
        ({"sets": [(2, 2)], "before": "ReplicaSetUpdated"}, ("True", "NewReplicaSetAvailable")),
        # What is complete stays so when pods fail, or more are wanted.
        ({"sets": [(2, 1)], "before": "NewReplicaSetAvailable"}, ("True", "NewReplicaSetAvailable")),
        ({"sets": [(1, 1), (1, 0)], "before": "NewReplicaSetAvailable"}, ("True", "ReplicaSetUpdated")),
        # Old pods that go are progress, too.
        (
            {"sets": [(1, 1), (1, 0)], "before": "NewReplicaSetCreated", "status": {"replicas": 3}},
            ("True", "ReplicaSetUpdated"),
        ),
    ],
)
def test_progress_is_told_by_what_has_become_of_the_sets(
    said: dict[str, Any], expected: tuple[str, str]
) -> None:
    before = said.pop("before", None)
    status = {**said.pop("status", {}), "conditions": [condition(before)] if before else []}

    assert told(**said, status=status)["Progressing"] == expected


@pytest.mark.parametrize(
    ("reason", "ago", "expected"),
    [
        ("ReplicaSetUpdated", 599, ("True", "ReplicaSetUpdated")),
        ("ReplicaSetUpdated", 601, ("False", "ProgressDeadlineExceeded")),
        ("NewReplicaSetAvailable", 601, ("True", "NewReplicaSetAvailable")),
        ("DeploymentResumed", 601, ("False", "ProgressDeadlineExceeded")),
        ("ProgressDeadlineExceeded", 1, ("False", "ProgressDeadlineExceeded")),
    ],
)
def test_a_rollout_without_progress_times_out(reason: str, ago: int, expected: tuple[str, str]) -> None:
    status = {
        "replicas": 3,
        "updatedReplicas": 2,
        "readyReplicas": 1,
        "availableReplicas": 1,
        "conditions": [condition(reason, expected[0], ago=ago)],
    }

    assert told(sets=[(1, 1), (2, 0)], status=status)["Progressing"] == expected


def test_who_asks_for_no_deadline_is_told_nothing_of_progress() -> None:
    status = {"conditions": [condition("NewReplicaSetAvailable")]}

    for seconds in (None, FOREVER):
        assert "Progressing" not in told(
            sets=[(2, 2)], status=status, spec={"progressDeadlineSeconds": seconds}
        )


def test_progress_renews_its_time_and_keeps_that_of_its_status() -> None:
    status = {"conditions": [condition("ReplicaSetUpdated", ago=300)]}
    given = rollout(sets=[(2, 1)], replicas=2, spec=DEADLINE, status=status)
    [progress] = [
        each for each in status_of(given, NOON, created=False).conditions if each.type == "Progressing"
    ]

    assert progress.last_update_time == NOON
    assert progress.last_transition_time == NOON - timedelta(seconds=300)


def test_a_pause_stops_the_clock_and_a_resumption_starts_it_anew() -> None:
    paused = told(sets=[(2, 0)], paused=True, status={"conditions": [condition("ReplicaSetUpdated")]})
    resumed = status_of(
        rollout(
            sets=[(2, 0)],
            replicas=2,
            spec=DEADLINE,
            status={
                "replicas": 2,
                "updatedReplicas": 2,
                "conditions": [condition("DeploymentPaused", "Unknown", ago=9999)],
            },
        ),
        NOON,
        created=False,
    )
    late = told(sets=[(2, 0)], paused=True, status={"conditions": [condition("ProgressDeadlineExceeded")]})

    assert paused["Progressing"] == ("Unknown", "DeploymentPaused")
    assert [each.reason for each in resumed.conditions if each.type == "Progressing"] == ["DeploymentResumed"]
    assert late["Progressing"][1] == "ProgressDeadlineExceeded"


def test_what_a_set_fails_in_is_told_first_of_the_new_one_and_goes_with_the_failure() -> None:
    failures = {
        0: [condition("FailedDelete", type_="ReplicaFailure")],
        1: [condition("FailedCreate", type_="ReplicaFailure")],
    }
    old = {"conditions": [condition("FailedCreate", type_="ReplicaFailure")]}

    assert told(sets=[(1, 1), (1, 0)], failures=failures)["ReplicaFailure"] == ("True", "FailedCreate")
    assert told(sets=[(1, 1), (1, 0)], failures={0: failures[0]})["ReplicaFailure"][1] == "FailedDelete"
    assert "ReplicaFailure" not in told(sets=[(1, 1)], status=old)


def test_a_set_that_is_refused_is_told_of_progress() -> None:
    given = rollout(sets=[], replicas=1, spec=DEADLINE, status={"replicas": 3}).deployment
    status = failed_creation(given, "no", NOON)

    assert status.replicas == 3
    assert [(each.type, each.status, each.reason, each.message) for each in status.conditions] == [
        ("Progressing", "False", "ReplicaSetCreateError", "no")
    ]


@pytest.mark.parametrize(
    ("reason", "said", "expected"),
    [
        ("ReplicaSetUpdated", {"sets": [(2, 0)]}, timedelta(seconds=541)),
        ("ReplicaSetUpdated", {"sets": [(2, 0)], "paused": True}, None),
        ("ProgressDeadlineExceeded", {"sets": [(2, 0)]}, None),
        ("NewReplicaSetAvailable", {"sets": [(2, 2)]}, None),
    ],
)
def test_a_rollout_is_looked_at_when_its_time_is_over(
    reason: str, said: dict[str, Any], expected: timedelta | None
) -> None:
    status = {"replicas": 2, "updatedReplicas": 2, "conditions": [condition(reason)]}
    given = rollout(**{"replicas": 2, "spec": DEADLINE, "status": status, **said})
    found = given.deployment.status
    found.available_replicas = given.sets[0].status.available_replicas

    assert next_look(given, found, NOON) == expected


def test_a_rollout_is_complete_when_all_pods_are_new_and_serve() -> None:
    def complete(*sets: tuple[int, int]) -> bool:
        given = rollout(sets=sets, replicas=2)
        return is_complete(given.deployment, status_of(given, NOON, created=False))

    assert complete((0, 0), (2, 2))
    assert not complete((0, 0), (2, 1))
    assert not complete((1, 1), (1, 1))
    assert not complete((1, 0), (2, 2))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"spec": {"revisionHistoryLimit": 1}}, ["set-0", "set-1"]),
        ({"spec": {"revisionHistoryLimit": 0}}, ["set-0", "set-1", "set-2"]),
        ({"spec": {"revisionHistoryLimit": 3}}, []),
        ({"spec": {"revisionHistoryLimit": FOREVER}}, []),
        ({"spec": {}}, []),
        ({"spec": {"revisionHistoryLimit": 1}, "pods": [1, 0, 0, 2]}, ["set-1"]),
        ({"spec": {"revisionHistoryLimit": 1}, "unobserved": [1]}, ["set-0"]),
    ],
)
def test_old_sets_without_pods_go_when_the_history_is_long(said: dict[str, Any], expected: list[str]) -> None:
    found = expendable(rollout(sets=[(0, 0), (0, 0), (0, 0), (2, 2)], replicas=2, **said))

    assert [each.metadata.name for each in found] == expected
