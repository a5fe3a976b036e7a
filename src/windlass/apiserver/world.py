from __future__ import annotations

import string
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.aio import Clock, SystemClock
from windlass.apiserver.outside.network import Network
from windlass.apiserver.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

_SUFFIX_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
_SUFFIX_LENGTH: Final = 5
_RANDOM_UUID: Final = (4 << 76) | (2 << 62)
_RANDOM_UUID_MASK: Final = (15 << 76) | (3 << 62)


class StandingClock(Clock):
    """A clock on which it is always the same moment; waiting takes its time all the same."""

    def __init__(self, clock: Clock, moment: datetime) -> None:
        self._clock = clock
        self._moment = moment

    @override
    def now(self) -> datetime:
        return self._moment

    @override
    def monotonic(self) -> float:
        return self._clock.monotonic()

    @override
    def elapsed(self) -> float:
        return self._clock.elapsed()

    @override
    async def sleep(self, delay: timedelta) -> None:
        await self._clock.sleep(delay)


@dataclass(kw_only=True)
class World:
    """What a server has of the world: its objects, the time, chance, and whom it can reach."""

    store: Store = field(default_factory=Store)
    clock: Clock = field(default_factory=SystemClock)
    chance: Random = field(default_factory=SystemRandom)
    network: Network = field(default_factory=Network)

    def standing(self) -> Callable[[], World]:
        """What makes this world again and again as it is now: the same moment, the same chances."""
        moment, seed = self.clock.now(), self.chance.getrandbits(64)
        return lambda: replace(self, clock=StandingClock(self.clock, moment), chance=Random(seed))  # noqa: S311

    def now(self) -> str:
        """The time to the second, as objects carry it."""
        return timestamp(self.clock.now())

    def uid(self) -> str:
        """A new identity: a UUID of version 4, written without the detour of `uuid.UUID`, which is slow."""
        digits = f"{self.chance.getrandbits(128) & ~_RANDOM_UUID_MASK | _RANDOM_UUID:032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"

    def suffix(self) -> str:
        """What is appended to a generateName."""
        return "".join(self.chance.choices(_SUFFIX_LETTERS, k=_SUFFIX_LENGTH))

    def secret(self, length: int = 32) -> str:
        """Letters and digits that nobody guesses, as far as `chance` is unpredictable."""
        return "".join(self.chance.choices(string.ascii_letters + string.digits, k=length))


def timestamp(moment: datetime) -> str:
    """A moment to the second: `2026-01-31T12:00:00Z`."""
    return _timestamp(int(moment.timestamp() // 1))


@lru_cache(maxsize=256)
def _timestamp(second: int) -> str:
    """A second as text; most writes fall into the one of the write before."""
    return f"{datetime.fromtimestamp(second, UTC).isoformat()[:19]}Z"
