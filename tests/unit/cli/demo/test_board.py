"""What the demo says of resources."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from widget import Widget
from windlass.api import Condition, Key, ObjectMeta, OwnerReference
from windlass.cli.demo.board import Board, Line, children_by_owner, last_events, line_of
from windlass.kinds.core.v1 import ObjectReference, Secret
from windlass.kinds.events.v1 import Event, EventSeries

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def widget(*conditions: Condition, generation: int = 1, observed: int | None = 1) -> Widget:
    made = Widget(metadata=ObjectMeta(name="w", namespace="default", uid="u", generation=generation))
    made.status.conditions = list(conditions)
    made.status.observed_generation = observed
    return made


def condition(
    status: Literal["True", "False"], reason: str = "Because", message: str = "", name: str = "Ready"
) -> Condition:
    return Condition(type=name, status=status, reason=reason, message=message, last_transition_time=NOON)


def line(name: str = "w", *, namespace: str = "default", ready: bool = True) -> Line:
    return Line(operator="o", kind="Widget", key=Key(namespace, name), ready=ready, state="Ready")


@pytest.mark.parametrize(
    ("resource", "ready", "state"),
    [
        (widget(), False, "…"),
        (widget(condition("True")), True, "Ready"),
        (widget(condition("False", "NoSize")), False, "NoSize"),
        (widget(condition("True"), generation=2), False, "Changed"),
        (widget(condition("True"), observed=None), True, "Ready"),
        (widget(condition("True", name="Other")), False, "…"),
    ],
    ids=["nothing said", "ready", "not ready", "stale", "no generation said", "another condition"],
)
def test_a_resource_is_ready_when_its_condition_says_so_of_its_present_generation(
    resource: Widget,
    ready: bool,  # noqa: FBT001 - a parameter of the test
    state: str,
) -> None:
    found = line_of("o", resource, "Ready")

    assert (found.ready, found.state) == (ready, state)


def test_a_resource_that_is_being_deleted_is_not_ready() -> None:
    going = widget(condition("True"))
    going.metadata.deletion_timestamp = NOON

    found = line_of("o", going, "Ready")

    assert (found.ready, found.state) == (False, "Deleting")


def test_a_release_that_failed_is_not_ready_and_says_why_even_if_an_earlier_one_is_deployed() -> None:
    failed = condition("True", "InstallError", "missing: helm", "ReleaseFailed")
    deployed = condition("True", name="Deployed")

    for conditions in ([failed], [deployed, failed]):
        found = line_of("o", widget(*conditions), "Deployed")
        assert (found.ready, found.state, found.message) == (False, "ReleaseFailed", "missing: helm")
    over = condition("False", name="ReleaseFailed")
    assert line_of("o", widget(deployed, over), "Deployed").ready


def test_a_message_of_several_lines_is_shown_on_one() -> None:
    found = line_of("o", widget(condition("False", message="no helm\nRun:  this")), "Ready")

    assert found.message == "no helm Run: this"


def test_a_name_says_the_namespace_unless_it_is_the_default_one() -> None:
    assert line("w").name == "Widget w"
    assert line("w", namespace="shop").name == "Widget shop/w"


def test_a_board_is_ready_when_all_that_is_expected_is_there_and_ready() -> None:
    expected = frozenset({("Widget", Key("default", "a")), ("Widget", Key("default", "b"))})

    assert not Board().all_ready
    assert not Board(lines=[line("a")], expected=expected).all_ready
    assert not Board(lines=[line("a"), line("b", ready=False)], expected=expected).all_ready
    assert Board(lines=[line("a"), line("b"), line("c", ready=False)], expected=expected).all_ready


def test_a_board_names_what_is_missing_and_what_it_says() -> None:
    expected = frozenset({("Widget", Key("default", "a")), ("Widget", Key("default", "b"))})
    waiting = line_of("o", widget(condition("False", "NoSize", "say a size")), "Ready")
    known = expected | {("Widget", waiting.key)}

    missing = Board(lines=[line("a"), waiting], expected=known).missing

    assert missing == ["Widget default/b", "Widget default/w: NoSize say a size"]


def test_children_are_counted_for_their_owner_by_uid_and_by_annotation() -> None:
    owner = OwnerReference(api_version="v1", kind="Widget", name="w", uid="u")
    owned = [Secret(metadata=ObjectMeta(name=name, owner_references=[owner])) for name in ("a", "b")]
    named = {"operator-sdk/primary-resource": "default/w"}
    far = Secret(metadata=ObjectMeta(name="c", namespace="elsewhere", annotations=named))
    orphan = Secret(metadata=ObjectMeta(name="d"))

    found = children_by_owner({"Secret": [*owned, far, orphan], "Ingress": owned[:1]})

    assert found == {"u": "Ingress, 2 Secrets", "default/w": "Secret"}


def event(minute: int, note: str, *, repeated: int | None = None, about: str = "u") -> Event:
    at = NOON + timedelta(minutes=minute)
    series = None
    if repeated is not None:
        series = EventSeries(count=2, last_observed_time=NOON + timedelta(minutes=repeated))
    made = Event(metadata=ObjectMeta(name=note), regarding=ObjectReference(uid=about), event_time=at)
    made.reason, made.note, made.series = "Made", note, series
    return made


def test_the_last_event_is_the_latest_whatever_the_order() -> None:
    events = [event(2, "second"), event(1, "first"), event(1, "other", about="v")]

    assert last_events(events) == {"u": "Made: second", "v": "Made: other"}


def test_an_event_that_was_repeated_counts_from_its_last_time() -> None:
    events = [event(1, "often", repeated=5), event(3, "once")]

    assert last_events(events) == {"u": "Made: often"}


def test_an_event_without_a_time_or_a_subject_is_no_error() -> None:
    timeless = Event(metadata=ObjectMeta(name="a"), regarding=ObjectReference(uid="u"), note="said")

    assert last_events([Event(metadata=ObjectMeta(name="b"), note="nobody"), timeless]) == {"u": "said"}
