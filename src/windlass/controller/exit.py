from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from windlass.errors import Terminal, UndecodableError

if TYPE_CHECKING:
    from windlass.reconcile import Result

Outcome = Literal["ready", "waiting", "failed", "terminal", "gone", "cancelled"]

_LONGEST_MESSAGE = 1024


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
        return cls("ready" if result.is_ready else "waiting", result.reason, result.message, result)

    @classmethod
    def of_error(cls, error: Exception) -> Exit:
        """It raised: for good, or to be tried again."""
        message = str(error) or type(error).__name__
        if len(message) > _LONGEST_MESSAGE:
            message = message[: _LONGEST_MESSAGE - 1] + "…"
        if isinstance(error, Terminal):
            return cls("terminal", error.reason, message, error=error)
        if isinstance(error, UndecodableError):  # only a change of the object can help
            return cls("terminal", "Undecodable", message, error=error)
        return cls("failed", "ReconcileFailed", message, error=error)


CANCELLED = Exit("cancelled", "Cancelled", "this process stops, or no longer leads")
