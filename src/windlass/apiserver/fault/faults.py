from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from random import Random

    from windlass.apiserver.fault.scope import Scope

Answer = Literal["conflict", "busy", "throttled", "failed", "unavailable", "abandoned"]
"""What is answered in the place of carrying out a request."""

Loss = Literal["refused", "dropped", "timed_out", "lost"]
"""How an answer fails to come: the first two before the request is carried out, the others after it."""

Fault = (
    Answer | Loss | Literal["late", "cut", "ended", "silent", "delayed", "stale", "compacted", "partition"]
)
"""Everything that can go wrong with a request or a stream."""

_SHARES = (*get_args(Answer), *get_args(Loss))


class Injection(NamedTuple):
    """One fault, the request that it befell (`PATCH /api/v1/…`), and on a server, whose request it was."""

    fault: Fault
    request: str
    user: str = ""


@dataclass(frozen=True, kw_only=True)
class Faults:
    """Which share of the requests, between 0 and 1, meets which fault; what is not said never happens.

    Answered instead of being carried out:
    `conflict`: 409, somebody changed the object; only writes of an object that is named meet it.
    `busy`: 429 with `Retry-After: 1`, from a server that sheds load.
    `throttled`: 429 without `Retry-After`.
    `failed`: 500, from a server whose etcd does not answer.
    `unavailable`: 503 with `Retry-After: 1`, from a server that shuts down.
    `abandoned`: 504, from a server that gave up before it did anything.

    No answer, or not the one that is due:
    `refused`: the connection is refused; nothing was sent. A server cannot do this to one request.
    `dropped`: the connection breaks before the request is carried out.
    `lost`: the connection breaks after the request was carried out.
    `timed_out`: 504 although the request was carried out.

    Slow:
    `late`: held back, half of them before they are carried out and half before they are answered.
    `delayed`: the share of the watches whose events all come late, in their order.
    `shortest_delay`, `longest_delay`: how long, any time between them being equally likely.

    Watches that break, or end:
    `cut`: the share of the lines of a stream before which it breaks off.
    `cut_after`: after how many lines every stream breaks off; 0 for at once.
    `cut_every`: how long a stream lasts at most.
    `end_after`: after how many lines every stream ends in good order, as when a server wants to be rid of it.
    `silent`: the share of the streams that say nothing more after a few lines, as when a connection died and
    nobody was told.

    The past, which only a server knows:
    `stale`: the share of the reads (get, list, and what a watch begins with) that are answered by a replica
    that lags behind, even where the newest state was asked for. What a connection is told never goes back,
    nor behind the resourceVersion that it asks for.
    `stale_by`: by how many writes to the server, of whatever kind, at most.
    `compacted`: the share of the requests at which the history is forgotten: whoever is behind is told 410.

    Who and how often:
    `only`: which requests are meant; all, unless it is said.
    `times`: how many requests meet any of these faults, a stream counting as one; without it, no limit.

    Raises:
        ConfigError: a share is none, together they are more than all, or a limit makes no sense.
    """

    conflict: float = 0
    busy: float = 0
    throttled: float = 0
    failed: float = 0
    unavailable: float = 0
    abandoned: float = 0
    refused: float = 0
    dropped: float = 0
    lost: float = 0
    timed_out: float = 0
    late: float = 0
    delayed: float = 0
    shortest_delay: timedelta = timedelta()
    longest_delay: timedelta = timedelta(seconds=1)
    cut: float = 0
    cut_after: int | None = None
    cut_every: timedelta | None = None
    end_after: int | None = None
    silent: float = 0
    stale: float = 0
    stale_by: int = 10
    compacted: float = 0
    only: Scope | None = None
    times: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "float" and not 0 <= value <= 1:
                raise ConfigError(f"{field.name} is a share of the requests, between 0 and 1, not {value}")
            if field.type in ("int", "int | None") and value is not None and value < 0:
                raise ConfigError(f"{field.name} is a number of times, not {value}")
        together = sum(getattr(self, name) for name in _SHARES)
        if together > 1 + 1e-9:
            raise ConfigError(f"{', '.join(_SHARES)} are {together:g} together, more than all requests")
        if self.cut_every is not None and self.cut_every <= timedelta():
            raise ConfigError("cut_every must be longer than nothing; say cut_after=0 to break off at once")
        if not timedelta() <= self.shortest_delay <= self.longest_delay:
            raise ConfigError("shortest_delay must not be longer than longest_delay, nor less than nothing")

    def draw(self, random: Random) -> Answer | Loss | None:
        """What befalls a request in the place of its answer, by chance."""
        drawn = random.random()
        for name in _SHARES:
            drawn -= getattr(self, name)
            if drawn < 0:
                return name  # type: ignore[no-any-return] # one of the names above
        return None

    def delay(self, random: Random) -> timedelta:
        """How long something is held back, by chance."""
        return self.shortest_delay + (self.longest_delay - self.shortest_delay) * random.random()

    def refuse(self, why: str, *names: str) -> None:
        """Refuse faults that cannot be had where they are wanted.

        Raises:
            ConfigError: one of them is wanted.
        """
        for name in names:
            if getattr(self, name):
                raise ConfigError(f"{name}: {why}")


CALM = Faults()
"""Nothing goes wrong."""
