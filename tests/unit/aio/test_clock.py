from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.aio import Clock, ManualClock, SystemClock

START = datetime(2026, 1, 1, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


class Diary:
    """Tasks that sleep on a clock and note when they woke, in seconds since the start."""

    def __init__(self) -> None:
        self.clock = ManualClock(START)
        self.notes: list[tuple[str, float]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, name: str, *delays: timedelta) -> asyncio.Task[None]:
        task = asyncio.create_task(self._sleep(name, delays))
        self._tasks.append(task)
        await asyncio.sleep(0)  # so that it sleeps before anything else happens
        return task

    async def _sleep(self, name: str, delays: tuple[timedelta, ...]) -> None:
        for delay in delays:
            await self.clock.sleep(delay)
            self.notes.append((name, self.clock.monotonic()))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def test_a_manual_clock_stands_still() -> None:
    clock = ManualClock()
    assert (clock.now(), clock.monotonic()) == (START, 0.0)
    assert (clock.now(), clock.monotonic()) == (START, 0.0)


async def test_advancing_moves_both_times_alike() -> None:
    clock = ManualClock(datetime(2030, 5, 6, tzinfo=UTC))
    await clock.advance(HOUR + SECOND / 2)
    assert clock.now() == datetime(2030, 5, 6, 1, 0, 0, 500000, tzinfo=UTC)
    assert clock.monotonic() == 3600.5


async def test_sleepers_wake_in_the_order_of_their_moments() -> None:
    diary = Diary()
    for name, delay in (("c", 3), ("a", 1), ("b", 2)):
        await diary.start(name, delay * SECOND)
    await diary.clock.advance(HOUR)
    assert diary.notes == [("a", 1.0), ("b", 2.0), ("c", 3.0)]


async def test_sleepers_of_one_moment_wake_in_the_order_in_which_they_fell_asleep() -> None:
    diary = Diary()
    for name in "abcdef":
        await diary.start(name, SECOND)
    await diary.clock.advance(SECOND)
    assert [name for name, _ in diary.notes] == list("abcdef")


async def test_a_sleeper_sees_its_own_moment() -> None:
    diary = Diary()
    seen: list[datetime] = []

    async def look() -> None:
        await diary.clock.sleep(MINUTE)
        seen.append(diary.clock.now())

    task = asyncio.create_task(look())
    await asyncio.sleep(0)
    await diary.clock.advance(10 * HOUR)
    await task
    assert seen == [START + MINUTE]
    assert diary.clock.now() == START + 10 * HOUR


async def test_nobody_wakes_before_time() -> None:
    diary = Diary()
    task = await diary.start("a", MINUTE)
    await diary.clock.advance(MINUTE - timedelta(microseconds=1))
    assert diary.notes == []
    assert not task.done()
    await diary.clock.advance(timedelta(microseconds=1))
    assert diary.notes == [("a", 60.0)]


async def test_one_that_sleeps_again_wakes_again_within_one_advance() -> None:
    diary = Diary()
    await diary.start("tick", *[MINUTE] * 5)
    await diary.start("tock", 90 * SECOND, MINUTE)
    await diary.clock.advance(HOUR)
    assert diary.notes == [
        ("tick", 60.0),
        ("tock", 90.0),
        ("tick", 120.0),
        ("tock", 150.0),
        ("tick", 180.0),
        ("tick", 240.0),
        ("tick", 300.0),
    ]


async def test_a_cancelled_sleeper_does_no_harm() -> None:
    diary = Diary()
    first = await diary.start("first", SECOND)
    await diary.start("second", SECOND)
    last = await diary.start("last", 2 * SECOND)
    first.cancel()
    last.cancel()
    await asyncio.gather(first, last, return_exceptions=True)
    await diary.clock.advance(MINUTE)
    assert diary.notes == [("second", 1.0)]
    assert (first.cancelled(), last.cancelled()) == (True, True)


async def test_a_sleeper_that_is_cancelled_by_one_that_wakes_first_stays_asleep() -> None:
    diary = Diary()
    victim = await diary.start("victim", 2 * SECOND)

    async def attack() -> None:
        await diary.clock.sleep(SECOND)
        victim.cancel()

    attacker = asyncio.create_task(attack())
    await asyncio.sleep(0)
    await diary.clock.advance(MINUTE)
    await attacker
    assert diary.notes == []
    assert victim.cancelled()


@pytest.mark.parametrize("delay", [timedelta(), -SECOND])
async def test_no_delay_only_lets_others_run(delay: timedelta) -> None:
    diary = Diary()
    task = await diary.start("a", delay)
    await task
    assert diary.notes == [("a", 0.0)]


async def test_the_clock_remembers_what_was_asked_for() -> None:
    diary = Diary()
    await diary.start("a", SECOND, 2 * SECOND)
    await diary.start("b", timedelta())
    await diary.clock.advance(MINUTE)
    assert diary.clock.sleeps == [SECOND, timedelta(), 2 * SECOND]


async def test_advancing_by_nothing_wakes_nobody() -> None:
    diary = Diary()
    await diary.start("a", SECOND)
    await diary.clock.advance(timedelta())
    assert diary.notes == []


plans = st.lists(
    st.lists(st.integers(1, 50).map(lambda tenths: tenths * SECOND / 10), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)
steps = st.lists(st.integers(0, 60).map(lambda tenths: tenths * SECOND / 10), min_size=1, max_size=8)


async def notes_of(plan: list[list[timedelta]], steps: list[timedelta]) -> list[tuple[str, float]]:
    diary = Diary()
    for number, delays in enumerate(plan):
        await diary.start(str(number), *delays)
    for step in steps:
        await diary.clock.advance(step)
    await diary.stop()
    return diary.notes


@pytest.mark.property
@settings(deadline=None)
@given(plans, steps)
def test_many_small_steps_are_one_large_one(plan: list[list[timedelta]], steps: list[timedelta]) -> None:
    in_steps = asyncio.run(notes_of(plan, steps))
    at_once = asyncio.run(notes_of(plan, [sum(steps, timedelta())]))
    assert in_steps == at_once
    assert [moment for _, moment in at_once] == sorted(moment for _, moment in at_once)


async def test_one_that_sleeps_inside_another_task_wakes_at_its_own_moments() -> None:
    clock = ManualClock(START)
    moments: list[float] = []

    async def tick() -> None:
        for _ in range(3):
            await asyncio.create_task(clock.sleep(SECOND))
            moments.append(clock.monotonic())

    async with asyncio.TaskGroup() as group:
        ticker = group.create_task(tick())
        for _ in range(2):  # the ticker, then the task in which it sleeps
            await asyncio.sleep(0)
        await clock.advance(3 * SECOND)
        ticker.cancel()
    assert moments == [1.0, 2.0, 3.0]


def test_the_system_clock_tells_the_time_in_utc() -> None:
    before, now, after = datetime.now(UTC), SystemClock().now(), datetime.now(UTC)
    assert now.tzinfo is UTC
    assert before <= now <= after


def test_the_system_clock_never_runs_backwards() -> None:
    clock = SystemClock()
    readings = [clock.monotonic() for _ in range(100)]
    assert readings == sorted(readings)


async def test_the_system_clock_sleeps_at_least_as_long_as_it_was_told() -> None:
    clock = SystemClock()
    start = clock.monotonic()
    await clock.sleep(timedelta(milliseconds=5))
    assert clock.monotonic() - start >= 0.004


@pytest.mark.parametrize("delay", [timedelta(), -HOUR])
async def test_the_system_clock_lets_others_run_when_there_is_no_delay(delay: timedelta) -> None:
    ran: list[str] = []

    async def other() -> None:
        ran.append("other")

    task = asyncio.create_task(other())
    await SystemClock().sleep(delay)
    ran.append("sleeper")
    await task
    assert ran == ["other", "sleeper"]


async def test_a_sleep_on_the_system_clock_can_be_cancelled() -> None:
    task = asyncio.create_task(SystemClock().sleep(HOUR))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock()])
