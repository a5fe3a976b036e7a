"""An operator of ours beside the same operator on controller-runtime and on kopf, on one real control plane.

Sixteen workers each, where a library has workers. The contenders take turns, so that a busy moment hits all
of them, and each figure is the median of the rounds.
"""

import asyncio
import random
import statistics
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.contenders import GO, KOPF, OURS, Contender, Environment, contenders
from benchmarks.freshness import Freshness
from benchmarks.golang import build
from benchmarks.measured import Measured, UnfinishedError, started
from benchmarks.population import Population
from benchmarks.result import Row, row
from benchmarks.widget import name_of
from windlass.aio import run
from windlass.testing import start_control_plane

_RATE = 20
_SETTLING = 5

Figures = dict[str, float]
Work = Callable[[Contender, int, "OperatorOptions"], Coroutine[Any, Any, Figures]]

_PROMISES = {
    "{stale} stale: wall": ("s", 1.05),
    "{stale} stale: CPU": ("s", 0.9),
    "{stale} stale: memory": ("MB", 0.8),
    "change to status: p50": ("ms", 1.2),
    "change to status: p99": ("ms", 1.2),
    "change to status: CPU/minute": ("s", 1.2),
    "{fill} filled: wall": ("s", 0.6),
    "{fill} filled: CPU": ("s", 0.35),
    "{fill} filled: memory": ("MB", 0.4),
    "{fill} filled: settled": ("MB", 0.4),
}


@dataclass(frozen=True, kw_only=True)
class OperatorOptions:
    """How many Widgets there are, how often all is done, and by whom.

    `stale` Widgets are reconciled and changed, `fill` of them fill a cache; 0 leaves it out. kopf fills its
    index only when asked to: with 100k it does not come to an end.
    """

    rounds: int = 3
    stale: int = 10_000
    fill: int = 100_000
    seconds: int = 30
    names: tuple[str, ...] = (GO, OURS, KOPF)
    kopf_fills: bool = False


def operator(environment: Environment, options: OperatorOptions) -> list[Row]:
    """The rows of the design page that are about operators."""
    program = build()
    with start_control_plane() as running:
        every = contenders(environment, running.access.kubeconfig, program)
        chosen = [every[name] for name in options.names]
        figures = run(_race(Population(running.access.kubeconfig), chosen, options))
    return list(_rows(figures, options))


async def _race(
    population: Population, chosen: list[Contender], options: OperatorOptions
) -> dict[str, Figures]:
    found: dict[str, list[Figures]] = {each.name: [] for each in chosen}
    async with population:
        if options.stale:
            await _created(population, range(options.stale))
            async for each, figures in _turns(chosen, options, lambda *turn: _reconcile(population, *turn)):
                found[each.name].append(figures)
                if each.name == KOPF:
                    await population.strip(range(options.stale))
        if options.fill:
            await _created(population, range(options.stale, options.fill))
            filling = [each for each in chosen if each.name != KOPF or options.kopf_fills]
            async for each, figures in _turns(filling, options, _fill):
                found[each.name].append(figures)
    return {name: _medians(rounds) for name, rounds in found.items()}


async def _created(population: Population, indexes: range) -> None:
    begin = time.perf_counter()
    await population.create(indexes)
    print(f"{len(indexes)} Widgets created in {time.perf_counter() - begin:.0f} s", flush=True)


async def _turns(
    chosen: list[Contender], options: OperatorOptions, work: Work
) -> AsyncIterator[tuple[Contender, Figures]]:
    """Let the contenders work in turns; one that did not come to an end is left out from then on."""
    waiting = list(chosen)
    for number in range(options.rounds):
        for each in tuple(waiting):
            try:
                figures = await work(each, number, options)
            except UnfinishedError as error:
                print(f"round {number + 1}, {each.name}: {error}", flush=True)
                waiting.remove(each)
                continue
            told = ", ".join(f"{name.partition(': ')[2]} {value:.1f}" for name, value in figures.items())
            print(f"round {number + 1}, {each.name}: {told}", flush=True)
            yield each, figures


async def _reconcile(
    population: Population, contender: Contender, number: int, options: OperatorOptions
) -> Figures:
    """Start an operator to which all statuses are stale; once they are fresh, make changes."""
    seed = f"{contender.name}-{number}"
    freshness = Freshness(seed, options.stale)
    async with population.watch(freshness.see):
        begin = time.perf_counter()
        async with started(*contender.reconcile(seed)) as process:
            await process.until(freshness.all_fresh.wait())
            wall, cost = time.perf_counter() - begin, process.cost()
            await asyncio.sleep(_SETTLING)
            changes = await _changes(population, freshness, process, options)
    return {
        "{stale} stale: wall": wall,
        "{stale} stale: CPU": cost.cpu,
        "{stale} stale: memory": cost.peak,
        **changes,
    }


async def _changes(
    population: Population, freshness: Freshness, process: Measured, options: OperatorOptions
) -> Figures:
    """Change Widgets at a steady rate, each at most once; what counts is from the answer to the status."""
    chosen = random.Random(0).sample(range(options.stale), options.seconds * _RATE)  # noqa: S311 - no secret

    async def change(number: int, index: int) -> float:
        await asyncio.sleep(begin + number / _RATE - time.perf_counter())
        generation = await population.revise(index)
        written = time.perf_counter()
        return await freshness.knows(name_of(index), generation) - written

    before, begin = process.cost().cpu, time.perf_counter()
    everything = asyncio.gather(*(change(number, index) for number, index in enumerate(chosen)))
    latencies = await process.until(everything)
    spent, took = process.cost().cpu - before, time.perf_counter() - begin
    hundredths = statistics.quantiles(latencies, n=100)
    return {
        "change to status: p50": hundredths[49] * 1000,
        "change to status: p99": hundredths[98] * 1000,
        "change to status: CPU/minute": spent / took * 60,
    }


async def _fill(contender: Contender, _number: int, options: OperatorOptions) -> Figures:
    """Start an operator that only fills its cache; its memory is also looked at once that has settled."""
    begin = time.perf_counter()
    async with started(*contender.fill(options.fill)) as process:
        await process.until(process.says("synced"))
        wall, cost = time.perf_counter() - begin, process.cost()
        await asyncio.sleep(_SETTLING)
        settled = process.cost()
    return {
        "{fill} filled: wall": wall,
        "{fill} filled: CPU": cost.cpu,
        "{fill} filled: memory": settled.peak,
        "{fill} filled: settled": settled.memory,
    }


def _medians(rounds: list[Figures]) -> Figures:
    names = {name for figures in rounds for name in figures}
    return {name: statistics.median(figures[name] for figures in rounds if name in figures) for name in names}


def _rows(found: dict[str, Figures], options: OperatorOptions) -> Iterator[Row]:
    sizes = {"stale": f"{options.stale // 1000}k", "fill": f"{options.fill // 1000}k"}
    ours = found.pop(OURS, {})
    for name, (unit, promise) in _PROMISES.items():
        for peer, figures in found.items():
            if name in ours and name in figures:
                bound = promise if peer == GO else 1.0
                yield row(name.format_map(sizes), unit, peer, (ours[name], figures[name]), bound)
