from __future__ import annotations

from random import Random

from windlass.aio import ManualClock
from windlass.workqueue import Priority, QueueOptions, WorkQueue
from windlass.workqueue.entry import Entry, State
from windlass.workqueue.ranked import RankedLane

RANKS = {"a": 3.0, "b": 1.0, "c": 2.0, "d": 1.0}


def ready(key: str) -> Entry[str, str]:
    entry = Entry(key, "", Priority.BACKGROUND, 0.0)
    entry.state = State.READY
    return entry


def test_the_smallest_rank_goes_first_and_equals_as_they_came() -> None:
    lane: RankedLane[str, str] = RankedLane(Priority.BACKGROUND, lambda key: RANKS[key])
    for key in RANKS:
        lane.push(ready(key))

    assert [lane.pop().key for _ in range(len(lane))] == ["b", "d", "c", "a"]


def test_what_rose_to_a_better_lane_is_skipped_and_swept() -> None:
    lane: RankedLane[int, str] = RankedLane(Priority.BACKGROUND, float)
    entries = [Entry(number, "", Priority.BACKGROUND, 0.0) for number in range(300)]
    for entry in entries:
        entry.state = State.READY
        lane.push(entry)
    for entry in entries[:-2]:
        entry.priority = Priority.FRESH
        lane.left()

    assert len(lane._heap) < 100
    assert [lane.pop().key for _ in range(len(lane))] == [298, 299]


async def test_a_queue_with_a_rank_hands_out_the_smallest_first() -> None:
    options = QueueOptions(rank=lambda key: RANKS[key])
    queue: WorkQueue[str, str] = WorkQueue(options, clock=ManualClock(), random=Random(1))
    for key in RANKS:
        queue.add(key, "added")

    assert [(await queue.take()).key for _ in RANKS] == ["b", "d", "c", "a"]
