from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from windlass.client import Request

Answer = Literal["conflict", "busy", "throttled", "failed", "unavailable"]
"""What is answered instead of sending a request."""

Loss = Literal["refused", "timed_out", "lost"]
"""How an answer fails to come: the first before the request arrives, the others after it was carried out."""

Fault = Answer | Loss | Literal["late", "cut", "silent", "partition"]
"""Everything that a `FaultyTransport` does to a request or to a stream."""

ANSWERS = get_args(Answer)
_SHARES = (*ANSWERS, *get_args(Loss))


class Injection(NamedTuple):
    """One fault, and the request that it befell."""

    fault: Fault
    request: Request


@dataclass(frozen=True, kw_only=True)
class Faults:
    """Which share of the requests, between 0 and 1, meets which fault; what is not said never happens.

    Answered instead of being carried out:
    `conflict`: 409, somebody changed the object; only writes of an object that is named meet it.
    `busy`: 429 with `Retry-After: 1`, from a server that sheds load.
    `throttled`: 429 without `Retry-After`.
    `failed`: 500, from a server whose etcd does not answer.
    `unavailable`: 503 with `Retry-After: 1`, from a server that shuts down.

    No answer:
    `refused`: the connection is refused; nothing was sent.
    `timed_out`: 504 although the request was carried out.
    `lost`: the connection breaks although the request was carried out.

    Slow and broken:
    `late`: held back, half of them before they are sent and half before they are answered, for up to
    `longest_delay`.
    `cut`: the share of the lines of a stream before which it breaks off.
    `cut_every`: how long a stream lasts at most.
    `silent`: the share of the streams that say nothing more after a few lines, as when a connection died and
    nobody was told.

    `only`: which requests are meant; all, unless it is said.

    Raises:
        ConfigError: a share is none, or together they are more than all.
    """

    conflict: float = 0
    busy: float = 0
    throttled: float = 0
    failed: float = 0
    unavailable: float = 0
    refused: float = 0
    timed_out: float = 0
    lost: float = 0
    late: float = 0
    longest_delay: timedelta = timedelta(seconds=1)
    cut: float = 0
    cut_every: timedelta | None = None
    silent: float = 0
    only: Callable[[Request], bool] | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            share = getattr(self, field.name)
            if field.type == "float" and not 0 <= share <= 1:
                raise ConfigError(f"{field.name} is a share of the requests, between 0 and 1, not {share}")
        together = sum(getattr(self, name) for name in _SHARES)
        if together > 1 + 1e-9:
            raise ConfigError(f"{', '.join(_SHARES)} are {together:g} together, more than all requests")
        if self.cut_every is not None and self.cut_every <= timedelta():
            raise ConfigError("cut_every must be longer than nothing; say cut=1 for streams that say nothing")

    def draw(self, random: Random) -> Answer | Loss | None:
        """What befalls a request, by chance."""
        drawn = random.random()
        for name in _SHARES:
            drawn -= getattr(self, name)
            if drawn < 0:
                return name  # type: ignore[no-any-return] # one of the names above
        return None


CALM = Faults()
"""Nothing goes wrong."""
