"""Whatever networks, clocks and suspensions do: never may two act, and in the end one does."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elections import Process, Way, settle
from windlass.cluster import Cluster

NAMES = ("a", "b", "c")
LEADER = -1
"""In place of a number: whoever may act when it happens, to whom most of what matters happens."""

# How fast clocks run. The fastest and the slowest may differ by less than 15 to 10, as the lease's duration
# and the renew deadline do.
RATES = st.sampled_from([0.85, 1.2])


@dataclass(frozen=True)
class Change:
    """A link that becomes another."""

    who: int
    way: Way

    async def happen(self, world: World) -> None:
        world.processes[world.number(self.who)].link.way = self.way


@dataclass(frozen=True)
class Delivery:
    """What was on its way, for however long, arrives."""

    who: int

    async def happen(self, world: World) -> None:
        await world.processes[world.number(self.who)].link.deliver()


@dataclass(frozen=True)
class Suspension:
    """One machine is suspended while time passes for the others."""

    who: int
    seconds: float

    async def happen(self, world: World) -> None:
        number = world.asleep = world.number(self.who)
        await Passing(self.seconds).happen(world)
        world.asleep = None
        clock = world.processes[number].clock
        clock.suspend(timedelta(seconds=self.seconds * world.rates[number]))
        world.look()


@dataclass(frozen=True)
class Jump:
    """One wall clock is set."""

    who: int
    seconds: float

    async def happen(self, world: World) -> None:
        world.processes[world.number(self.who)].clock.jump(timedelta(seconds=self.seconds))


@dataclass(frozen=True)
class Passing:
    """Time passes, for each at the rate of its clock."""

    seconds: float

    async def happen(self, world: World) -> None:
        left = self.seconds
        while left > 0:
            step = min(left, 0.5)
            left -= step
            for number, (process, rate) in enumerate(zip(world.processes, world.rates, strict=True)):
                if number != world.asleep:
                    await process.clock.advance(timedelta(seconds=step * rate))
                    world.look()
            await settle()
            world.look()


Event = Change | Delivery | Suspension | Jump | Passing

who = st.sampled_from([LEADER, LEADER, *range(len(NAMES))])
ways = st.sampled_from(["open", "open", "refused", "silent", "deaf", "late"])
disturbances = st.one_of(
    st.builds(Change, who, ways),
    st.builds(Suspension, who, st.sampled_from([1, 8, 25])),
    st.builds(Jump, who, st.sampled_from([-1e6, -10, 10, 1e6])),
    st.builds(Delivery, who),
)
scenes = st.tuples(
    st.lists(disturbances, min_size=1, max_size=3), st.builds(Passing, st.sampled_from([3, 9, 20]))
)


class World:
    """Processes on one server, each with its own clock and link."""

    def __init__(self, cluster: Cluster, rates: tuple[float, ...]) -> None:
        self.processes = [Process(cluster, name) for name in NAMES[: len(rates)]]
        self.rates = rates
        self.asleep: int | None = None
        self.acting: set[str] = set()

    def look(self) -> None:
        """Who may act at this instant; one that is asleep asks nobody."""
        now = {
            process.name
            for number, process in enumerate(self.processes)
            if number != self.asleep and process.passes()
        }
        assert len(now) <= 1, f"{now} act at once"
        self.acting |= now

    def number(self, who: int) -> int:
        """Which process is meant."""
        acting = [number for number, process in enumerate(self.processes) if process.passes()]
        return (acting or [0])[0] if who == LEADER else who

    async def heal(self) -> None:
        for process in self.processes:
            process.link.way = "open"
        await Passing(40).happen(self)

    async def close(self) -> None:
        for process in self.processes:
            process.link.way = "refused"
        for process in self.processes:
            await process.stop()


async def live(rates: tuple[float, ...], plan: list[Event]) -> World:
    async with Cluster() as cluster:
        world = World(cluster, rates)
        try:
            await settle()
            world.look()
            for event in plan:
                await event.happen(world)
                world.look()
            await world.heal()
            leading = [process.name for process in world.processes if process.passes()]
            assert len(leading) == 1, "nobody leads although everybody can"
            assert [process.terms for process in world.processes].count(1) == 1
        finally:
            await world.close()
    return world


@pytest.mark.property
@settings(max_examples=settings().max_examples // 2)
@given(st.tuples(RATES, RATES, RATES), st.lists(scenes, min_size=1, max_size=4))
def test_never_two_act_and_in_the_end_one_does(
    rates: tuple[float, ...], plan: list[tuple[list[Event], Event]]
) -> None:
    asyncio.run(live(rates, [event for happens, passing in plan for event in (*happens, passing)]))


def test_the_lead_passes_on_when_the_leader_is_cut_off_and_back_when_the_next_one_is() -> None:
    plan: list[Event] = [
        Passing(5),
        Change(0, "silent"),
        Passing(30),
        Change(0, "open"),
        Change(1, "late"),
        Passing(30),
        Delivery(1),
    ]
    assert asyncio.run(live((1.0, 1.0), plan)).acting == {"a", "b"}


def test_clocks_that_disagree_by_more_than_the_page_allows_let_two_act() -> None:
    slow: list[Event] = [Passing(5), Change(0, "silent"), Passing(20)]
    with pytest.raises(AssertionError, match="act at once"):
        asyncio.run(live((0.5, 1.0), slow))
