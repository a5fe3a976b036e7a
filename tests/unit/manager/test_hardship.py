"""An operator and the world at its worst: in the end all is as it should be, and nothing was done twice."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scenario import A_SECOND, ELECTED, OPERATOR, Renting, scenario
from windlass.controller import BreakerOptions, ControllerOptions
from windlass.errors import Terminal
from windlass.reconcile import Context, Result
from windlass.testing import Faults, Scope

PARTITIONS: tuple[Any, ...] = ("refused", "silent", "deaf")

if TYPE_CHECKING:
    from scenario import Outside, Scenario
    from widget import Widget


async def test_a_server_that_goes_away_in_the_middle_of_a_thousand_reconciles() -> None:
    async with scenario() as world:
        await world.make(1000)
        operator = world.operator()
        operator.start()
        for _ in range(4):
            await world.pass_time()
            operator.transport.partition()
            await world.change_some(0.05)
            await world.delete_some(0.01)
            await world.pass_time(3 * A_SECOND)
            operator.transport.heal()

        await world.converged()

        assert operator.reconciler.runs >= 1000
        assert operator.transport.count("partition")


async def test_watches_that_are_cut_every_second() -> None:
    async with scenario() as world:
        operator = world.operator(Faults(cut_every=A_SECOND, silent=0.1))
        operator.start()
        await world.make(40)
        for _ in range(10):
            await world.change_some(0.3)
            await world.delete_some(0.02)
            await world.pass_time()
        await world.make(10, "late")

        await world.converged()

        assert operator.transport.count("cut") > 10


@pytest.mark.parametrize("seed", range(3))
async def test_a_tenth_of_the_requests_fails(seed: int) -> None:
    faults = Faults(conflict=0.03, busy=0.02, throttled=0.01, failed=0.03, unavailable=0.01)
    async with scenario(seed) as world:
        operator = world.operator(faults)
        operator.start()
        await world.make(60)
        for _ in range(5):
            await world.change_some(0.3)
            await world.delete_some(0.05)
            await world.pass_time()

        await world.converged()

        assert len(operator.transport.log) > 20


@pytest.mark.parametrize("seed", range(3))
async def test_answers_are_lost_of_what_was_carried_out(seed: int) -> None:
    faults = Faults(lost=0.1, timed_out=0.05, late=0.1, refused=0.05, longest_delay=A_SECOND)
    async with scenario(seed) as world:
        operator = world.operator(faults)
        operator.start()
        await world.make(60)
        for _ in range(5):
            await world.change_some(0.3)
            await world.delete_some(0.05)
            await world.pass_time()

        await world.converged()

        assert operator.transport.count("lost") > 10


def everything_that_can_go_wrong() -> tuple[Faults, ...]:
    """What the operator meets in the server, and nobody else."""
    only = Scope(user=OPERATOR)
    shares: dict[str, Any] = dict.fromkeys(
        ("conflict", "busy", "throttled", "failed", "unavailable", "abandoned"), 0.02
    ) | dict.fromkeys(("dropped", "lost", "timed_out"), 0.03)
    return (
        Faults(**shares, late=0.1, stale=0.2, compacted=0.02, only=only),
        Faults(cut=0.02, cut_every=10 * A_SECOND, silent=0.1, delayed=0.3, only=only),
    )


@pytest.mark.parametrize("seed", range(5))
async def test_a_server_in_which_everything_goes_wrong_that_can(seed: int) -> None:
    async with scenario(seed) as world:
        with world.cluster.faults.applied(*everything_that_can_go_wrong(), seed=seed) as faults:
            world.operator().start()
            await world.make(40)
            for _ in range(8):
                await world.change_some(0.3)
                await world.delete_some(0.05)
                await world.pass_time(5 * A_SECOND)

            await world.converged()

            met = {each.fault for each in faults.log}
    assert met >= {"lost", "dropped", "timed_out", "late", "stale", "cut", "delayed", "compacted"}


async def test_a_history_that_is_compacted_while_the_operator_is_away() -> None:
    async with scenario() as world:
        operator = world.operator()
        operator.start()
        await world.make(40)
        await world.converged()
        for how in PARTITIONS:
            operator.transport.partition(how)
            await world.change_some(0.3)
            await world.delete_some(0.2)
            await world.make(5, how)
            world.cluster.compact()
            await world.pass_time(5 * A_SECOND)
            operator.transport.heal()

            await world.converged()


@pytest.mark.parametrize("seed", range(4))
async def test_two_processes_under_partitions_never_both_write(seed: int) -> None:
    random = Random(seed)
    async with scenario(seed) as world:
        pair = [world.operator(Faults(lost=0.02, late=0.1), options=ELECTED) for _ in range(2)]
        for each in pair:
            each.start()
        await world.make(20)
        for _ in range(6):
            await world.pass_time(random.randrange(2, 20) * A_SECOND)
            leaders = [each for each in pair if each.manager.is_leading]
            for each in leaders or pair[:1]:
                each.transport.partition(random.choice(PARTITIONS))
            await world.change_some(0.3)
            await world.delete_some(0.02)
            await world.pass_time(random.randrange(5, 40) * A_SECOND)
            if random.random() < 0.5:  # nobody can be reached, and the first comes back into that
                for each in pair:
                    each.transport.partition(random.choice(PARTITIONS))
                await world.pass_time(random.randrange(5, 20) * A_SECOND)
            for each in pair:
                each.transport.heal()

        await world.converged()

        assert [each.witness.intruders for each in pair] == [[], []]
        assert all(each.witness.writes for each in pair)


@pytest.mark.parametrize("seed", range(4))
async def test_two_processes_on_a_server_in_which_everything_goes_wrong_never_both_write(seed: int) -> None:
    async with scenario(seed) as world:
        with world.cluster.faults.applied(*everything_that_can_go_wrong(), seed=seed):
            pair = [world.operator(options=ELECTED) for _ in range(2)]
            for each in pair:
                each.start()
            await world.make(20)
            for _ in range(8):
                await world.pass_time(10 * A_SECOND)
                await world.change_some(0.3)
                await world.delete_some(0.02)

            await world.converged()

            assert [each.witness.intruders for each in pair] == [[], []]


async def test_a_process_that_is_told_to_stop_hands_over_in_the_middle() -> None:
    async with scenario() as world:
        await world.make(100)
        for _ in range(4):
            operator = world.operator(options=ELECTED)
            operator.start()
            await world.pass_time()
            await world.change_some()
            await world.stop(operator)
            assert operator.transport.streams == 0
        last = world.operator(options=ELECTED)
        last.start()

        await world.converged()

        assert all(each.reconciler.runs for each in world.operators)
        assert [each.witness.intruders for each in world.operators] == [[]] * 5


@pytest.mark.parametrize("seed", range(3))
async def test_a_process_that_is_killed_leaves_nothing_undone_and_nothing_to_be_done_twice(seed: int) -> None:
    async with scenario(seed) as world:
        await world.make(60)
        for _ in range(5):
            operator = world.operator(Faults(lost=0.05))
            operator.start()
            await world.pass_time(A_SECOND / 4)
            await world.change_some()
            await world.delete_some(0.05)
            await world.kill(operator)
        world.operator().start()

        await world.converged()


@pytest.mark.parametrize("hours", [-24, -1, 1, 24])
async def test_a_wall_clock_that_jumps(hours: int) -> None:
    async with scenario() as world:
        pair = [world.operator(options=ELECTED) for _ in range(2)]
        for each in pair:
            each.start()
        await world.make(20)
        await world.converged()
        world.clock.jump(timedelta(hours=hours))
        await world.change_some()
        await world.pass_time(5 * A_SECOND)
        assert await world.wrong() == []  # nobody had to wait for a lease
        world.clock.jump(timedelta(hours=-hours))
        await world.delete_some()

        await world.converged()

        assert [each.witness.intruders for each in pair] == [[], []]


async def test_a_machine_that_was_suspended() -> None:
    async with scenario() as world:
        pair = [world.operator(options=ELECTED) for _ in range(2)]
        for each in pair:
            each.start()
        await world.make(20)
        await world.pass_time(A_SECOND)
        world.clock.suspend(timedelta(hours=1))
        await world.change_some()

        await world.converged()

        assert [each.witness.intruders for each in pair] == [[], []]


class Troubled(Renting):
    """Does with some Widgets what no reconciler should."""

    def __init__(self, world: Scenario, outside: Outside) -> None:
        super().__init__(outside)
        self._world = world
        self.turns: dict[str, int] = {}

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[Any]:
        name = ctx.key.name
        self.turns[name] = self.turns.get(name, 0) + 1
        match name.rstrip("0123456789"):
            case "raises":
                raise RuntimeError("no")
            case "terminal":
                raise Terminal("No", "never")
            case "hangs":
                await self._world.clock.sleep(timedelta(days=1))
            case "spins":
                return Result.ready(again=timedelta())
            case "fights":
                await self._world.label(name, str(self.turns[name]))
        return await super().reconcile(resource, ctx)


async def test_objects_in_trouble_hold_up_no_others() -> None:
    limits = ControllerOptions(
        workers=4,
        time_limit=10 * A_SECOND,
        breaker=BreakerOptions(runs=50, writing_runs=10),
    )
    troubles = ("raises", "terminal", "hangs", "spins", "fights")
    async with scenario() as world:
        reconciler = Troubled(world, world.outside)
        operator = world.operator(reconciler=reconciler, controller=limits)
        operator.start()
        for trouble in troubles:
            await world.make(2, trouble)
        await world.make(30)
        await world.pass_time(25 * A_SECOND)
        await world.change_some()

        def is_well(told: str) -> bool:
            return told.startswith(troubles) or not told.startswith("w")

        async def wrong() -> list[str]:
            return [each for each in await world.wrong() if not is_well(each)]

        await world.until(wrong)

        assert reconciler.turns["terminal0"] <= 2  # it changed once at most
        assert 2 < reconciler.turns["raises0"] < 30
        assert reconciler.turns["hangs0"] >= 2
        assert reconciler.turns["fights0"] < 200
