"""How many pods a budget lets go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from windlass.api import format_time
from windlass.cluster.controller.disruption.status import (
    Member,
    failed_status,
    needs_scale,
    next_look,
    overdue,
    status_of,
    still_leaving,
)
from windlass.kinds.core.v1 import Pod
from windlass.kinds.policy.v1 import PodDisruptionBudget

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def budget(spec: dict[str, Any], **status: Any) -> PodDisruptionBudget:
    return PodDisruptionBudget.from_wire({"metadata": {"generation": 3}, "spec": spec, "status": status})


def pods(healthy: int, unhealthy: int = 0, **metadata: Any) -> list[Member]:
    def made(number: int) -> Member:
        said = {"type": "Ready", "status": "True" if number < healthy else "False"}
        body = {
            "metadata": {"name": f"pod-{number}", **metadata},
            "spec": {"containers": []},
            "status": {"phase": "Running", "conditions": [said]},
        }
        return Member.of(Pod.from_wire(body))

    return [made(number) for number in range(healthy + unhealthy)]


def ago(seconds: int) -> str:
    return format_time(NOON - timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("spec", "expected", "desired", "allowed"),
    [
        ({"minAvailable": 3}, 4, 3, 0),
        ({"minAvailable": 1}, 4, 1, 2),
        ({"minAvailable": "50%"}, 5, 3, 0),
        ({"minAvailable": "0%"}, 5, 0, 3),
        ({"maxUnavailable": 1}, 4, 3, 0),
        ({"maxUnavailable": "26%"}, 4, 2, 1),
        ({"maxUnavailable": 9}, 4, 0, 3),
        ({"maxUnavailable": 9}, 0, 0, 0),
        ({}, 4, 0, 3),
    ],
)
def test_what_is_beyond_the_pods_that_must_serve_may_go(
    spec: dict[str, Any], expected: int, desired: int, allowed: int
) -> None:
    status = status_of(budget(spec), pods(3, 1), expected, NOON)
    said = status.conditions[0]

    assert (status.expected_pods, status.desired_healthy, status.current_healthy) == (expected, desired, 3)
    assert status.disruptions_allowed == allowed
    assert (said.status, said.reason) == (
        ("True", "SufficientPods") if allowed else ("False", "InsufficientPods")
    )
    assert (said.observed_generation, status.observed_generation) == (3, 3)


def test_a_pod_that_was_let_go_does_not_serve_until_it_is_gone_or_late() -> None:
    given = budget(
        {"minAvailable": 1},
        disruptedPods={"pod-0": ago(10), "pod-1": ago(121), "elsewhere": ago(10)},
    )
    status = status_of(given, pods(4), 4, NOON)

    assert set(status.disrupted_pods) == {"pod-0"}
    assert (status.current_healthy, status.disruptions_allowed) == (3, 2)
    assert overdue(given, pods(4), NOON) == ["pod-1"]
    assert next_look(status, NOON) == timedelta(seconds=111)
    assert next_look(status_of(budget({}), pods(4), 4, NOON), NOON) is None


def test_a_pod_that_is_being_deleted_neither_serves_nor_is_waited_for() -> None:
    going = pods(2, deletionTimestamp=format_time(NOON))
    given = budget({"minAvailable": 1}, disruptedPods={"pod-0": ago(10)})

    assert still_leaving(given, going, NOON) == {}
    assert status_of(given, going, 2, NOON).current_healthy == 0


def test_a_budget_of_which_nothing_can_be_said_lets_nobody_go() -> None:
    known = status_of(budget({"minAvailable": 1}), pods(3), 3, NOON)
    given = budget({"minAvailable": 1}, **known.to_wire())
    status = failed_status(given, "no scale", NOON)

    assert (status.current_healthy, status.disruptions_allowed) == (3, 0)
    assert [(each.status, each.reason, each.message) for each in status.conditions] == [
        ("False", "SyncFailed", "no scale")
    ]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"minAvailable": 1}, False),
        ({"minAvailable": "1%"}, True),
        ({"maxUnavailable": 1}, True),
        ({}, False),
    ],
)
def test_a_share_needs_to_know_of_how_many(spec: dict[str, Any], expected: bool) -> None:  # noqa: FBT001
    assert needs_scale(budget(spec).spec) is expected
