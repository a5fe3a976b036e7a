"""Fetches in the background: none holds its caller, none outlives it, and all namespaces get their turns."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from windlass.api import Key
from windlass.errors import ChartError
from windlass.helm import Chart
from windlass.helm.source import Charts, Fetches, Wanted
from windlass.testing.simulation.loop import SimulatedLoop

if TYPE_CHECKING:
    from collections.abc import Callable

CHART = Chart(path=Path("shop"), name="shop", version="1.0.0", digest="0" * 64)


class HeldCharts(Charts):
    """Fetches end when `end` says how."""

    def __init__(self) -> None:
        self.running: dict[str, asyncio.Future[Chart]] = {}
        self.begun: list[str] = []

    @override
    async def fetch(self, wanted: Wanted) -> Chart:
        held: asyncio.Future[Chart] = asyncio.get_running_loop().create_future()
        self.running[wanted.name] = held
        self.begun.append(wanted.name)
        try:
            return await held
        finally:
            del self.running[wanted.name]

    async def end(self, name: str, error: Exception | None = None) -> None:
        """End a fetch, and let what follows from it happen."""
        if error is None:
            self.running[name].set_result(CHART)
        else:
            self.running[name].set_exception(error)
        await settle()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@dataclass
class Asking:
    """Objects that ask for charts of their own names; `woken` are those that were woken."""

    most: int = 6
    of_namespace: int = 3
    charts: HeldCharts = field(default_factory=HeldCharts)
    woken: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.fetches = Fetches(self.charts, self.most, self.of_namespace)

    async def ask(self, name: str, namespace: str = "team-a", version: str = "") -> Chart | None:
        wanted = Wanted(name=name, origin="https://charts.example.com", version=version)
        try:
            return self.fetches.ask(Key(namespace, name), wanted, self._wake(name))
        finally:
            await settle()

    def _wake(self, name: str) -> Callable[[], None]:
        return lambda: self.woken.append(name)


async def test_who_asks_is_woken_when_the_chart_is_there() -> None:
    asking = Asking()

    assert [await asking.ask("a") for _ in range(2)] == [None, None]
    assert asking.woken == []
    await asking.charts.end("a")
    assert asking.woken == ["a"]
    assert await asking.ask("a") == CHART
    assert asking.charts.begun == ["a"]


async def test_a_failure_is_raised_once_it_is_known_and_until_there_is_another_outcome() -> None:
    asking = Asking()
    await asking.ask("a")
    await asking.charts.end("a", ChartError("gone"))

    for begun in (1, 2, 2):
        with pytest.raises(ChartError, match="gone"):
            await asking.ask("a")
        assert len(asking.charts.begun) == begun
    await asking.charts.end("a")

    assert asking.woken == ["a", "a"]
    assert await asking.ask("a") == CHART


async def test_what_is_no_longer_wanted_is_cancelled_and_its_turn_given_on() -> None:
    asking = Asking(most=1)
    await asking.ask("a", version="1")
    await asking.ask("a", version="2")
    assert (asking.charts.begun, len(asking.charts.running)) == (["a", "a"], 1)

    await asking.ask("b")
    assert "b" not in asking.charts.begun
    asking.fetches.forget(Key("team-a", "a"))
    await settle()
    assert list(asking.charts.running) == ["b"]


async def test_namespaces_have_their_turns_in_turn_and_no_more_than_their_share() -> None:
    asking = Asking(most=3, of_namespace=2)
    for number in range(6):
        await asking.ask(f"a{number}")
    await asking.ask("b0", "team-b")
    await asking.ask("c0", "team-c")
    assert asking.charts.begun == ["a0", "a1", "b0"]
    assert [asking.fetches.is_fetching(Key("team-a", each)) for each in ("a1", "a2")] == [True, False]

    await asking.charts.end("a0")
    assert asking.charts.begun[3:] == ["c0"]
    await asking.charts.end("b0")
    assert asking.charts.begun[4:] == ["a2"]


async def test_a_fetch_ends_with_the_task_that_asked_and_is_begun_anew_by_another() -> None:
    asking = Asking(most=1)

    async def work() -> None:
        await asking.ask("a")
        await asking.ask("b")
        await asyncio.get_running_loop().create_future()

    worker = asyncio.create_task(work())
    await settle()
    await settle()
    await settle()
    assert list(asking.charts.running) == ["a"]
    worker.cancel()
    await settle()

    assert asking.charts.running == {}
    assert asking.woken == []
    await asking.ask("b")
    assert list(asking.charts.running) == ["b"]


def test_who_has_not_asked_for_a_minute_is_passed_over() -> None:
    async def waiting() -> list[str]:
        asking = Asking(most=1)
        for name in ("a", "gone-1", "gone-2", "b"):
            await asking.ask(name)
        for _ in range(7):
            await asyncio.sleep(10)
            await asking.ask("b")
        await asking.charts.end("a")
        await settle()
        return asking.charts.begun

    assert SimulatedLoop.new().run(waiting()) == ["a", "b"]
