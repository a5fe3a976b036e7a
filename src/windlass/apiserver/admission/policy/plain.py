"""What an expression has made, as JSON."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import WindlassError
from windlass.schema.cel import Duration, Timestamp, TypeKind
from windlass.schema.cel.operation import duration_text, timestamp_text
from windlass.schema.cel.value import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAFE: Final = 2**53 - 1
"""The largest integer that every reader of JSON can tell from its neighbours."""


class Unsayable(WindlassError):
    """A value that cannot be said in JSON, or an object that is not of the type of its place."""


def plain(value: Any, *, exact: bool = True) -> Any:
    """A value as JSON. Unless it is to be `exact`, integers that are too large for a float become text.

    Raises:
        Unsayable: there is no such JSON.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return _number(value, exact=exact)
    if isinstance(value, Mapping):
        return {_key(key): plain(held, exact=exact) for key, held in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(item, exact=exact) for item in value]
    return _text(value)


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
    raise Unsayable(f"proto: invalid type: {type_of(value)}")


def check_types(value: Any) -> None:
    """Refuse an object some part of which is of another type than its place has: `Object.spec` at `spec`.

    Raises:
        Unsayable: one is.
    """
    if (name := _type_name(value)) and (problems := list(_misnamed(value, name))):
        told = "\n".join(problems)
        raise Unsayable(f"type mismatch: {told}")


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
    found = type_of(value)
    return found.name if found.kind is TypeKind.OBJECT else ""


def _key(key: Any) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    return key if isinstance(key, str) else str(int(key))
