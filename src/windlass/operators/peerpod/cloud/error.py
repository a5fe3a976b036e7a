"""What a cloud says when it does not do what it is asked to, named for what to do about it."""

from __future__ import annotations

from datetime import timedelta

from windlass.errors import WindlassError


class CloudError(WindlassError):
    """It did not work, and may work another time."""


class InstanceMissingError(CloudError):
    """There is no such instance: where it was to be deleted, that is as good."""


class AccessDeniedError(CloudError):
    """The credentials are not accepted, or may not do this: other ones are needed."""


class ThrottledError(CloudError):
    """Too much was asked at a time; `wait` is how long to leave it alone."""

    def __init__(self, message: str, wait: timedelta = timedelta(seconds=30)) -> None:
        super().__init__(message)
        self.wait = wait
