"""Scalars as Go reads them: where it wants a text, `version: 1.10` is the text `1.1`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from windlass.api import parse_duration

_TRUE: Final = ("1", "t", "T", "TRUE", "true", "True")
_FALSE: Final = ("0", "f", "F", "FALSE", "false", "False")


def scalar_text(value: Any) -> str | None:
    """The text that a scalar is taken for; nothing is the empty text. None: it is no scalar."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value).removesuffix(".0")
        case int() | str():
            return str(value)
    return None


def parse_bool(text: str) -> bool:
    """A boolean as Go reads it.

    Raises:
        ValueError: the text is none.
    """
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError(f"{text!r} is neither true nor false")


def parse_period(text: str) -> timedelta:
    """How long until the next pass, as Go writes durations.

    Raises:
        ValueError: the text is none, or less than nothing.
    """
    period = parse_duration(text)
    if period < timedelta():
        raise ValueError(f"{text} is less than nothing")
    return period
