from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from planted import CreatesTwice, Registry, Shops, scenario_of
from windlass.errors import SimulationError, SimulationFailed
from windlass.testing import simulate

if TYPE_CHECKING:
    from windlass.manager import Manager
    from windlass.testing import SimulatedWorld

LIB = Path(__file__).parents[3] / "lib"
DIGESTS = """
import sys
sys.path.insert(0, sys.argv[1])
from planted import Shops
from windlass.testing import simulate
from workloads import Workloads
for scenario, seed in ((Shops, 1), (Shops, 2), (Shops, 15), (Shops, 35), (Workloads, 1), (Workloads, 2)):
    print(simulate(scenario, seed).digest)
"""


def test_two_processes_with_other_hashes_have_the_same_traces() -> None:
    def digests(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", DIGESTS, str(LIB)]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        return done.stdout

    first = digests("1")

    assert len(set(first.split())) == 6
    assert digests("2") == first


def test_a_failure_tells_the_fault_the_disturbances_that_suffice_and_how_to_have_it_again() -> None:
    with pytest.raises(SimulationFailed) as failed:
        simulate(scenario_of(CreatesTwice), 1)

    message, outcome = str(failed.value), failed.value.outcome
    assert message.startswith("CreatesTwice, seed 1: no duplicate effect: Registry has ")
    few = message.partition("disturbances that suffice, ")[2]
    count, total = few.split(":")[0].split(" of ")
    assert 0 < int(count) < int(total) == len(outcome.disturbances)
    assert "the end of the trace with these:\n" in message
    assert "judge        finds      no duplicate effect" in message
    assert "simulate(CreatesTwice, seed=1), or pytest --simulation-seed 1" in message


def test_a_seed_that_cannot_be_had_again_is_told_as_such() -> None:
    count = iter(range(1000))

    class Changing(scenario_of(CreatesTwice)):  # type: ignore[misc] # made on the fly
        @override
        async def play(self, world: SimulatedWorld) -> None:
            world.trace.add("play", "number", str(next(count)))
            await super().play(world)

    with pytest.raises(SimulationFailed, match="the seed cannot be had again") as failed:
        simulate(Changing, 1)

    assert "number     0" in str(failed.value)
    assert "number     1" in str(failed.value)


def test_an_operator_that_wants_a_thread_is_told_so() -> None:
    class Threads(Shops):
        @override
        def operator(self, manager: Manager, world: SimulatedWorld) -> None:
            super().operator(manager, world)
            import threading

            threading.Thread(target=print).start()

    with pytest.raises(SimulationError, match="a thread was to be started"):
        simulate(Threads, 1)


async def test_a_token_makes_an_attempt_the_same_as_the_one_before() -> None:
    registry = Registry()
    first = await registry.enter("a", "token")

    assert await registry.enter("a", "token") == first
    await registry.strike("a", "token")
    assert await registry.enter("a", "token") == first
    assert list(registry.holdings()) == []


def test_what_a_scenario_raises_is_raised_with_the_seed_and_the_end_of_the_trace() -> None:
    class Wrong(Shops):
        @override
        async def play(self, world: SimulatedWorld) -> None:
            await super().play(world)
            raise ValueError("a mistake in the scenario")

    with pytest.raises(ExceptionGroup) as failed:
        simulate(Wrong, 3)

    [note] = failed.value.__notes__
    assert note.startswith("in a simulation with the seed 3, whose trace ends so:\n")
    assert failed.group_contains(ValueError, match="a mistake")
