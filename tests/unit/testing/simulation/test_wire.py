from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from windlass.testing import SimulatedLoop, Weather
from windlass.testing.simulation.chance import Chance
from windlass.testing.simulation.process import Process
from windlass.testing.simulation.trace import Trace
from windlass.testing.simulation.weather import Forecast
from windlass.testing.simulation.wire import Parcel, Split, Wire

CALM = Weather(faults=0, crashes=0, stalls=0)


class Sending:
    """A process that asks for something, once."""

    def __init__(self, seed: int, weather: Weather) -> None:
        self.loop = SimulatedLoop.new()
        chance = Chance(seed)
        self.wire = Wire(self.loop, chance, Forecast(weather, chance), Trace(self.loop))
        self.process = Process("sender", self.loop)
        self.done = 0
        self.heard: list[str] = []

    def run(self) -> None:
        self.loop.run(self._main())

    async def _main(self) -> None:
        self.process.start(self._ask)
        await asyncio.sleep(timedelta(minutes=5).total_seconds())

    async def _ask(self) -> None:
        parcel = Parcel(about="it", work=self._work, failure=_failure, said=str, timeout=60)
        try:
            self.heard.append(await self.wire.carry(self.process, parcel))
        except ConnectionError as error:
            self.heard.append(str(error))

    async def _work(self) -> str:
        self.done += 1
        return "answer"


def _failure(sent: bool) -> Exception:  # noqa: FBT001 - as a parcel has it
    return ConnectionError("sent" if sent else "not sent")


def test_without_disturbance_all_arrives() -> None:
    sending = Sending(1, CALM)
    sending.run()

    assert (sending.done, sending.heard) == (1, ["answer"])


def test_what_left_before_a_crash_may_arrive_and_is_never_answered() -> None:
    done: set[int] = set()
    for seed in range(60):
        sending = Sending(seed, replace(CALM, crashes=1))
        sending.run()
        if sending.process.state == "dead":  # some seeds have no crashes at all
            done.add(sending.done)
            assert sending.heard == []

    assert done == {0, 1}


def test_a_fault_loses_the_request_or_the_answer_or_makes_it_late() -> None:
    seen: set[tuple[int, str]] = set()
    for seed in range(80):
        sending = Sending(seed, replace(CALM, faults=1))
        sending.run()
        seen.add((sending.done, *sending.heard))  # type: ignore[arg-type] # there is one

    assert seen == {(0, "not sent"), (0, "sent"), (1, "sent"), (1, "answer")}


@pytest.mark.parametrize(
    ("split", "done", "heard"), [("refused", 0, "not sent"), ("silent", 0, "sent"), ("deaf", 1, "sent")]
)
def test_a_split_network_swallows_what_it_says(split: Split, done: int, heard: str) -> None:
    sending = Sending(1, CALM)
    sending.wire.splits[sending.process] = split
    sending.run()

    assert (sending.done, sending.heard) == (done, [heard])
