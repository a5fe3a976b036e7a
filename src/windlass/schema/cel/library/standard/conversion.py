"""Values of one type made of those of another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Function, Overload
from windlass.schema.cel.operation import (
    EARLIEST,
    LATEST,
    SECOND,
    checked_int,
    checked_uint,
    double_text,
    duration_text,
    int_of_double,
    parse_duration,
    parse_timestamp,
    timestamp_text,
    uint_of_double,
)
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    A,
    Type,
    type_of_type,
)
from windlass.schema.cel.value import INT_MAX, INT_MIN, UINT_MAX, Duration, Timestamp, Uint, type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Value

_TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_SIGNED: Final = re.compile("[+-]?[0-9]+")
_DIGITS: Final = re.compile("[0-9]+")
_MOST_DIGITS: Final = 4000
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HEXADECIMAL: Final = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+")
_BETWEEN_DIGITS: Final = re.compile("(?<=[0-9])_(?=[0-9])")
_NAMED: Final = re.compile("[+-]?inf(?:inity)?|nan", re.IGNORECASE)


def _same(value: Value) -> Value:
    return value


def _unconvertible(target: str) -> EvaluationError:
    return EvaluationError(f"type conversion error from 'string' to '{target}'")


def _bool_of_text(text: str) -> bool:
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise _unconvertible("bool")


def _whole(text: str, shape: re.Pattern[str]) -> int | None:
    return int(text) if len(text) < _MOST_DIGITS and shape.fullmatch(text) else None


def _int_of_text(text: str) -> int:
    value = _whole(text, _SIGNED)
    if value is None or not INT_MIN <= value <= INT_MAX:
        raise _unconvertible("int")
    return value


def _uint_of_text(text: str) -> Uint:
    value = _whole(text, _DIGITS)
    if value is None or value > UINT_MAX:
        raise _unconvertible("uint")
    return Uint(value)


def _double_of_text(text: str) -> float:
    if _NAMED.fullmatch(text):
        return float(text)
    value = float("inf")
    plain = _BETWEEN_DIGITS.sub("", text)
    if _DECIMAL.fullmatch(plain):
        value = float(plain)
    elif _HEXADECIMAL.fullmatch(plain):
        value = _hexadecimal(plain)
    if value in (float("inf"), float("-inf")):
        raise _unconvertible("double")
    return value


def _hexadecimal(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return float("inf")


def _duration_of_text(text: str) -> Duration:
    value = parse_duration(text)
    if value is None:
        raise _unconvertible("google.protobuf.Duration")
    return value


def _timestamp_of_text(text: str) -> Timestamp:
    value = parse_timestamp(text)
    if value is None:
        raise _unconvertible("google.protobuf.Timestamp")
    return _bounded(value)


def _bounded(moment: Timestamp) -> Timestamp:
    if EARLIEST <= moment.nanoseconds // SECOND <= LATEST:
        return moment
    raise EvaluationError("timestamp overflow")


def _text_of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from error


def _bytes_of_text(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _conversion(name: str, result: Type, *sources: tuple[str, Type, Callable[[Value], Value]]) -> Function:
    return Function(name, tuple(Overload(id_, (source,), result, call) for id_, source, call in sources))


CONVERSIONS: Final = (
    Function("type", (Overload("type", (A,), type_of_type(A), type_of),)),
    _conversion("bool", BOOL, ("bool_to_bool", BOOL, _same), ("string_to_bool", STRING, _bool_of_text)),
    _conversion(
        "bytes", BYTES, ("bytes_to_bytes", BYTES, _same), ("string_to_bytes", STRING, _bytes_of_text)
    ),
    _conversion(
        "double",
        DOUBLE,
        ("double_to_double", DOUBLE, _same),
        ("int64_to_double", INT, float),
        ("string_to_double", STRING, _double_of_text),
        ("uint64_to_double", UINT, float),
    ),
    _conversion(
        "duration",
        DURATION,
        ("duration_to_duration", DURATION, _same),
        # cel-go declares this overload, and then has no such conversion.
        ("int64_to_duration", INT, lambda _value: _refuse_duration()),
        ("string_to_duration", STRING, _duration_of_text),
    ),
    _conversion("dyn", DYN, ("to_dyn", A, _same)),
    _conversion(
        "int",
        INT,
        ("int64_to_int64", INT, _same),
        ("double_to_int64", DOUBLE, int_of_double),
        ("duration_to_int64", DURATION, lambda value: value.nanoseconds),
        ("string_to_int64", STRING, _int_of_text),
        ("timestamp_to_int64", TIMESTAMP, lambda value: value.nanoseconds // SECOND),
        ("uint64_to_int64", UINT, lambda value: checked_int(int(value))),
    ),
    _conversion(
        "string",
        STRING,
        ("string_to_string", STRING, _same),
        ("bool_to_string", BOOL, lambda value: "true" if value else "false"),
        ("bytes_to_string", BYTES, _text_of_bytes),
        ("double_to_string", DOUBLE, double_text),
        ("duration_to_string", DURATION, duration_text),
        ("int64_to_string", INT, str),
        ("timestamp_to_string", TIMESTAMP, timestamp_text),
        ("uint64_to_string", UINT, lambda value: str(int(value))),
    ),
    _conversion(
        "timestamp",
        TIMESTAMP,
        ("timestamp_to_timestamp", TIMESTAMP, _same),
        ("int64_to_timestamp", INT, lambda value: _bounded(Timestamp(value * SECOND))),
        ("string_to_timestamp", STRING, _timestamp_of_text),
    ),
    _conversion(
        "uint",
        UINT,
        ("uint64_to_uint64", UINT, _same),
        ("double_to_uint64", DOUBLE, uint_of_double),
        ("int64_to_uint64", INT, checked_uint),
        ("string_to_uint64", STRING, _uint_of_text),
    ),
)
"""One function for each type, named like it, and `type` and `dyn`."""


def _refuse_duration() -> Value:
    raise EvaluationError("type conversion error from 'int' to 'google.protobuf.Duration'")
