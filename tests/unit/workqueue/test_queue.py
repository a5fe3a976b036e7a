from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random

import pytest

from windlass.aio import ManualClock
from windlass.errors import QueueClosed
from windlass.workqueue import Item, Priority, QueueOptions, WorkQueue

SECOND = timedelta(seconds=1)
Queue = WorkQueue[str, str]


class Tally:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, timedelta]] = []

    def added(self) -> None:
        self.told.append(("added", timedelta()))

    def taken(self, waited: timedelta) -> None:
        self.told.append(("taken", waited))

    def done(self, took: timedelta) -> None:
        self.told.append(("done", took))

    def retried(self, delay: timedelta) -> None:
        self.told.append(("retried", delay))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def queue(clock: ManualClock) -> Queue:
    return WorkQueue(clock=clock, random=Random(1), group=lambda key: key.partition("/")[0])


async def turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def taken(queue: Queue, count: int) -> list[str]:
    items = [await queue.take() for _ in range(count)]
    for item in items:
        queue.done(item.key)
    return [item.key for item in items]


async def test_an_item_says_why_since_when_and_how_often(clock: ManualClock, queue: Queue) -> None:
    queue.add("a/1", "created")
    await clock.advance(SECOND)
    queue.add("a/1", "labelled")
    await clock.advance(2 * SECOND)

    item = await queue.take()

    assert item == Item("a/1", ("created", "labelled"), 0, 3 * SECOND, Priority.FRESH, 1)


async def test_the_first_causes_are_kept_and_the_others_counted(queue: Queue) -> None:
    for number in range(60):
        queue.add("a/1", str(number))

    item = await queue.take()

    assert item.causes == tuple(str(number) for number in range(50))
    assert item.dropped_causes == 10


async def test_a_key_that_is_worked_on_waits_until_it_is_done(clock: ManualClock, queue: Queue) -> None:
    queue.add("a/1", "first")
    await queue.take()
    queue.add("a/1", "second")
    queue.add("a/2", "other")
    assert (len(queue), queue.running) == (1, 1)

    other = await queue.take()
    waiting = asyncio.create_task(queue.take())
    await turns()
    assert other.key == "a/2"
    assert not waiting.done()

    await clock.advance(SECOND)
    queue.done("a/1")
    again = await waiting
    assert again == Item("a/1", ("second",), 0, timedelta(), Priority.FRESH, 1)


async def test_a_thousand_keys_of_one_namespace_do_not_delay_another(queue: Queue) -> None:
    for number in range(1000):
        queue.add(f"big/{number}", "")
    queue.add("small/1", "")

    assert await taken(queue, 3) == ["big/0", "small/1", "big/1"]


async def test_fresh_goes_first_and_the_background_gets_every_16th_take(queue: Queue) -> None:
    for number in range(40):
        queue.add(f"old/{number}", "", Priority.BACKGROUND)
        queue.add(f"new/{number}", "")

    order = [key.partition("/")[0] for key in await taken(queue, 80)]

    assert order == [*(["new"] * 15 + ["old"]) * 2, *["new"] * 10, *["old"] * 38]


async def test_a_background_key_that_becomes_urgent_is_fresh_and_taken_once(queue: Queue) -> None:
    queue.add("a/1", "listed", Priority.BACKGROUND)
    queue.add("a/2", "listed", Priority.BACKGROUND)
    queue.add("a/2", "changed")

    first, second = await queue.take(), await queue.take()

    assert (first.key, first.causes, first.priority) == ("a/2", ("listed", "changed"), Priority.FRESH)
    assert (second.key, second.priority, len(queue)) == ("a/1", Priority.BACKGROUND, 0)


async def test_a_fresh_key_does_not_become_background(queue: Queue) -> None:
    queue.add("a/1", "changed")
    queue.add("a/1", "listed", Priority.BACKGROUND)

    assert (await queue.take()).priority is Priority.FRESH


async def test_a_key_is_withdrawn_for_its_first_cause_alone(queue: Queue) -> None:
    queue.add("a/1", "found")
    queue.add("a/1", "changed")
    queue.add("a/2", "later", after=SECOND)

    assert [queue.withdraw("a/1", "changed"), queue.withdraw("a/3", "found")] == [False, False]
    assert [queue.withdraw("a/1", "found"), queue.withdraw("a/2", "later")] == [True, True]
    assert (len(queue), queue.delayed) == (0, 0)

    queue.add("a/1", "anew")
    assert (await queue.take()).causes == ("anew",)


async def test_workers_that_wait_are_counted_until_they_are_woken(queue: Queue) -> None:
    queue.add("a/1", "later", after=SECOND)
    workers = [asyncio.ensure_future(queue.take()) for _ in range(3)]
    await asyncio.sleep(0)
    assert queue.idle == 3

    queue.add("b/1", "changed")
    assert queue.idle == 2
    await asyncio.wait(workers, return_when=asyncio.FIRST_COMPLETED)
    assert (queue.idle, queue.running) == (2, 1)

    queue.close()
    await asyncio.gather(*workers, return_exceptions=True)
    assert queue.idle == 0


async def test_a_delayed_key_comes_at_its_time_to_a_worker_that_waits(
    clock: ManualClock, queue: Queue
) -> None:
    waiting = asyncio.create_task(queue.take())
    await turns()
    queue.add("a/1", "later", after=10 * SECOND)
    assert (len(queue), queue.delayed) == (0, 1)

    await clock.advance(9 * SECOND)
    assert not waiting.done()
    await clock.advance(SECOND)

    assert (await waiting).waited == timedelta()


