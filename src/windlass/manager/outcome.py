from __future__ import annotations

from typing import Final, Literal

from windlass.errors import Terminal

Outcome = Literal["success", "requeue_after", "error", "terminal", "panic", "timeout"]
"""How a reconcile ended, in controller-runtime's words.

A result that asks to look again later is `requeue_after`, any other result `success`. What was raised is an
`error`, unless it is a `Terminal`, a fault of the program itself (`panic`), or came too late (`timeout`).
"""

_PROGRAM_FAULTS: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NameError, NotImplementedError,
    RecursionError, TypeError,
)  # fmt: skip


def outcome_of(error: Exception) -> Outcome:
    """What an exception that left a reconcile counts as; at a fault of the program, Go panics."""
    if isinstance(error, Terminal):
        return "terminal"
    if isinstance(error, TimeoutError):
        return "timeout"
    return "panic" if isinstance(error, _PROGRAM_FAULTS) else "error"
