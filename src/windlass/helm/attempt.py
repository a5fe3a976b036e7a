"""When a step of a release that failed is retried: the same input is not tried over and over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from windlass.api import Key
    from windlass.errors import ReleaseError, ReleaseFailure


class _Delays(NamedTuple):
    """The delay before the first retry, which doubles up to the longest."""

    first: timedelta
    longest: timedelta

    def after(self, failures: int) -> timedelta:
        doublings: int = 2 ** min(failures - 1, 16)
        return min(self.first * doublings, self.longest)


REFUSED_DELAY: Final = timedelta(minutes=10)
"""How often a step is retried that the API server refused, or that does not render."""

_TRANSIENT: Final = _Delays(timedelta(seconds=1), timedelta(minutes=5))
_ROLLED_BACK: Final = _Delays(timedelta(minutes=1), timedelta(minutes=15))
_REFUSED: Final = _Delays(REFUSED_DELAY, REFUSED_DELAY)
_WITHOUT_REVISION: Final[frozenset[ReleaseFailure]] = frozenset({"refused", "conflict"})
_DELAYS: Final[Mapping[ReleaseFailure, _Delays]] = {"render": _REFUSED, "refused": _REFUSED}


@dataclass(frozen=True)
class _Failure:
    input: str
    error: ReleaseError
    times: int
    until: datetime
    renewed: bool = False


class Attempts:
    """The last failure of each release. No event of a watch makes Helm run before the time of its retry.

    An input stands for all that decides about a step: chart, values, options and who acts. Another one is
    tried at once. Transient failures are retried with exponential backoff from a second on; those that left
    a new revision behind, which was rolled back, from a minute on, since each retry makes two more of them;
    refusals and render errors every ten minutes.
    """

    def __init__(self) -> None:
        self._failures: dict[Key, _Failure] = {}

    def check(self, release: Key, input_: str, now: datetime) -> None:
        """Return if a release may be tried with this input.

        Raises:
            ReleaseError: not yet; it is the error of the last attempt.
        """
        last = self._failures.get(release)
        if last is not None and last.input == input_ and now < last.until:
            raise last.error.dated(last.until, tried=False)

    def was_refused(self, release: Key, input_: str) -> bool:
        """Whether the last attempt with this input was refused by the API server."""
        last = self._failures.get(release)
        return last is not None and last.input == input_ and last.error.kind == "refused"

    def failed(
        self, release: Key, input_: str, error: ReleaseError, now: datetime, *, rolled_back: bool = False
    ) -> ReleaseError:
        """Note a failure; return the error with the time of the retry."""
        before = self._failures.get(release)
        times = before.times + 1 if before and before.input == input_ else 1
        otherwise = _ROLLED_BACK if rolled_back else _TRANSIENT
        until = error.retry_at or now + _DELAYS.get(error.kind, otherwise).after(times)
        dated = error.dated(until, tried=True)
        renewed = before is not None and before.input == input_ and before.renewed
        self._failures[release] = _Failure(input_, dated, times, until, renewed)
        return dated

    def renew(self, release: Key, repaired: Sequence[str], now: datetime) -> datetime | None:
        """Retry a refused step soon, since drift that it was refused for may be repaired; return when.

        None if the time of the retry stays. A step is renewed only if its retry is a dry run: one that makes
        a revision would make one for each hand edit. It is renewed once for any repair, and then for those of
        objects that the refusal names.
        """
        last = self._failures.get(release)
        if last is None or last.error.kind not in _WITHOUT_REVISION:
            return None
        if last.renewed and not any(_names(str(last.error), each) for each in repaired):
            return None
        until = now + _TRANSIENT.first
        self._failures[release] = replace(last, until=until, renewed=True)
        return until

    def forget(self, release: Key) -> None:
        """Drop the failure of a release that succeeded, or is gone."""
        self._failures.pop(release, None)


def _names(message: str, repair: str) -> bool:
    """Whether a message is about the object of a repair, such as `Deployment default/web: created again`."""
    which, _, _ = repair.partition(": ")
    kind, _, where = which.partition(" ")
    return f"{kind} {where.rpartition('/')[2]}:" in message
