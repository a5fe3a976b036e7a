"""Values and types as messages show them, which is how Go prints them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.operation.duration import SECOND
from windlass.schema.cel.operation.equality import is_list
from windlass.schema.cel.operation.timestamp import timestamp_text
from windlass.schema.cel.type import Type, TypeKind
from windlass.schema.cel.value import Duration, Optional, Timestamp, Uint, type_of
from windlass.schema.golang import number

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value

_NAMES: Final = {
    TypeKind.NULL: "null_type",
    TypeKind.TIMESTAMP: "google.protobuf.Timestamp",
    TypeKind.DURATION: "google.protobuf.Duration",
}
_GO_TYPES: Final = {
    bool: "types.Bool",
    int: "types.Int",
    Uint: "types.Uint",
    float: "types.Double",
    str: "types.String",
    bytes: "types.Bytes",
    type(None): "types.Null",
    Duration: "types.Duration",
    Timestamp: "types.Timestamp",
    Optional: "*types.Optional",
    Type: "*types.Type",
}


def runtime_name(of: Type) -> str:
    """The name of a type at run time, which of times is not the one that the checker uses."""
    return _NAMES.get(of.kind, of.name)


def type_name(value: Value) -> str:
    """The name of the type of a value at run time."""
    return runtime_name(type_of(value))


def go_type(value: Value) -> str:
    """What cel-go's own type of a value is called: `types.Int`."""
    known = _GO_TYPES.get(type(value)) or getattr(value, "go_name", None)
    if isinstance(known, str):
        return known
    if isinstance(value, Mapping):
        return "*types.baseMap"
    return "*types.baseList" if is_list(value) else type_name(value)


def double_text(value: float) -> str:
    """A double in the fewest digits that tell it from every other."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return number(value)


def shown(value: Value) -> str:
    """A value as a message shows it: text plain, `[1, 2]`, `{a: 1}`."""
    writer = _WRITERS.get(type(value))
    if writer is not None:
        return writer(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{shown(key)}: {shown(each)}' for key, each in value.items())}}}"
    return f"[{', '.join(map(shown, value))}]" if is_list(value) else str(value)


def go_time_text(moment: Timestamp) -> str:
    """A moment as Go prints it: `2006-01-02 15:04:05.5 +0000 UTC`."""
    written = timestamp_text(moment)
    day, time = written[:10], written[11:].removesuffix("Z")
    if not moment.offset:
        return f"{day} {time} +0000 UTC"
    zone = time[-6:].replace(":", "")
    return f"{day} {time[:-6]} {zone} {zone}"


def go_duration_text(duration: Duration) -> str:
    """A duration as Go writes it: `1h30m0s`, `1.5ms`."""
    sign, size = ("-", -duration.nanoseconds) if duration.nanoseconds < 0 else ("", duration.nanoseconds)
    if size < SECOND:
        for digits, name in ((6, "ms"), (3, "\u00b5s"), (0, "ns")):
            if size >= 10**digits:
                return f"{sign}{_decimal(size, digits)}{name}"
        return "0s"
    minutes, rest = divmod(size, 60 * SECOND)
    hours, minutes = divmod(minutes, 60)
    before = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{sign}{before}{_decimal(rest, 9)}s"


def _decimal(value: int, digits: int) -> str:
    """A number of which some digits are behind the point."""
    whole, fraction = divmod(value, 10**digits)
    return f"{whole}.{fraction:0{digits}}".rstrip("0").rstrip(".") if fraction else str(whole)


_WRITERS: Final[dict[type, Callable[[Any], str]]] = {
    str: str,
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: str(int(value)),
    float: double_text,
    type(None): lambda _value: "NULL_VALUE",
    bytes: lambda value: f"[{' '.join(map(str, value))}]",
    Duration: go_duration_text,
    Timestamp: go_time_text,
    Type: runtime_name,
    Optional: lambda value: f"optional({shown(value.value)})" if value.is_present else "optional.none()",
}