def test_each_clock_is_a_clock(clock: Clock) -> None:
    assert isinstance(clock.monotonic(), float)
    assert clock.now().utcoffset() == timedelta()


async def test_a_suspension_has_gone_by_but_nobody_slept_through_it() -> None:
    diary = Diary()
    task = await diary.start("a", MINUTE)
    diary.clock.suspend(HOUR)
    await diary.clock.advance(SECOND)
    assert (diary.clock.elapsed(), diary.clock.monotonic()) == (3601.0, 1.0)
    assert diary.clock.now() == START + HOUR + SECOND
    assert not task.done()
    await diary.clock.advance(MINUTE)
    assert diary.notes == [("a", 60.0)]


async def test_a_jump_of_the_wall_time_moves_no_other() -> None:
    diary = Diary()
    task = await diary.start("a", MINUTE)
    diary.clock.jump(-HOUR)
    await diary.clock.advance(SECOND)
    assert diary.clock.now() == START - HOUR + SECOND
    assert (diary.clock.elapsed(), diary.clock.monotonic()) == (1.0, 1.0)
    diary.clock.jump(2 * HOUR)
    await asyncio.sleep(0)
    assert not task.done()
    await diary.stop()


def test_the_time_elapsed_on_the_system_clock_never_runs_backwards() -> None:
    clock = SystemClock()
    readings = [clock.elapsed() for _ in range(100)]
    assert readings == sorted(readings)


async def test_the_time_elapsed_on_the_system_clock_counts_a_sleep() -> None:
    clock = SystemClock()
    start = clock.elapsed()
    await clock.sleep(timedelta(milliseconds=5))
    assert clock.elapsed() - start >= 0.004


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="this system has another name for it")
def test_the_time_elapsed_on_linux_is_the_one_since_boot() -> None:
    before, read = time.clock_gettime(time.CLOCK_BOOTTIME), SystemClock().elapsed()
    assert before <= read <= time.clock_gettime(time.CLOCK_BOOTTIME)
