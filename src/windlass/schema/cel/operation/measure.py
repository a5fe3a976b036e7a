"""How large a value is."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.value import Duration, Optional, Timestamp, Uint

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value

_LIGHT: Final = frozenset({int, bool, float, type(None), Uint, Duration, Timestamp})


def size(value: Value) -> int:
    """The count of characters, bytes, elements or keys.

    Raises:
        EvaluationError: the value has no size.
    """
    if isinstance(value, Sized):
        return len(value)
    named = "" if isinstance(value, (Duration, Timestamp)) else ": size"
    raise EvaluationError(f"no such overload{named}")


def weight(value: Value) -> int:
    """The size of a value as costs count it: that of an optional is that of what it holds, of others 1."""
    kind = type(value)
    if kind is str or kind is list or kind is dict:
        return len(value)
    if kind in _LIGHT:
        return 1
    if isinstance(value, Optional) and value.is_present:
        return weight(value.value)
    return len(value) if isinstance(value, Sized) else 1
