from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from windlass.api import is_reason, mask
from windlass.controller.message import bounded, plain_message
from windlass.errors import (
    AlreadyExists,
    ApiError,
    Conflict,
    ConnectionFailedError,
    KindMissingError,
    Terminal,
    UndecodableError,
)

if TYPE_CHECKING:
    from windlass.reconcile import Result

Outcome = Literal["ready", "waiting", "failed", "terminal", "gone", "cancelled"]

_LONGEST_MESSAGE = 1024
_FAULTS = (LookupError, TypeError, AttributeError, NameError, AssertionError, ArithmeticError)
"""Errors whose text makes no sense without their type."""

_LONGEST_OF_CONDITION = 32_768
_MASKED_REASON = "Masked"


@dataclass(frozen=True, slots=True)
class Exit:
    """How a reconcile ended, whichever of the four ways it took; or that the object is gone.

    `cancelled` is what was stopped from outside, together with its worker.
    """

    outcome: Outcome
    reason: str
    message: str = ""
    result: Result[Any] | None = None
    error: Exception | None = None

    @classmethod
    def of_result(cls, result: Result[Any]) -> Exit:
        """It returned."""
        if result.error is not None:
            failed = cls.of_error(result.error)
            reason = shown_reason(result.reason) if failed.outcome == "failed" else failed.reason
            return replace(failed, reason=reason, result=result)
        message = bounded(plain_message(mask(result.message)), _LONGEST_OF_CONDITION)
        return cls("ready" if result.is_ready else "waiting", shown_reason(result.reason), message, result)

    @classmethod
    def of_progress(cls, reason: str, message: str) -> Exit:
        """It goes on, and is not ready yet."""
        shown = bounded(plain_message(mask(message)), _LONGEST_OF_CONDITION)
        return cls("waiting", shown_reason(reason), shown)

    @classmethod
    def of_error(cls, error: Exception) -> Exit:
        """It raised: for good, or to be tried again, or for want of a kind."""
        message = bounded(mask(error_message(error)), _LONGEST_MESSAGE)
        if isinstance(error, Terminal):
            known = is_reason(error.reason)  # no server would take another
            reason = shown_reason(error.reason) if known else "Terminal"
            return cls("terminal", reason, message, error=error)
        if isinstance(error, KindMissingError):  # all are looked at when it comes
            return cls("waiting", "KindMissing", message)
        if isinstance(error, UndecodableError):  # only a change of the object can help
            return cls("terminal", "Undecodable", message, error=error)
        return cls("failed", "ReconcileFailed", message, error=error)

    @property
    def is_failure(self) -> bool:
        """Whether it failed, for now or for good."""
        return self.outcome in ("failed", "terminal")

    @property
    def is_lost_race(self) -> bool:
        """Whether another write came first: the next run sees it, and mostly succeeds."""
        return isinstance(self.error, Conflict) and not isinstance(self.error, AlreadyExists)


def error_message(error: Exception) -> str:
    """Return what a condition says of an error: no request and no URL; of a fault of the code, its type."""
    return plain_message(_error_text(error))


def _error_text(error: Exception) -> str:
    if isinstance(error, ExceptionGroup):
        return "; ".join(map(_error_text, error.exceptions))
    if isinstance(error, ValidationError):  # its own text has the values, which may be secret
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        listed = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}".removeprefix(": ") for each in faults]
        return f"{error.title}: {'; '.join(listed)}"
    if isinstance(error, ConnectionFailedError):
        return f"no answer from the API server: {plain_message(str(error))}"
    if isinstance(error, ApiError):
        said = error.answer.message or error.answer.reason or f"the API server answered {error.code}"
        return f"{said}\n{error.hint}" if error.hint else said
    if isinstance(error, _FAULTS) or not str(error):
        return f"{type(error).__name__}: {error}".removesuffix(": ")
    return str(error)


def shown_reason(reason: str) -> str:
    """Return a reason; in place of one that holds the value of a Secret, another that a server takes."""
    return reason if mask(reason) == reason else _MASKED_REASON


CANCELLED = Exit("cancelled", "Cancelled", "this process stops, or no longer leads")
