from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from windlass.operators.pagerduty.api import Call, Reply


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A request and what became of it: without a reply it was cut, and `done` tells whether it was done."""

    at: datetime
    call: Call
    reply: Reply | None
    done: bool

    @property
    def status(self) -> int | None:
        """The status of the answer, if one was given."""
        return None if self.reply is None else self.reply.status

    def __str__(self) -> str:
        """As a line of a log: `POST /services 201`."""
        return f"{self.call} {self.status or 'cut'}"


@dataclass
class Journal:
    """What was asked of an account, and what it answered: the latest of it, and all of it for listeners."""

    kept: int = 1000
    _latest: deque[Exchange] = field(init=False, repr=False)
    _listeners: list[Callable[[Exchange], None]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._latest = deque(maxlen=self.kept)

    def __iter__(self) -> Iterator[Exchange]:
        return iter(tuple(self._latest))

    def listen(self, listener: Callable[[Exchange], None]) -> None:
        """Tell it of each exchange from now on, as soon as it is over."""
        self._listeners.append(listener)

    def record(self, exchange: Exchange) -> None:
        """An exchange is over."""
        self._latest.append(exchange)
        for listener in self._listeners:
            listener(exchange)

    def writes(self) -> list[Exchange]:
        """Those of the latest that changed something."""
        return [each for each in self if each.done and each.call.method != "GET"]
