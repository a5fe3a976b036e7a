"""One run of one seed, from an empty cluster to the last judge."""

from __future__ import annotations

import asyncio
import gc
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from windlass.apiserver import World
from windlass.cluster import Cluster, ClusterOptions
from windlass.testing.install import install_kinds
from windlass.testing.simulation.chance import Chance
from windlass.testing.simulation.channel import Channels
from windlass.testing.simulation.clock import SimulatedClock
from windlass.testing.simulation.court import Court, Finding
from windlass.testing.simulation.crew import Crew
from windlass.testing.simulation.logs import logging_to
from windlass.testing.simulation.loop import SimulatedLoop, in_silence
from windlass.testing.simulation.storm import Storm
from windlass.testing.simulation.sweeper import Sweeper
from windlass.testing.simulation.trace import Trace
from windlass.testing.simulation.truth import Truth
from windlass.testing.simulation.weather import Forecast
from windlass.testing.simulation.wire import Wire
from windlass.testing.simulation.world import SimulatedWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from windlass.testing.simulation.scenario import Scenario

_LINES = 20


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a seed.

    `digest` is that of the trace, the same in every process. `disturbances` are the names of those that
    happened.
    `duration` is in virtual seconds.
    """

    seed: int
    finding: Finding | None
    trace: Trace
    digest: str
    disturbances: Sequence[str]
    duration: float


def run_seed(scenario: Callable[[], Scenario], seed: int, only: frozenset[str] | None = None) -> Outcome:
    """Run a scenario with what a seed decides, or with a part of its disturbances only.

    Raises:
        SimulationError: the simulation itself cannot go on.
    """
    loop = SimulatedLoop.new()
    chance = Chance(seed, only)
    trace = Trace(loop)
    court: list[Court] = []
    with _collector_at_rest(), logging_to(trace):
        try:
            loop.run(_simulate(scenario(), loop, chance, trace, court))
        except Exception as error:
            error.add_note(f"in a simulation with the seed {seed}, whose trace ends so:\n{trace.end(_LINES)}")
            raise
        finding = court[0].finding if court else None
        duration = loop.time()
        court.clear()
        del loop
    return Outcome(
        seed=seed,
        finding=finding,
        trace=trace,
        digest=trace.digest,
        disturbances=chance.happened,
        duration=duration,
    )


async def _simulate(
    scenario: Scenario, loop: SimulatedLoop, chance: Chance, trace: Trace, courts: list[Court]
) -> None:
    forecast = Forecast(scenario.weather, chance)
    wire = Wire(loop, chance, forecast, trace)
    truth = Truth(loop, trace.secrets)
    world_of_server = World(
        store=truth.store,
        clock=SimulatedClock(loop),
        chance=Random(f"{chance.seed}/server"),  # noqa: S311 - the same each time
    )
    options = ClusterOptions(world=world_of_server, upkeep=False, controllers=scenario.controllers)
    async with Cluster(options) as cluster:
        channels = Channels(wire, forecast.share("lags"), scenario.weather.longest_lag)
        world = SimulatedWorld(scenario, cluster.transport(), truth, channels)
        own = [kind for kind in scenario.kinds if not kind.__module__.startswith("windlass.kinds.")]
        await install_kinds(world.client, own, world_of_server.clock)
        size = 2 if scenario.elects and chance.number("swarm", "elects") < 1 / 2 else 1
        crew = Crew(world, wire, size, cluster.lead)
        court = world.court = Court(world, crew, scenario.judges())
        courts.append(court)
        truth.follow(court.looked)
        if scenario.sweeps and not scenario.controllers:
            Sweeper(truth, cluster.transport(), wire)
        crew.start()
        await crew.joined.wait()
        async with asyncio.TaskGroup() as group:
            group.create_task(Storm(world, crew, channels, cluster.compact).rage(forecast))
            group.create_task(scenario.play(world))
        trace.add("weather", "CALM")
        chance.calm = True
        await court.examine()


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Let no garbage be collected in the midst of a run, and all of what it leaves at its end, in silence.

    When the collector comes depends on everything that the process did before, and what it finds may act: an
    asynchronous generator ends when it is collected. What is left of processes that crashed may complain.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        with in_silence():
            gc.collect(1)
        if enabled:
            gc.enable()
