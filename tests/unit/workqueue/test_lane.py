from __future__ import annotations

from windlass.workqueue import Priority
from windlass.workqueue.entry import Entry, State
from windlass.workqueue.lane import Lane

Pair = tuple[str, int]


def ready(key: Pair) -> Entry[Pair, str]:
    entry = Entry(key, "", Priority.BACKGROUND, 0.0)
    entry.state = State.READY
    return entry


def lane_of(*keys: Pair) -> tuple[Lane[Pair, str], dict[Pair, Entry[Pair, str]]]:
    lane: Lane[Pair, str] = Lane(Priority.BACKGROUND, lambda key: key[0])
    entries = {key: ready(key) for key in keys}
    for entry in entries.values():
        lane.push(entry)
    return lane, entries


def drained(lane: Lane[Pair, str]) -> list[Pair]:
    return [lane.pop().key for _ in range(len(lane))]


def test_groups_take_turns_and_inside_a_group_the_first_goes_first() -> None:
    lane, _ = lane_of(("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1), ("c", 2))

    assert drained(lane) == [("a", 1), ("b", 1), ("c", 1), ("a", 2), ("c", 2), ("a", 3)]


def test_what_rose_to_a_better_lane_is_skipped() -> None:
    lane, entries = lane_of(("a", 1), ("b", 1), ("a", 2))
    for key in (("a", 1), ("b", 1)):
        entries[key].priority = Priority.FRESH
        lane.left()

    assert drained(lane) == [("a", 2)]


def test_leftovers_are_swept_and_the_turns_stay_as_they_were() -> None:
    names = [("abc"[index % 3], index) for index in range(300)]
    lane, entries = lane_of(*names)
    kept = [("c", 296), ("a", 297), ("b", 298)]
    first = lane.pop()

    for key in names:
        if key not in kept and key != first.key:
            entries[key].priority = Priority.FRESH
            lane.left()

    assert sum(map(len, lane._lines.values())) <= 64 + 2 * len(kept)
    assert drained(lane) == [("b", 298), ("c", 296), ("a", 297)]
