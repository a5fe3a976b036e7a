"""What to say of a program that failed: pure text, so that every start fails in the same words."""

from __future__ import annotations

import shlex
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_LINES = 20
_WIDTH = 500


def ended(name: str, code: int, command: Sequence[str], log: Path) -> str:
    """A program ended that should have gone on."""
    return "\n".join([f"{name} {_end(code)}", f"command: {shlex.join(command)}", *last_words(log)])


def in_brief(name: str, code: int, log: Path) -> str:
    """The same in one line; of a program that was killed, the last line of its log would tell nothing."""
    said = last_words(log)[-1].strip() if code > 0 else ""
    return ": ".join(filter(None, (f"{name} {_end(code)}", said)))


def not_ready(awaited: str, logs: Iterable[Path]) -> str:
    """The programs run, but not as far as they should have come by now."""
    head = f"the control plane did not get ready in time; the last answer: {awaited}"
    return "\n".join([head, *(line for log in logs for line in last_words(log))])


def last_words(log: Path) -> list[str]:
    """The last lines of a log, each cut to a readable length, under a heading."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return [f"{log.name}: not written"]
    if not lines:
        return [f"{log.name}: empty"]
    kept = [line if len(line) <= _WIDTH else line[:_WIDTH] + " …" for line in lines[-_LINES:]]
    return [f"the end of {log.name}:", *(f"  {line}" for line in kept)]


def _end(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
