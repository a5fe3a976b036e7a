"""What failed, and when it is worth trying again: the same input is not tried over and over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.errors import ReleaseError

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.api import Key
    from windlass.errors import ReleaseStep

_FIRST: Final = timedelta(seconds=10)
_LONGEST: Final = timedelta(minutes=15)


@dataclass(frozen=True)
class _Failure:
    step: ReleaseStep
    digest: str
    message: str
    times: int
    until: datetime


class Attempts:
    """The last failure of each release. Whatever wakes its object meanwhile, Helm is left in peace."""

    def __init__(self) -> None:
        self._failures: dict[Key, _Failure] = {}

    def check(self, release: Key, digest: str, now: datetime) -> None:
        """Return if a release may be tried with this input.

        Raises:
            ReleaseError: not yet; it says what failed, and until when to wait.
        """
        failure = self._failures.get(release)
        if failure is not None and failure.digest == digest and now < failure.until:
            raise ReleaseError(failure.step, failure.message, retry_at=failure.until)

    def failed(self, release: Key, digest: str, error: ReleaseError, now: datetime) -> None:
        """It was tried, in vain."""
        before = self._failures.get(release)
        times = before.times + 1 if before and before.digest == digest else 1
        pause = min(_FIRST * 2 ** (times - 1), _LONGEST)
        self._failures[release] = _Failure(error.step, digest, str(error), times, now + pause)

    def forget(self, release: Key) -> None:
        """It went well, or is gone."""
        self._failures.pop(release, None)
