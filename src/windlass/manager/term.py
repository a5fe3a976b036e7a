from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.controller import Fence
from windlass.errors import NotLeadingError

if TYPE_CHECKING:
    from windlass.aio import Clock


class Term(Fence):
    """One term of leadership: it passes until `length` after the last renewal was asked for, or is closed.

    The time runs from the moment before the request was sent. The server can only have granted it later, and
    the others count from later still, when they see it.
    """

    def __init__(self, lease: str, length: timedelta, clock: Clock, asked: float) -> None:
        self._lease = lease
        self._length = length.total_seconds()
        self._clock = clock
        self._renewed = asked
        self._end = asked + self._length
        self._doubtful_until = asked
        self._closed = False

    @override
    def check(self) -> None:
        if self._closed:
            raise NotLeadingError(f"refused: this process no longer holds the lease {self._lease}")
        now = self._clock.elapsed()
        if now >= self._end:
            raise NotLeadingError(
                f"refused: the lease {self._lease} was last renewed {now - self._renewed:.1f} s ago, "
                "and may have passed to another process"
            )

    @override
    def left(self) -> timedelta:
        if self._closed:
            return timedelta()
        return max(timedelta(), timedelta(seconds=self._end - self._clock.elapsed()))

    @override
    def doubt(self) -> None:
        # Whatever was sent had a limit, on the server too, that ended no later than the term did then.
        self._doubtful_until = self._end

    @property
    def passes(self) -> bool:
        """Whether acting is allowed at this instant."""
        return not self._closed and self._clock.elapsed() < self._end

    @property
    def doubtful(self) -> bool:
        """Whether something that was given up may still happen."""
        return self._clock.elapsed() < self._doubtful_until

    def renew(self, asked: float) -> None:
        """The lease was granted to a request that was sent after `asked`, by the clock's `elapsed`.

        A term that has ended stays ended, even if the lease turns out to have been ours all the time.
        """
        if not self.passes:
            self._closed = True
            return
        self._renewed = asked
        self._end = asked + self._length

    def close(self) -> None:
        """Refuse from now on."""
        self._closed = True
