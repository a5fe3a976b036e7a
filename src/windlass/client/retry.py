from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

from windlass.aio import Clock, SystemClock

if TYPE_CHECKING:
    from windlass.client.transport import Request, Response
    from windlass.errors import ConnectionFailedError

_BUSY = (429, 503)
_FAILED = (500, 504)


@dataclass(frozen=True, kw_only=True)
class Retry:
    """When to send a request again, and after how long.

    - 429 and 503 with `Retry-After`: the server did nothing and says when to come back; every verb. An
      eviction is the exception: there, 429 is the answer.
    - 500 and 504 with `Retry-After`, and a broken connection: reads only, since a write may have happened.
    - A connection that failed before anything was sent: every verb.

    Nothing is sent again when a server asks to wait for more than `longest`, rather than too early: the
    refusal is the answer, and tells for how long (`answer.retry_after`). Nor is it after a failure that lasts
    until somebody mends it, such as a certificate that is not trusted.

    `attempts` counts the first one. Waiting times double from `first` to `longest`, each cut by up to half
    at random so that many clients do not return together.
    """

    attempts: int = 6
    first: timedelta = timedelta(milliseconds=100)
    longest: timedelta = timedelta(seconds=30)
    clock: Clock = field(default_factory=SystemClock)
    random: Random = field(default_factory=Random)

    def after_answer(self, request: Request, response: Response, attempt: int) -> timedelta | None:
        """How long to wait before sending again; None to take the answer."""
        wanted = response.headers.get("retry-after", "")
        if not wanted.isdecimal() or attempt >= self.attempts:
            return None
        if int(wanted) > self.longest.total_seconds():
            return None
        busy = response.status in _BUSY and not request.path.endswith("/eviction")
        if busy or (response.status in _FAILED and request.method == "GET"):
            return min(self.longest, timedelta(seconds=int(wanted)) + self._pause(attempt))
        return None

    def after_failure(self, request: Request, error: ConnectionFailedError, attempt: int) -> timedelta | None:
        """How long to wait before sending again; None to give up."""
        if error.lasting or attempt >= self.attempts or (error.sent and request.method != "GET"):
            return None
        return self._pause(attempt)

    def _pause(self, attempt: int) -> timedelta:
        longest: timedelta = min(self.longest, self.first * 2 ** (attempt - 1))
        return longest * (1 - self.random.random() / 2)


NO_RETRY = Retry(attempts=1)
"""Nothing is sent again; only a read that meets a broken connection is, once, by the HTTP library."""
