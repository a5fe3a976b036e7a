"""JSON values: copied, and compared more closely than Python does."""

from __future__ import annotations

from typing import Any


def copied(value: Any) -> Any:
    """A copy that shares nothing that could change."""
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


def alike(one: Any, other: Any) -> bool:
    """Whether two values are equal and of the same types, which `1 == True` and `1 == 1.0` are not."""
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return len(one) == len(other) and all(
            name in other and alike(value, other[name]) for name, value in one.items()
        )
    if type(one) is list:
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)
