"""Texts, numbers and truths."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.operation import parse_date, parse_date_time, parse_wordy_duration
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.value import Duration, Timestamp
from windlass.schema.golang import type_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Value

_ADAPTED: Final = {Timestamp: "time.Time", Duration: "time.Duration", bytes: "[]uint8"}
_GROUP: Final = 4
_URL_SAFE: Final = re.compile("[A-Za-z0-9_-]*")


def _go_type(value: Any) -> str:
    """What Go calls a value that may have been adapted before."""
    return _ADAPTED.get(type(value)) or type_name(value)


def int_or_string(value: Any) -> Value:
    """A value that may be either."""
    if type(value) is int or type(value) is str:
        return value
    raise EvaluationError("invalid data, expected XIntOrString value to be either a string or integer")


def integer(value: Any) -> int:
    """An integer."""
    if type(value) is int:
        return value
    raise EvaluationError(f"invalid data, expected int, got {_go_type(value)}")


def number(value: Any) -> float:
    """A number, which is a double to expressions even if it is whole."""
    if type(value) is float or type(value) is int:
        return float(value)
    raise EvaluationError(f"invalid data, expected float, got {_go_type(value)}")


def boolean(value: Any) -> bool:
    """A truth."""
    if type(value) is bool:
        return value
    raise EvaluationError(f"invalid data, expected bool, got {_go_type(value)}")


def text(value: Any) -> str:
    """A text."""
    if type(value) is str:
        return value
    raise EvaluationError(f"invalid data, expected string, got {_go_type(value)}")


def _duration(value: Any) -> Duration:
    found = parse_wordy_duration(text(value))
    if found is None:
        raise EvaluationError(f"Invalid duration {value}: unable to parse {value} as duration")
    return found


def _date(value: Any) -> Timestamp:
    found = parse_date(text(value))
    if found is None:
        raise EvaluationError(f"Invalid date formatted string {value}")
    return found


def _date_time(value: Any) -> Timestamp:
    found = parse_date_time(text(value))
    if found is None:
        raise EvaluationError(f"Invalid date-time formatted string {value}")
    return found


def _bytes(value: Any) -> bytes:
    # The format is validated as base64, and then read as that of URLs, which has two other digits.
    written = text(value).replace("\r", "").replace("\n", "")
    digits = _URL_SAFE.match(written)
    end = digits.end() if digits is not None else 0
    try:
        if written[end:].strip("=") == "":
            return base64.urlsafe_b64decode(written)
    except binascii.Error:
        if end == len(written):
            end -= end % _GROUP  # digits that are too few for a group are told by where they begin
    raise EvaluationError(f"Invalid byte formatted string {value}: illegal base64 data at input byte {end}")


FORMATS: Final[dict[str, Callable[[Any], Value]]] = {
    "duration": _duration,
    "date": _date,
    "date-time": _date_time,
    "byte": _bytes,
}
"""The formats that make of a text something else."""
