from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.testing.simulation.chance import Chance


@dataclass(frozen=True, kw_only=True)
class Weather:
    """How bad things may get. Each seed leaves a part out, so that some have one kind of trouble only.

    Shares of requests: `faults` are refused, lost on the way there or back, or late; `crashes` are points at
    which the process ends: before a write, when it has left, when it was done; `stalls` are writes before
    which, and calls of something outside after which, the whole process stands still for a while. `lags` are
    shares of the events of watches that come late. At most so many times in `lasts` seconds: `cuts` of
    watches, `silences` of them,
    `compactions`, `ends` of a process at any moment, `splits` of its network, `pauses` of the whole process,
    `meddling` of others.
    """

    lasts: float = 60
    faults: float = 0.06
    crashes: float = 0.03
    stalls: float = 0.1
    lags: float = 0.1
    cuts: int = 2
    silences: int = 1
    compactions: int = 2
    ends: int = 1
    splits: int = 1
    pauses: int = 1
    meddling: int = 2
    longest_delay: float = 0.05
    longest_lag: float = 8
    longest_pause: float = 40


class Forecast:
    """What of the weather one seed gets."""

    def __init__(self, weather: Weather, chance: Chance) -> None:
        self.weather = weather
        self._chance = chance

    def share(self, what: str) -> float:
        """The share of requests, none in about half of the seeds."""
        value: float = getattr(self.weather, what)
        return value if self._chance.number("swarm", what) < 1 / 2 else 0.0

    def times(self, what: str) -> list[tuple[float, str]]:
        """When something happens, and the name of each time."""
        most: int = getattr(self.weather, what)
        if self._chance.number("swarm", what) >= 1 / 2:
            return []
        count = 1 + int(self._chance.number("count", what) * most) if most else 0
        names = [f"{what} {number}" for number in range(min(count, most))]
        return [(self._chance.between(0.1, self.weather.lasts, "at", name), name) for name in names]
