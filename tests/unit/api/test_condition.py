from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.api import Condition, find_condition, set_condition

THEN = datetime(2026, 1, 1, tzinfo=UTC)
NOW = THEN + timedelta(hours=1)


def conditions() -> list[Condition]:
    return [
        Condition(type="Synced", status="True", last_transition_time=THEN, reason="Done"),
        Condition(
            type="Ready", status="False", last_transition_time=THEN, reason="Waiting", message="for a node"
        ),
        Condition(type="Stalled", status="False", last_transition_time=THEN, reason="Fine"),
    ]


def test_a_condition_is_found_by_its_type() -> None:
    found = find_condition(conditions(), "Ready")
    assert found is not None
    assert found.reason == "Waiting"
    assert find_condition(conditions(), "ready") is None
    assert find_condition([], "Ready") is None


def test_a_new_condition_is_appended_with_the_time() -> None:
    known = conditions()
    assert set_condition(known, Condition(type="Paused", status="True", reason="Asked"), NOW) is True
    assert [condition.type for condition in known] == ["Synced", "Ready", "Stalled", "Paused"]
    assert known[-1].last_transition_time == NOW


def test_a_new_condition_keeps_a_time_of_its_own() -> None:
    known: list[Condition] = []
    set_condition(known, Condition(type="Ready", status="True", reason="Up", last_transition_time=THEN), NOW)
    assert known[0].last_transition_time == THEN


def test_the_time_moves_when_the_status_does() -> None:
    known = conditions()
    assert set_condition(known, Condition(type="Ready", status="True", reason="Up"), NOW) is True
    assert known[1].last_transition_time == NOW


@pytest.mark.parametrize(
    "change",
    [{"reason": "Other"}, {"message": "for a volume"}, {"observed_generation": 7}],
)
def test_the_time_stays_when_only_something_else_changes(change: dict[str, Any]) -> None:
    known = conditions()
    new = known[1].model_copy(update={"last_transition_time": None, **change})
    assert set_condition(known, new, NOW) is True
    assert known[1].last_transition_time == THEN
    assert known[1].to_wire() == conditions()[1].model_copy(update=change).to_wire()


def test_the_same_condition_again_changes_nothing() -> None:
    known = conditions()
    before = [condition.to_wire() for condition in known]
    same = Condition(type="Ready", status="False", reason="Waiting", message="for a node")
    assert set_condition(known, same, NOW) is False
    assert [condition.to_wire() for condition in known] == before


def test_the_observed_generation_is_taken_over() -> None:
    def seen(generation: int) -> Condition:
        return Condition(type="Ready", status="True", reason="Up", observed_generation=generation)

    known: list[Condition] = []
    set_condition(known, seen(1), THEN)
    assert set_condition(known, seen(2), NOW) is True
    assert known[0].observed_generation == 2
    assert set_condition(known, seen(2), NOW) is False


def test_fields_of_others_making_stay() -> None:
    old = {
        "type": "Ready",
        "status": "True",
        "reason": "Up",
        "message": "",
        "lastUpdateTime": "2026-01-01T00:00:00Z",
    }
    known = [Condition.from_wire(old)]
    set_condition(known, Condition(type="Ready", status="False", reason="Down"), NOW)
    assert known[0].to_wire()["lastUpdateTime"] == "2026-01-01T00:00:00Z"


def test_a_message_is_always_written_because_the_server_demands_it() -> None:
    assert Condition(type="Ready", status="True", reason="Up").to_wire() == {
        "type": "Ready",
        "status": "True",
        "reason": "Up",
        "message": "",
    }


def test_other_conditions_and_the_order_are_left_alone() -> None:
    known = conditions()
    others = known[0], known[2]
    set_condition(known, Condition(type="Ready", status="True", reason="Up"), NOW)
    assert known[0] is others[0]
    assert known[2] is others[1]
    assert [condition.type for condition in known] == ["Synced", "Ready", "Stalled"]


def test_the_condition_that_was_given_is_left_alone() -> None:
    new = Condition(type="Ready", status="True", reason="Up")
    known: list[Condition] = []
    set_condition(known, new, NOW)
    assert new.last_transition_time is None
    known[0].reason = "Changed"
    assert new.reason == "Up"


def test_a_condition_read_from_the_wire_is_compared_by_what_it_says() -> None:
    wire = {
        "type": "Ready",
        "status": "True",
        "lastTransitionTime": "2026-01-01T02:00:00+02:00",
        "reason": "Up",
        "message": "",
    }
    known = [Condition.from_wire(wire)]
    assert set_condition(known, Condition(type="Ready", status="True", reason="Up", message=""), NOW) is False
    assert known[0].to_wire()["lastTransitionTime"] == "2026-01-01T00:00:00Z"


def test_microseconds_do_not_count_as_a_change() -> None:
    known: list[Condition] = []
    ready = Condition(type="Ready", status="True", reason="Up")
    set_condition(known, ready, NOW.replace(microsecond=123456))
    stored = [Condition.from_wire(known[0].to_wire())]
    assert set_condition(stored, ready, NOW + timedelta(hours=1)) is False


words = st.sampled_from(["A", "B"])
generated = st.builds(
    Condition,
    type=st.sampled_from(["Ready", "Synced", "Stalled"]),
    status=st.sampled_from(["True", "False", "Unknown"]),
    reason=words,
    message=words,
    observed_generation=st.none() | st.integers(1, 2),
)


@pytest.mark.property
@settings(deadline=None)
@given(st.lists(generated, max_size=8))
def test_whatever_is_set_is_there_once_and_dated_by_its_last_flip(news: list[Condition]) -> None:
    known: list[Condition] = []
    flips: dict[str, tuple[str, datetime]] = {}
    for hour, new in enumerate(news):
        now = THEN + timedelta(hours=hour)
        before = [condition.to_wire() for condition in known]
        changed = set_condition(known, new, now)
        assert changed is (before != [condition.to_wire() for condition in known])
        if flips.get(new.type, ("", now))[0] != new.status:
            flips[new.type] = (new.status, now)
        found = find_condition(known, new.type)
        assert found is not None
        assert found.to_wire() == new.to_wire() | {
            "lastTransitionTime": found.to_wire()["lastTransitionTime"]
        }
    assert {condition.type: condition.last_transition_time for condition in known} == {
        kind: when for kind, (_, when) in flips.items()
    }
    assert len(known) == len(flips)


def test_a_condition_that_never_had_a_time_gets_one() -> None:
    known = [Condition(type="Ready", status="True", reason="Up")]
    assert set_condition(known, Condition(type="Ready", status="True", reason="Up"), NOW) is True
    assert known[0].last_transition_time == NOW
