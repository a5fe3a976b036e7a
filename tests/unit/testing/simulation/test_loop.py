from __future__ import annotations

import asyncio
import gc
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from windlass.errors import SimulationError
from windlass.testing import SimulatedLoop
from windlass.testing.simulation.process import Process

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


def test_ten_hours_pass_at_once_and_timers_fire_in_their_order() -> None:
    loop = SimulatedLoop.new()
    fired: list[tuple[str, float]] = []

    async def sleeper(name: str, hours: float) -> None:
        await asyncio.sleep(hours * 3600)
        fired.append((name, loop.time()))

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            for name, hours in (("late", 10), ("early", 1), ("as early", 1)):
                group.create_task(sleeper(name, hours))

    loop.run(main())

    assert fired == [("early", 3600), ("as early", 3600), ("late", 36000)]


def test_what_can_never_go_on_is_told_with_what_each_task_waits_for() -> None:
    async def waits_for_nobody() -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(waits_for_nobody(), name="the one")

    with pytest.raises(SimulationError, match="nothing can ever happen again") as failed:
        SimulatedLoop.new().run(main())

    assert "the one: " in str(failed.value)
    assert "waits_for_nobody > Event.wait at locks.py:" in str(failed.value)


def test_who_never_waits_is_told_instead_of_stopping_the_world() -> None:
    async def main() -> None:
        while True:  # noqa: ASYNC110 - it waits for nothing
            await asyncio.sleep(0)

    with pytest.raises(SimulationError, match="time stands still"):
        SimulatedLoop.new().run(main())


@pytest.mark.parametrize(
    ("leave", "said"),
    [
        (lambda: time.sleep(0), "time.sleep was called"),
        (socket.socket, "a socket was to be opened"),
        (lambda: threading.Thread(target=print).start(), "a thread was to be started"),
        (lambda: subprocess.run([sys.executable, "-V"], check=True), "a process was to be started"),
        (lambda: asyncio.get_running_loop().run_in_executor(None, print), "a thread was wanted"),
        (lambda: asyncio.get_running_loop().add_signal_handler(2, print), "add_signal_handler was called"),
    ],
)
def test_nothing_gets_out_of_a_simulation_and_no_handler_hides_that_it_tried(
    leave: Callable[[], Any], said: str
) -> None:
    async def main() -> None:
        try:
            leave()
        except SimulationError:
            return

    with pytest.raises(SimulationError, match=said):
        SimulatedLoop.new().run(main())


def test_outside_of_a_simulation_all_is_allowed() -> None:
    async def nothing() -> None:
        """Come to an end."""

    SimulatedLoop.new().run(nothing())

    time.sleep(0)
    socket.socket().close()


async def test_it_runs_inside_another_loop() -> None:
    outer = asyncio.get_running_loop()

    async def main() -> asyncio.AbstractEventLoop:
        await asyncio.sleep(1)
        return asyncio.get_running_loop()

    loop = SimulatedLoop.new()

    assert loop.run(main()) is loop
    assert asyncio.get_running_loop() is outer


def test_tasks_are_cancelled_in_the_same_order_each_time() -> None:
    def order() -> list[int]:
        cancelled: list[int] = []

        async def child(number: int) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.append(number)

        async def main() -> None:
            async with asyncio.TaskGroup() as group:
                for number in range(50):
                    group.create_task(child(number))
                await asyncio.sleep(1)
                raise asyncio.CancelledError

        with pytest.raises(asyncio.CancelledError):
            SimulatedLoop.new().run(main())
        return cancelled

    junk = [object() for _ in range(1001)]  # so that what comes later lies elsewhere
    first = order()
    del junk[::2]

    assert len(first) == 50
    assert order() == first


def test_a_crash_is_no_cancellation_and_what_is_left_dies_in_silence() -> None:
    loop = SimulatedLoop.new()
    process = Process("victim", loop)
    seen: list[tuple[str, float]] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            for number in range(100):
                await asyncio.sleep(1)
                yield number
        finally:
            await asyncio.sleep(1)
            seen.append(("generator ended", loop.time()))

    async def victim() -> None:
        try:
            async for number in numbers():
                seen.append((f"heard {number}", loop.time()))  # noqa: PERF401 - one at a time
        finally:
            seen.append(("cleaned up", loop.time()))
            asyncio.ensure_future(asyncio.sleep(1))  # noqa: RUF006 - what careless clean-up does
            await asyncio.sleep(1)
            seen.append(("slept after the end", loop.time()))

    async def main() -> list[tuple[str, float]]:
        process.start(victim)
        await asyncio.sleep(2.5)
        process.crash()
        await asyncio.sleep(1000)
        return list(seen)

    assert loop.run(main()) == [("heard 0", 1), ("heard 1", 2)]
    gc.collect()  # nothing may be said about tasks that were never finished
    assert [what for what, _ in seen[2:]] == ["cleaned up"]


def test_a_frozen_process_finds_all_that_came_meanwhile_in_its_order() -> None:
    loop = SimulatedLoop.new()
    process = Process("sleeper", loop)
    heard: list[tuple[str, float]] = []

    async def listen(name: str, delay: float) -> None:
        await asyncio.sleep(delay)
        heard.append((name, loop.time()))

    async def sleeper() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(listen("before", 1))
            group.create_task(listen("second", 4))
            group.create_task(listen("first", 3))
            group.create_task(listen("after", 20))

    async def main() -> None:
        running = process.start(sleeper)
        await asyncio.sleep(2)
        process.freeze()
        await asyncio.sleep(8)
        process.thaw()
        await running

    loop.run(main())

    assert heard == [("before", 1), ("first", 10), ("second", 10), ("after", 20)]


@pytest.mark.parametrize("whose", ["of the world", "of a process"])
def test_what_fails_unheard_is_told_unless_it_is_the_affair_of_a_process(whose: str) -> None:
    loop = SimulatedLoop.new()

    async def failing() -> None:
        raise ValueError("broken")

    async def main() -> None:
        if whose == "of a process":
            Process("careless", loop).start(failing)
        else:
            loop.create_task(failing(), name="sweeper")
        await asyncio.sleep(1)

    if whose == "of a process":
        loop.run(main())
    else:
        with pytest.raises(SimulationError, match=r"sweeper failed: ValueError\('broken'\)"):
            loop.run(main())


def test_what_fails_in_the_end_is_raised_as_it_is() -> None:
    async def main() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        SimulatedLoop.new().run(main())
