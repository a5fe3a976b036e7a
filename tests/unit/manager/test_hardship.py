"""An operator and the world at its worst: in the end all is as it should be, and nothing was done twice."""

from __future__ import annotations

from datetime import timedelta

import pytest

from scenario import scenario
from windlass.testing import Faults

A_SECOND = timedelta(seconds=1)


async def test_a_server_that_goes_away_in_the_middle_of_a_thousand_reconciles() -> None:
    async with scenario() as world:
        await world.make(250)
        operator = world.operator()
        operator.start()
        for _ in range(4):
            await world.pass_time()
            operator.transport.partition()
            await world.change_some(0.3)
            await world.delete_some(0.02)
            await world.pass_time(3 * A_SECOND)
            operator.transport.heal()

        await world.converged()

        assert operator.reconciler.runs > 300
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


async def test_a_history_that_is_compacted_while_the_operator_is_away() -> None:
    async with scenario() as world:
        operator = world.operator()
        operator.start()
        await world.make(40)
        await world.converged()
        for how in ("refused", "silent", "deaf"):
            operator.transport.partition(how)
            await world.change_some(0.3)
            await world.delete_some(0.2)
            await world.make(5, how)
            world.cluster.compact()
            await world.pass_time(5 * A_SECOND)
            operator.transport.heal()

            await world.converged()
