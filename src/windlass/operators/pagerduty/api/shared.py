"""What all controllers share for one token."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from windlass.operators.pagerduty.api.budget import Budget, BudgetOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from windlass.aio import Clock


@dataclass(frozen=True)
class Share:
    """The budget of one token, and the lock for changes of dependencies: PagerDuty fails at two at once."""

    budget: Budget
    dependencies: asyncio.Lock = field(default_factory=asyncio.Lock)


class Shares:
    """One share for each token that was ever used; the tokens themselves are not kept."""

    def __init__(self, options: BudgetOptions, *, clock: Clock, random: Random) -> None:
        self._options = options
        self._clock = clock
        self._random = random
        self._shares: dict[str, Share] = {}

    def of(self, token: str) -> Share:
        """The share of a token, the same one each time."""
        name = _name(token)
        if name not in self._shares:
            self._shares[name] = Share(Budget(self._options, clock=self._clock, random=self._random))
        return self._shares[name]

    def left(self) -> Iterator[tuple[tuple[str], float]]:
        """For each token how many requests it could make now, by a name that does not tell the token."""
        return (((name,), float(share.budget.left)) for name, share in self._shares.items())


def _name(token: str) -> str:
    return sha256(token.encode()).hexdigest()[:12]
