from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from windlass.errors import SimulationFailed
from windlass.testing.simulation.run import Outcome, run_seed
from windlass.testing.simulation.shrink import shrink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from windlass.testing.simulation.scenario import Scenario

_ATTEMPTS = 60
_LINES = 40


@dataclass
class Survey:
    """What many seeds came to: how many there were, in how much virtual time, with which disturbances."""

    seeds: int = 0
    duration: float = 0.0
    disturbances: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        """Count a seed."""
        self.seeds += 1
        self.duration += outcome.duration
        self.disturbances.update(name.partition(" ")[0] for name in outcome.disturbances)


class Simulate(Protocol):
    """What the fixture `simulate` is."""

    def __call__(self, scenario: Callable[[], Scenario], seeds: int = 50) -> Survey:
        """Run a scenario with so many seeds."""


def simulate(scenario: Callable[[], Scenario], seed: int, *, attempts: int = _ATTEMPTS) -> Outcome:
    """Run a scenario with everything that a seed decides, and have it judged.

        outcome = simulate(Shop, seed=4711)
        print(outcome.trace)

    A seed that fails is run again, to see that it can be, and with ever fewer disturbances, `attempts` times
    at most.

    Raises:
        SimulationFailed: a judge has found something; the message has all that is needed to have it again.
        SimulationError: the simulation itself cannot go on.
    """
    outcome = run_seed(scenario, seed)
    if outcome.finding is None:
        return outcome
    again = run_seed(scenario, seed)
    if again.digest != outcome.digest:
        raise SimulationFailed(_said_difference(scenario, outcome, again), outcome)
    judge = outcome.finding.judge

    def still_fails(names: Sequence[str]) -> bool:
        found = run_seed(scenario, seed, frozenset(names)).finding
        return found is not None and found.judge == judge

    shortest = outcome
    if attempts:
        kept = shrink(outcome.disturbances, still_fails, attempts)
        shortest = run_seed(scenario, seed, frozenset(kept))
    raise SimulationFailed(_said(scenario, outcome, shortest), outcome)


def simulate_many(
    scenario: Callable[[], Scenario], seeds: Iterable[int], *, attempts: int = _ATTEMPTS
) -> Survey:
    """Run a scenario with one seed after the other.

    Raises:
        SimulationFailed: the first seed that failed; see `simulate`.
    """
    survey = Survey()
    for seed in seeds:
        survey.add(simulate(scenario, seed, attempts=attempts))
    return survey


def _said(scenario: Callable[[], Scenario], outcome: Outcome, shortest: Outcome) -> str:
    name = getattr(scenario, "__name__", "scenario")
    few = "\n".join(f"  {shortest.trace.secrets.mask(each)}" for each in shortest.disturbances) or "  none"
    return (
        f"{name}, seed {outcome.seed}: {outcome.finding}\n"
        f"disturbances that suffice, {len(shortest.disturbances)} of {len(outcome.disturbances)}:\n{few}\n"
        f"the end of the trace with these:\n{shortest.trace.end(_LINES)}\n"
        f"to have it again: simulate({name}, seed={outcome.seed}), or pytest --simulation-seed {outcome.seed}"
    )


def _said_difference(scenario: Callable[[], Scenario], first: Outcome, second: Outcome) -> str:
    name = getattr(scenario, "__name__", "scenario")
    lines = zip(map(str, first.trace), map(str, second.trace), strict=False)
    number, (one, other) = next(
        ((number, pair) for number, pair in enumerate(lines, 1) if pair[0] != pair[1]),
        (min(len(first.trace), len(second.trace)) + 1, ("one trace ends here", "the other goes on")),
    )
    return (
        f"{name}, seed {first.seed}: {first.finding}\n"
        f"and the seed cannot be had again: its traces differ from line {number} on.\n  {one}\n  {other}\n"
        "Look for what differs between two runs: state of a module, the order of a set of objects, time or "
        "chance that is no argument."
    )
