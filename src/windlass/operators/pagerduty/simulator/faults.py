from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from windlass.operators.pagerduty.api import Call

_FAILURES = (500, 502, 503, 504)
_TOO_MANY = 429
_ASSOCIATIONS = ("/service_dependencies/associate", "/service_dependencies/disassociate")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What goes wrong with one request; nothing, as it stands.

    `status` is answered in place of the account's answer, `empty` takes the body away, `cut` ends the
    connection without an answer. Unless it is `effective`, the account has not done what was asked. `delay`
    is how long the answer takes.
    """

    status: int | None = None
    empty: bool = False
    cut: bool = False
    effective: bool = False
    delay: timedelta = timedelta()

    @property
    def replaces(self) -> bool:
        """Whether the account's own answer is lost."""
        return self.cut or self.status is not None


@dataclass(frozen=True, kw_only=True)
class Weather:
    """What goes wrong by chance, as shares of the requests between 0 and 1, and how late things are.

    `throttled` is answered with 429, `failing` with a status from 500 to 504, half of them without a body and
    half of them although it was done; `cut_before` and `cut_after` end the connection before or after it was
    done; `slow` ones take up to `slowest`. `latency` is what every answer takes.

    `read_lag` is how long a new object cannot be read by its id, `list_lag` how long it is missing in lists,
    `dependency_lag` how long the lists of dependencies show what was before, and `incident_lag` how long
    those of incidents do.
    """

    throttled: float = 0
    failing: float = 0
    cut_before: float = 0
    cut_after: float = 0
    slow: float = 0
    slowest: timedelta = timedelta(seconds=30)
    latency: timedelta = timedelta()
    read_lag: timedelta = timedelta()
    list_lag: timedelta = timedelta()
    dependency_lag: timedelta = timedelta()
    incident_lag: timedelta = timedelta()


FAIR = Weather()
"""Nothing goes wrong."""


@dataclass
class _Planted:
    fault: Fault
    method: str
    path: str
    left: int

    def strikes(self, call: Call) -> bool:
        return self.left > 0 and fnmatchcase(call.method, self.method) and fnmatchcase(call.path, self.path)


@dataclass
class Faults:
    """What goes wrong with an account: by chance as `weather` has it, and what a test planted.

    `weather` may be exchanged at any time for what comes after.
    """

    random: Random
    weather: Weather = FAIR
    _planted: list[_Planted] = field(default_factory=list, repr=False)
    _associating: int = field(default=0, repr=False)

    def plant(self, fault: Fault, *, method: str = "*", path: str = "*", times: int = 1) -> None:
        """Let it happen to the next requests of this method and path, in which `*` stands for anything."""
        self._planted.append(_Planted(fault, method, path, times))

    def strike(self, call: Call) -> Fault:
        """What befalls this request."""
        for planted in self._planted:
            if planted.strikes(call):
                planted.left -= 1
                return planted.fault
        return self._by_chance()

    @contextmanager
    def during(self, call: Call) -> Iterator[Fault]:
        """What befalls this request, which lasts as long as the block.

        PagerDuty fails when an account changes two dependencies at once: so does the later one here.
        """
        if call.path not in _ASSOCIATIONS:
            yield self.strike(call)
            return
        self._associating += 1
        try:
            yield Fault(status=500) if self._associating > 1 else self.strike(call)
        finally:
            self._associating -= 1

    def _by_chance(self) -> Fault:
        weather, random = self.weather, self.random
        if weather == FAIR:
            return Fault()
        delay = weather.latency
        if random.random() < weather.slow:
            delay += weather.slowest * random.random()
        drawn = random.random()
        for share, status, cut, effective in (
            (weather.throttled, _TOO_MANY, False, False),
            (weather.failing, random.choice(_FAILURES), False, random.random() < 1 / 2),
            (weather.cut_before, None, True, False),
            (weather.cut_after, None, True, True),
        ):
            if drawn < share:
                empty = status in _FAILURES and random.random() < 1 / 2
                return Fault(status=status, empty=empty, cut=cut, effective=effective, delay=delay)
            drawn -= share
        return Fault(delay=delay)
