"""What an expression has made, as JSON."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import WindlassError
from windlass.schema.cel import Duration, Timestamp
from windlass.schema.cel.evaluate import Instance
from windlass.schema.cel.operation import duration_text, timestamp_text, type_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAFE: Final = 2**53 - 1
"""The largest integer that every reader of JSON can tell from its neighbours."""


class Unsayable(WindlassError):
    """A value that cannot be said in JSON."""


class Mistyped(WindlassError):
    """An object that is not of the type of its place."""


def plain(value: Any, *, exact: bool = True) -> Any:
    """A value as JSON: as it is written, or, where it is to be `exact`, as Go holds it.

    Written, integers that are too large for a float become text. Held, a null is the number that it is to
    protobuf, and a duration its nanoseconds.

    Raises:
        Unsayable: there is no such JSON.
    """
    if isinstance(value, bool | str):
        return value
    if value is None or (exact and isinstance(value, Duration)):
        return _held(value) if exact else None
    if isinstance(value, int | float):
        return _number(value, exact=exact)
    if isinstance(value, Mapping):
        return {_key(key): plain(held, exact=exact) for key, held in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(item, exact=exact) for item in value]
    return _text(value)


def _held(value: Duration | None) -> int:
    return 0 if value is None else value.nanoseconds


def _number(value: float, *, exact: bool) -> float | str:
    if isinstance(value, int):
        return int(value) if exact or -_SAFE <= value <= _SAFE else str(int(value))
    return value if exact or not value.is_integer() else int(value)


def _text(value: Any) -> str:
    match value:
        case bytes():
            return base64.b64encode(value).decode()
        case Duration():
            return duration_text(value)
        case Timestamp():
            return timestamp_text(value)
    name = type_name(value).rpartition(".")[2]
    raise Unsayable(f"type conversion error from '{name}' to '*structpb.Value'")


def check_types(value: Any) -> None:
    """Refuse an object some part of which is of another type than its place has: `Object.spec` at `spec`.

    Raises:
        Mistyped: one is.
    """
    if (name := _type_name(value)) and (problems := list(_misnamed(value, name))):
        told = "\n".join(problems)
        raise Mistyped(f"type mismatch: {told}")


def _misnamed(value: Any, wanted: str) -> Iterator[str]:
    name = _type_name(value)
    if name:
        if name != wanted:
            yield (
                f'unexpected type name "{name}", expected "{wanted}", '
                "which matches field name path from root Object type"
            )
        for field, held in value.items():
            yield from _misnamed(held, f"{wanted}.{field}")
    elif isinstance(value, Mapping):
        for held in value.values():
            yield from _misnamed(held, wanted)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for item in value:
            yield from _misnamed(item, wanted)


def _type_name(value: Any) -> str:
    """The name of the type of an object that an expression made; empty for anything else."""
    return value.cel_type.name if isinstance(value, Instance) else ""


def _key(key: Any) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    return key if isinstance(key, str) else str(int(key))
