from __future__ import annotations

import socket
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from random import Random

_SECOND = timedelta(seconds=1)

JITTER = 1.2
"""A candidate waits for the retry period and up to this many times as long on top of it, at random."""


@dataclass(frozen=True, kw_only=True)
class ElectionOptions:
    """Which lease decides who leads, and how long everybody waits. The durations are those of client-go.

    `name`: the Lease's name, the same in all processes of which one is to lead.
    `namespace`: where it lies; empty for the client's own, which in a pod is the pod's.
    `identity`: what stands in the lease while this process leads. No two processes may share one; empty for
    `unique_identity`.
    `lease_duration`: how long the others wait after the last renewal that they saw. The Lease holds whole
    seconds.
    `renew_deadline`: how long after a renewal the holder may act. The difference between the two is what
    clocks may disagree about, and what a server may take over a request that we gave up.
    `retry_period`: how often the holder renews, and the others look.
    `grace`: how long what leads may take to end once it is cancelled.
    `rejoin`: after a loss, stand for election again; otherwise `Election.run` raises.
    `release`: hand the lease over when leaving, so that nobody has to wait until it expires.
    `on_new_leader`: called with the identity of each holder as it is first seen, our own included.

    Raises:
        ConfigError: the name is empty, or the durations do not fit each other.
    """

    name: str
    namespace: str = ""
    identity: str = ""
    lease_duration: timedelta = timedelta(seconds=15)
    renew_deadline: timedelta = timedelta(seconds=10)
    retry_period: timedelta = timedelta(seconds=2)
    grace: timedelta = timedelta(seconds=30)
    rejoin: bool = True
    release: bool = True
    on_new_leader: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise ConfigError("an election needs a name: that of the Lease which decides who leads")
        if self.lease_duration < _SECOND or self.lease_duration % _SECOND:
            raise ConfigError(
                f"lease_duration must be whole seconds, which is what a Lease holds, not "
                f"{_said(self.lease_duration)}"
            )
        if self.lease_duration <= self.renew_deadline:
            raise ConfigError(
                f"lease_duration ({_said(self.lease_duration)}) must be longer than renew_deadline "
                f"({_said(self.renew_deadline)}): in between nobody acts"
            )
        if self.retry_period <= timedelta() or self.renew_deadline <= self.retry_period * JITTER:
            raise ConfigError(
                f"renew_deadline ({_said(self.renew_deadline)}) must be longer than {JITTER} times "
                f"retry_period ({_said(self.retry_period)}), which must not be nothing"
            )

    @property
    def attempt_limit(self) -> timedelta:
        """How long one attempt may take, so that one that hangs leaves time for another."""
        return self.renew_deadline / 2


@dataclass(frozen=True, kw_only=True)
class ElectionState:
    """What a process knows of its election.

    `leading`: whether it may act at this instant.
    `holder`: whose identity the lease had when it was last seen; empty for nobody, or not seen yet.
    `since`: when that holder was first seen here, by the wall clock.
    `transitions`: how often the lease has changed hands.
    `problem`: why the last attempt failed; empty when it did not.
    """

    leading: bool = False
    holder: str = ""
    since: datetime | None = None
    transitions: int = 0
    problem: str = ""


def unique_identity(random: Random) -> str:
    """An identity that no other process has, and that tells a person where to look: `host_uuid`."""
    return f"{socket.gethostname()}_{UUID(int=random.getrandbits(128), version=4)}"


def _said(duration: timedelta) -> str:
    return f"{duration.total_seconds():g} s"
