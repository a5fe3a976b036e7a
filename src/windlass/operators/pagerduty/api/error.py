"""What PagerDuty says when it refuses, as one tree named for what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from datetime import timedelta


class PagerDutyError(WindlassError):
    """PagerDuty did not do what it was asked to; `status` is that of HTTP, 0 without an answer."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class InvalidInputError(PagerDutyError):
    """400: the request will be refused until it is another one."""


class NameTakenError(InvalidInputError):
    """400: another object has the name."""


class AlreadyResolvedError(InvalidInputError):
    """400: an incident that is to be resolved is so already."""


class InUseError(PagerDutyError):
    """400 for a deletion: something else still needs the object."""


class UnauthorizedError(PagerDutyError):
    """401: PagerDuty does not know the token."""


class ForbiddenError(PagerDutyError):
    """403: the token may not do this."""


class AbilityMissingError(PagerDutyError):
    """402: the account's plan does not include this."""


class NotFoundError(PagerDutyError):
    """404: no such object; one that was created a moment ago may not be visible yet."""


class LimitedError(PagerDutyError):
    """429: too many requests, also after waiting for several turns; `wait` is how long it asks for."""

    def __init__(self, message: str, wait: timedelta) -> None:
        super().__init__(message, 429)
        self.wait = wait


class UnreachableError(PagerDutyError):
    """No answer came; `sent` tells whether the request may have been done all the same."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message, 0)
        self.sent = sent


class ServerFailedError(PagerDutyError):
    """5xx, or an answer that cannot be read: whether anything was done is unknown."""
