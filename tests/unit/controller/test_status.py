"""The status that belongs to how a reconcile ended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import pytest

from widget import Plain, Widget, WidgetStatus
from windlass.api import (
    UNOBSERVED,
    Condition,
    Default,
    Definition,
    Field,
    Json,
    Kind,
    Resource,
    Status,
    Untyped,
)
from windlass.controller.exit import Exit
from windlass.controller.status import Seen, kept_by_loop, merge_patch, next_status, paused_status, reporting
from windlass.errors import Terminal
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.policy.v1 import PodDisruptionBudget
from windlass.reconcile import Result

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
READY = Exit.of_result(Result.ready(WidgetStatus(size=3)))
WAITING = Exit.of_result(Result.waiting("RollingOut", "1 of 3", WidgetStatus(size=1)))
FAILED = Exit.of_error(RuntimeError("no route"))
STALLED = Exit.of_error(Terminal("BadSize", "size is odd"))


def live(status: Json | None = None) -> Json:
    return {"metadata": {"generation": 4}, "status": status or {}}


def after(exit_: Exit, old: Json | None = None, now: datetime = NOON) -> Json:
    return next_status(Widget, live(old), exit_, Seen(4, now))


def true_conditions(status: Json) -> dict[str, str]:
    return {each["type"]: each["reason"] for each in status["conditions"] if each["status"] == "True"}


@pytest.mark.parametrize(
    ("exit_", "is_ready", "beside"),
    [
        (READY, "True", {"Ready": "Ready"}),
        (WAITING, "False", {"Reconciling": "RollingOut"}),
        (FAILED, "False", {"Reconciling": "ReconcileFailed"}),
        (STALLED, "False", {"Stalled": "BadSize"}),
    ],
)
def test_conditions_follow_from_the_exit(exit_: Exit, is_ready: str, beside: dict[str, str]) -> None:
    status = after(exit_)

    ready = next(each for each in status["conditions"] if each["type"] == "Ready")
    assert ready["status"] == is_ready
    assert true_conditions(status) == beside
    assert {each["observedGeneration"] for each in status["conditions"]} == {4}
    assert status["observedGeneration"] == 4


@pytest.mark.parametrize("exit_", [FAILED, STALLED])
def test_a_failure_keeps_the_last_status(exit_: Exit) -> None:
    assert after(exit_, after(READY))["size"] == 3


def test_a_returned_status_is_the_whole_status() -> None:
    status = after(Exit.of_result(Result.ready(WidgetStatus(size=1))), {"size": 2, "note": "old"})

    assert (status["size"], "note" in status) == (1, False)


def test_a_time_moves_only_with_the_status() -> None:
    first = after(WAITING)
    second = after(Exit.of_result(Result.waiting("RollingOut", "2 of 3", WidgetStatus(size=2))), first, LATER)
    third = after(READY, second, LATER)

    def times(status: Json) -> dict[str, str]:
        return {each["type"]: each["lastTransitionTime"] for each in status["conditions"]}

    assert times(second) == times(first)
    assert times(third) == {"Ready": "2026-01-01T13:00:00Z"}


def test_nothing_changes_by_the_same_exit_again() -> None:
    first = after(READY)

    assert merge_patch(first, after(READY, first, LATER)) == {}


def test_conditions_of_others_stay_in_their_place() -> None:
    theirs = {"type": "Audited", "status": "True", "reason": "Yes", "message": "", "lastTransitionTime": "t"}

    status = after(READY, {"conditions": [theirs]})

    assert [each["type"] for each in status["conditions"]] == ["Audited", "Ready"]
    assert status["conditions"][0] == theirs


@pytest.mark.parametrize(
    "odd", [{"Ready": "True"}, "none", ["Ready"], [{"status": "True"}, {"status": "False"}]]
)
def test_conditions_of_an_odd_form_do_not_keep_the_truth_from_being_told(odd: Any) -> None:
    assert [each["type"] for each in after(READY, {"conditions": odd})["conditions"]] == ["Ready"]
    assert (
        paused_status(Widget, live({"conditions": odd}), Seen(4, NOON))["conditions"][0]["type"] == "Paused"
    )


def test_conditions_that_are_returned_replace_those_before_and_keep_their_time() -> None:
    def exit_(*types: str) -> Exit:
        conditions = [Condition(type=each, status="True", reason="Yes") for each in types]
        return Exit.of_result(Result.ready(WidgetStatus(conditions=conditions)))

    first = after(exit_("A", "B"))
    second = after(exit_("A"), first, LATER)

    assert [each["type"] for each in second["conditions"]] == ["A", "Ready"]
    assert {each["lastTransitionTime"] for each in second["conditions"]} == {"2026-01-01T12:00:00Z"}


def test_a_pause_adds_a_condition_and_the_next_run_takes_it_away() -> None:
    before = after(READY)

    paused = paused_status(Widget, live(before), Seen(4, LATER))
    resumed = after(READY, paused, LATER)

    assert true_conditions(paused) == {"Ready": "Ready", "Paused": "PausedByAnnotation"}
    assert true_conditions(resumed) == {"Ready": "Ready"}


def test_a_pause_keeps_the_generation_that_was_reconciled_and_claims_none() -> None:
    before = after(READY)

    assert paused_status(Widget, live(before), Seen(5, LATER))["observedGeneration"] == 4
    assert paused_status(Widget, live(), Seen(5, LATER))["observedGeneration"] == UNOBSERVED


UNTYPED = Untyped.of(Kind("test.windlass.dev", "v1", "Thing", "things"))


@pytest.mark.parametrize("exit_", [READY, WAITING, FAILED, STALLED])
def test_the_type_that_a_reconciler_reports_stands_in_for_that_of_the_kind(exit_: Exit) -> None:
    status = next_status(UNTYPED, live(), exit_, Seen(4, NOON, WidgetStatus))

    assert status == after(exit_)
    assert "Paused" in true_conditions(paused_status(UNTYPED, live(), Seen(4, NOON, WidgetStatus)))
    assert next_status(UNTYPED, live(), FAILED, Seen(4, NOON)) == {}


def test_a_ready_condition_that_is_returned_for_a_kind_without_a_type_is_left_as_it_is() -> None:
    said = Condition(type="Ready", status="False", reason="Queued", message="as the chart has it")
    returned = Exit.of_result(Result.waiting("Other", "else", WidgetStatus(conditions=[said])))
    before = next_status(UNTYPED, live(), READY, Seen(4, NOON, WidgetStatus))

    told = next_status(UNTYPED, live(before), returned, Seen(4, NOON, WidgetStatus))
    silent = Exit.of_result(Result.waiting("Other", "else", WidgetStatus()))

    assert [(each["type"], each["reason"]) for each in told["conditions"]] == [("Ready", "Queued")]
    assert true_conditions(next_status(UNTYPED, live(before), silent, Seen(4, NOON, WidgetStatus))) == {
        "Reconciling": "Other"
    }


class Conditional(Status):
    conditions: list[Condition] = []


class Judged(Resource, group="test.windlass.dev", version="v1"):
    status: Conditional = Field(default_factory=Conditional)


class Whole(Judged, group="test.windlass.dev", version="v1", definition=Definition(status=False)):
    pass


@pytest.mark.parametrize(("kind", "generation"), [(Judged, 4), (Whole, None)])
def test_the_generation_is_reported_beside_conditions_where_that_makes_no_new_one(
    kind: type[Resource], generation: int | None
) -> None:
    status = next_status(kind, live(), FAILED, Seen(4, NOON))

    assert status.get("observedGeneration") == generation
    assert true_conditions(status) == {"Reconciling": "ReconcileFailed"}


def test_a_status_without_a_type_has_the_generation_where_its_default_has() -> None:
    class Free(Resource, group="test.windlass.dev", version="v1"):
        status: Annotated[Json, Default({"observedGeneration": UNOBSERVED})] = Field(default_factory=dict)

    assert next_status(Free, live(), FAILED, Seen(4, NOON)) == {"observedGeneration": 4}


def test_the_loop_keeps_its_own_parts_at_a_checkpoint() -> None:
    before = after(READY)

    assert kept_by_loop(Widget, live(before)) == {
        "conditions": before["conditions"],
        "observedGeneration": 4,
    }


@pytest.mark.parametrize("kind", [Deployment, PodDisruptionBudget, ConfigMap, Plain])
def test_conditions_that_are_not_ours_are_left_alone(kind: Any) -> None:
    status = next_status(kind, live({"conditions": [{"type": "Other"}]}), FAILED, Seen(4, NOON))

    assert status == {"conditions": [{"type": "Other"}]}


def test_a_kind_names_its_own_ready_condition() -> None:
    class Bridge(Widget, version="v1", definition=Definition(ready="Usable")):
        pass

    status = next_status(Bridge, live(), READY, Seen(4, NOON))

    assert true_conditions(status) == {"Usable": "Ready"}
    assert reporting(Bridge).ready == "Usable"


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ({}, {}, {}),
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1}, {}, {"a": None}),
        ({}, {"a": 0}, {"a": 0}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, {"a": {"c": None}}),
        ({"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
        ({"a": 1}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"a": None}, {}, {}),
        ({"a": [{"b": 1, "c": None}]}, {"a": [{"b": 1}]}, {}),
        ({"a": [{"b": 1, "c": None}]}, {"a": [{"b": 2}]}, {"a": [{"b": 2}]}),
    ],
)
def test_a_merge_patch_says_what_differs(old: Json, new: Json, patch: Json) -> None:
    assert merge_patch(old, new) == patch
