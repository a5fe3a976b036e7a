from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import timedelta


class QueueObserver(Protocol):
    """Told what a queue does, to count it. Every item passes through these calls: be quick, raise nothing."""

    def added(self) -> None:
        """Something was added, whether or not it merged into what waits."""

    def taken(self, waited: timedelta) -> None:
        """A worker took a key that was ready for so long."""

    def done(self, took: timedelta) -> None:
        """A worker finished with a key after so long."""

    def retried(self, delay: timedelta) -> None:
        """A key will be tried again after so long; `added` is told as well."""
