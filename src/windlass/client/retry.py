from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, timedelta
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
        wanted = self.wanted(response)
        if wanted is None or wanted > self.longest.total_seconds() or attempt >= self.attempts:
            return None
        busy = response.status in _BUSY and not request.path.endswith("/eviction")
        if busy or (response.status in _FAILED and request.method == "GET"):
            return min(self.longest, timedelta(seconds=wanted) + self._pause(attempt))
        return None

    def wanted(self, response: Response) -> float | None:
        """For how many seconds `Retry-After` asks to wait: a number, or a date, which proxies like better."""
        text = response.headers.get("retry-after", "")
        if not text or text.isdecimal():
            return float(text) if text else None
        from email.utils import parsedate_to_datetime  # it brings more along than the rest of this package

        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return None
        if moment.tzinfo is None:  # "-0000", which is UTC, too
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, (moment - self.clock.now()).total_seconds())

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
