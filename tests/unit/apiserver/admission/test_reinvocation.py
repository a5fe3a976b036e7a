from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from windlass.apiserver.admission.reinvocation import Audience, take_turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.apiserver.admission.review import Review


def audience(obj: dict[str, Any]) -> Audience:
    return Audience(cast("Review", SimpleNamespace(obj=obj)))


def party(name: str, seen: list[object], *, changes: bool) -> Callable[[int], bool]:
    def take(turn: int) -> bool:
        seen.append((name, turn))
        return changes

    return take


def test_who_changes_nothing_has_one_turn() -> None:
    seen: list[object] = []

    take_turns([party("idle", seen, changes=False)], lambda: seen.append("again"))

    assert seen == [("idle", 0)]


def test_who_changes_something_gives_all_a_second_turn_and_none_a_third() -> None:
    seen: list[object] = []

    parties = [party("busy", seen, changes=True), party("idle", seen, changes=False)]
    take_turns(parties, lambda: seen.append("again"))

    assert seen == [("busy", 0), ("idle", 0), "again", ("busy", 1), ("idle", 1)]


def test_they_lag_who_were_informed_before_a_change() -> None:
    those = audience({})
    those.inform("early")
    those.outdate()
    those.inform("late")

    assert (those.lags("early"), those.lags("late")) == (True, False)


def test_what_others_change_between_turns_outdates_all() -> None:
    obj = {"a": [1]}
    those = audience(obj)
    those.inform("somebody")
    those.leave()
    those.enter()
    assert not those.lags("somebody")

    obj["a"].append(2)
    those.enter()

    assert those.lags("somebody")
