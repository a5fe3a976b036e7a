from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, Never, TypeVar, overload

from windlass.api import Model, is_reason

S = TypeVar("S", bound=Model)
S_co = TypeVar("S_co", bound=Model, covariant=True)


@dataclass(frozen=True, slots=True)
class Result(Generic[S_co]):
    """How a reconcile ended, when it did not raise: make one with `ready`, `waiting` or `failed`.

    The loop writes `status` when it differs from what the object has, and derives the conditions from the
    exit, so that work in progress can never be reported as done. Without a status the last one stays, and
    the result fits every `Result[…]`; with one, type checkers compare its class.

    Raises:
        TypeError, ValueError: it could not be reported, or would begin anew without end.
    """

    is_ready: bool
    reason: str
    message: str = ""
    status: S_co | None = None
    again: timedelta | None = None
    error: Exception | None = None

    def __post_init__(self) -> None:
        if not is_reason(self.reason):
            raise ValueError(f"the reason {self.reason!r} is no word such as `SecretMissing`")
        if not isinstance(self.message, str):
            raise TypeError(f"the message of a result is a str, not {type(self.message).__name__}")
        if self.status is not None and not isinstance(self.status, Model):
            raise TypeError(f"the status of a result is a Status, not {type(self.status).__name__}")
        if self.again is not None and not isinstance(self.again, timedelta):
            raise TypeError(f"again={self.again!r} is no timedelta: timedelta(seconds={self.again!r})")
        if self.again is not None and self.again <= timedelta():
            raise ValueError("again has to be longer than nothing: the object would never rest")

    @overload
    @classmethod
    def ready(
        cls, status: None = None, *, again: timedelta | None = None, reason: str = "Ready", message: str = ""
    ) -> Result[Never]: ...

    @overload
    @classmethod
    def ready(
        cls, status: S | None, *, again: timedelta | None = None, reason: str = "Ready", message: str = ""
    ) -> Result[S]: ...

    @classmethod
    def ready(
        cls, status: Any = None, *, again: timedelta | None = None, reason: str = "Ready", message: str = ""
    ) -> Result[Any]:
        """All is as it should be; look again after `again` even if nothing changes.

        That may be what is left until a moment: less than 100 ms, as it may be then, counts as 100 ms.
        From `finalize` it means that everything outside is gone, and the object may go too.
        """
        return cls(True, reason, message, status, again)  # noqa: FBT003 - this is what gives it a name

    @overload
    @classmethod
    def waiting(
        cls, reason: str, message: str = "", status: None = None, *, again: timedelta | None = None
    ) -> Result[Never]: ...

    @overload
    @classmethod
    def waiting(
        cls, reason: str, message: str = "", status: S | None = None, *, again: timedelta | None = None
    ) -> Result[S]: ...

    @classmethod
    def waiting(
        cls, reason: str, message: str = "", status: Any = None, *, again: timedelta | None = None
    ) -> Result[Any]:
        """Something else has to happen first, which a watch will report; `again` looks earlier than that."""
        return cls(False, reason, message, status, again)  # noqa: FBT003

    @overload
    @classmethod
    def failed(
        cls, error: Exception, status: None = None, *, reason: str = ..., again: timedelta | None = None
    ) -> Result[Never]: ...

    @overload
    @classmethod
    def failed(
        cls, error: Exception, status: S | None, *, reason: str = ..., again: timedelta | None = None
    ) -> Result[S]: ...

    @classmethod
    def failed(
        cls,
        error: Exception,
        status: Any = None,
        *,
        reason: str = "ReconcileFailed",
        again: timedelta | None = None,
    ) -> Result[Any]:
        """Report an error as raising it would, with a status beside it.

        The object is retried with exponential backoff, or after `again` where that is given; a `Terminal`
        waits for a change, and has a reason of its own.
        """
        return cls(False, reason, str(error), status, again, error)  # noqa: FBT003
