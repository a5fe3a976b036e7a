from __future__ import annotations

import string
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final
from uuid import UUID

from windlass.aio import Clock, SystemClock
from windlass.apiserver.store import Store

if TYPE_CHECKING:
    from datetime import datetime

_SUFFIX_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
_SUFFIX_LENGTH: Final = 5


@dataclass(kw_only=True)
class World:
    """What a server has of the world: its objects, the time, and chance."""

    store: Store = field(default_factory=Store)
    clock: Clock = field(default_factory=SystemClock)
    chance: Random = field(default_factory=SystemRandom)

    def now(self) -> str:
        """The time to the second, as objects carry it."""
        return timestamp(self.clock.now())

    def uid(self) -> str:
        """A new identity."""
        return str(UUID(int=self.chance.getrandbits(128), version=4))

    def suffix(self) -> str:
        """What is appended to a generateName."""
        return "".join(self.chance.choices(_SUFFIX_LETTERS, k=_SUFFIX_LENGTH))

    def secret(self, length: int = 32) -> str:
        """Letters and digits that nobody guesses, as far as `chance` is unpredictable."""
        return "".join(self.chance.choices(string.ascii_letters + string.digits, k=length))


def timestamp(moment: datetime) -> str:
    """A moment to the second: `2026-01-31T12:00:00Z`."""
    return f"{moment.isoformat()[:19]}Z"
