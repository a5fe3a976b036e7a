"""Values as text, as `string(x)` has them."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import Type
from windlass.schema.cel.value import Duration, Timestamp, Uint, type_of
from windlass.schema.golang import number

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Value

_SECOND: Final = 10**9


def shown(value: Value) -> str:
    """What `string(value)` gives.

    Raises:
        EvaluationError: the value has no text.
    """
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise EvaluationError(f"type conversion error from '{type_of(value).name}' to 'string'")
    return writer(value)


def _double(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return "NaN" if math.isnan(value) else number(value)


def _fixed(value: float) -> str:
    """A float in the fewest digits that tell it, without an exponent."""
    from decimal import Decimal

    text = format(Decimal(repr(value)), "f")
    return text.rstrip("0").removesuffix(".") if "." in text else text


def _decoded(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from None


def _moment(since: int) -> str:
    seconds, nanoseconds = divmod(since, _SECOND)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    fraction = f".{nanoseconds:09}".rstrip("0") if nanoseconds else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z".rjust(len("0001-01-01T00:00:00Z"), "0")


_WRITERS: Final[dict[type, Callable[[Value], str]]] = {
    str: str,
    type(None): lambda _value: "null",
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: str(int(value)),
    float: _double,
    bytes: _decoded,
    Timestamp: lambda value: _moment(value.nanoseconds),
    Duration: lambda value: f"{_fixed(value.nanoseconds / _SECOND)}s",
    Type: lambda value: value.name,
}
