"""What a namespace says about its deletion, and how long its pods are waited for."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from windlass.cluster.controller.namespace.condition import Findings, conditions
from windlass.cluster.controller.namespace.content import Remains, grace_of
from windlass.kinds.core.v1 import NamespaceCondition

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)


def wrong(findings: Findings) -> dict[str, tuple[str | None, str | None]]:
    """The conditions that say that something is wrong, by type."""
    return {
        each.type: (each.reason, each.message)
        for each in conditions((), findings, NOW)
        if each.status == "True"
    }


def test_when_nothing_is_wrong_every_condition_says_so() -> None:
    said = conditions((), Findings(), NOW)
    assert [(each.status, each.last_transition_time) for each in said] == [("False", NOW)] * 5
    assert Findings().is_clear


@pytest.mark.parametrize(
    ("findings", "type_", "said"),
    [
        (
            Findings(unknown=["a.b/v1"]),
            "NamespaceDeletionDiscoveryFailure",
            (
                "DiscoveryFailed",
                (
                    "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server "
                    "APIs: a.b/v1: stale GroupVersion discovery: a.b/v1"
                ),
            ),
        ),
        (
            Findings(failures=["no", "never"]),
            "NamespaceDeletionContentFailure",
            ("ContentDeletionFailed", "Failed to delete all resource types, 2 remaining: never, no"),
        ),
        (
            Findings(remaining=Counter({"widgets.example.com": 2, "secrets.": 1})),
            "NamespaceContentRemaining",
            (
                "SomeResourcesRemain",
                (
                    "Some resources are remaining: secrets. has 1 resource instances, "
                    "widgets.example.com has 2 resource instances"
                ),
            ),
        ),
    ],
)
def test_a_finding_is_told_in_the_words_of_the_real_controller(
    findings: Findings, type_: str, said: tuple[str, str]
) -> None:
    assert wrong(findings) == {type_: said}
    assert not findings.is_clear


def test_while_pods_are_waited_for_the_namespace_is_not_clear_and_nothing_else_is_said() -> None:
    findings = Findings(awaits_pods=True)
    assert not findings.is_clear
    assert wrong(findings) == {}


def test_the_time_is_that_of_the_last_change_and_what_others_say_stays() -> None:
    mine = NamespaceCondition(type="Mine", status="True", last_transition_time=NOW)
    before = conditions([mine], Findings(failures=["no"]), NOW)
    after = conditions(before, Findings(remaining=Counter({"secrets.": 1})), LATER)
    assert after[0] == mine
    moved = [each.type for each in after if each.last_transition_time == LATER]
    assert moved == ["NamespaceDeletionContentFailure", "NamespaceContentRemaining"]


def test_pods_are_waited_for_as_long_as_the_most_patient_one_that_is_not_over_wants() -> None:
    def pod(seconds: int, phase: str) -> dict[str, dict[str, object]]:
        return {"spec": {"terminationGracePeriodSeconds": seconds}, "status": {"phase": phase}}

    assert grace_of([pod(5, "Running"), pod(30, "Pending"), pod(90, "Succeeded")]) == timedelta(seconds=30)
    assert grace_of([]) == timedelta()


def test_what_remains_although_nothing_holds_it_is_stuck() -> None:
    assert Remains(1).is_stuck
    assert not Remains(1, Counter({"example.com/held": 1})).is_stuck
    assert not Remains(1, grace=timedelta(seconds=1)).is_stuck
    assert not Remains().is_stuck
