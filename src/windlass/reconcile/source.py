"""What wakes objects besides changes in the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from windlass.aio import Clock
    from windlass.api import Key
    from windlass.reconcile.cause import Cause


class Sink(Protocol):
    """Where a source puts what it has to say."""

    @property
    def clock(self) -> Clock:
        """The time that the controller lives in."""

    def wake(self, key: Key, cause: Cause, /) -> None:
        """Reconcile one object."""

    def wake_all(self, cause: Cause, /) -> None:
        """Reconcile every object that is cached."""


class Source(Protocol):
    """Wakes objects for as long as its controller runs."""

    async def run(self, sink: Sink, /) -> None:
        """Report until cancelled; returning early means that there is nothing more to come."""