async def test_the_earlier_of_two_times_wins(clock: ManualClock, queue: Queue) -> None:
    queue.add("a/1", "in an hour", after=3600 * SECOND)
    waiting = asyncio.create_task(queue.take())
    await turns()
    queue.add("a/1", "soon", after=SECOND)
    queue.add("a/1", "in two hours", after=7200 * SECOND)
    await clock.advance(SECOND)

    assert (await waiting).causes == ("in an hour", "soon", "in two hours")


async def test_a_key_is_not_late_because_nobody_asked(clock: ManualClock, queue: Queue) -> None:
    queue.add("a/late", "", after=5 * SECOND)
    await clock.advance(6 * SECOND)
    queue.add("a/now", "")
    await clock.advance(SECOND)

    assert queue.oldest == 2 * SECOND
    assert await taken(queue, 2) == ["a/late", "a/now"]


async def test_one_sleeper_serves_any_number_of_workers_and_delays(clock: ManualClock, queue: Queue) -> None:
    workers = [asyncio.create_task(queue.take()) for _ in range(50)]
    await turns()
    for number in range(50):
        queue.add(f"a/{number}", "", after=(number + 1) * SECOND)
    await turns()
    assert len(asyncio.all_tasks()) == 1 + 50 + 1

    await clock.advance(50 * SECOND)
    assert {(await worker).key for worker in workers} == {f"a/{number}" for number in range(50)}


async def test_a_worker_that_gives_up_when_it_was_woken_wakes_another(queue: Queue) -> None:
    first, second = asyncio.create_task(queue.take()), asyncio.create_task(queue.take())
    await turns()
    queue.add("a/1", "")
    first.cancel()
    await turns()

    assert (await second).key == "a/1"


async def test_the_watch_on_the_clock_passes_on_when_its_keeper_gives_up(
    clock: ManualClock, queue: Queue
) -> None:
    queue.add("a/1", "", after=SECOND)
    first, second = asyncio.create_task(queue.take()), asyncio.create_task(queue.take())
    await turns()
    first.cancel()
    await turns()
    await clock.advance(SECOND)

    assert (await second).key == "a/1"


async def test_the_keeper_of_the_watch_also_takes_what_comes_at_once(
    clock: ManualClock, queue: Queue
) -> None:
    queue.add("a/1", "", after=SECOND)
    waiting = asyncio.create_task(queue.take())
    await turns()
    queue.add("a/2", "")

    assert (await waiting).key == "a/2"
    assert len(asyncio.all_tasks()) == 1


async def test_a_retry_waits_ever_longer_until_forgotten(clock: ManualClock) -> None:
    queue: Queue = WorkQueue(QueueOptions(jitter=0), clock=clock, random=Random(1))
    queue.add("a/1", "")
    delays = []
    for _ in range(3):
        item = await queue.take()
        delays.append((item.attempt, queue.retry(item.key, "retry") / timedelta(milliseconds=1)))
        queue.done(item.key)
        await clock.advance(SECOND)

    assert delays == [(1, 5), (2, 10), (3, 20)]
    item = await queue.take()
    queue.forget(item.key)
    assert (item.attempt, item.causes) == (4, ("retry",))
    assert queue.retry(item.key, "retry") == timedelta(milliseconds=5)


async def test_a_closed_queue_sends_its_workers_home_and_takes_nothing_more(
    clock: ManualClock, queue: Queue
) -> None:
    queue.add("a/later", "", after=SECOND)
    workers = [asyncio.create_task(queue.take()) for _ in range(3)]
    await turns()
    queue.close()
    queue.add("a/1", "")

    for worker in workers:
        with pytest.raises(QueueClosed):
            await worker
    with pytest.raises(QueueClosed):
        await queue.take()
    assert len(queue) == 0


async def test_work_that_runs_when_the_queue_closes_can_still_be_given_back(queue: Queue) -> None:
    queue.add("a/1", "")
    await queue.take()
    queue.close()
    queue.done("a/1")

    assert queue.running == 0


async def test_to_give_back_what_was_not_taken_is_a_fault(queue: Queue) -> None:
    with pytest.raises(ValueError, match="a/1"):
        queue.done("a/1")


async def test_an_observer_is_told_of_every_step(clock: ManualClock) -> None:
    tally = Tally()
    options = QueueOptions(jitter=0)
    queue: Queue = WorkQueue(options, clock=clock, random=Random(1), observer=tally)
    queue.add("a", "")
    await clock.advance(SECOND)
    await queue.take()
    await clock.advance(2 * SECOND)
    queue.retry("a", "")
    queue.done("a")

    delay = timedelta(milliseconds=5)
    assert tally.told == [
        ("added", timedelta()),
        ("taken", SECOND),
        ("retried", delay),
        ("added", timedelta()),
        ("done", 2 * SECOND),
    ]


async def test_the_age_of_an_empty_queue_is_nothing(queue: Queue) -> None:
    assert queue.oldest == timedelta()


async def test_a_key_that_comes_while_workers_are_cancelled_breaks_none_of_them(queue: Queue) -> None:
    workers = [asyncio.ensure_future(queue.take()) for _ in range(3)]
    await asyncio.sleep(0)

    for worker in workers:
        worker.cancel()
    queue.add("a", "why")
    await asyncio.wait(workers)

    assert all(worker.cancelled() for worker in workers)
    assert (await queue.take()).key == "a"
