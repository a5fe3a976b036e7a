"""What was read is remembered: an expression reads the same constants for every object."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST: Final = 1024
_LONGEST: Final = 200
"""Longer texts would fill the memory, and are rare."""

_Read = TypeVar("_Read")


def remembered(read: Callable[[str], _Read]) -> Callable[[str], _Read]:
    """A function that reads a text, and remembers the short ones that it has read lately."""
    cached = lru_cache(maxsize=_MOST)(read)

    @wraps(read)
    def remembering(text: str) -> _Read:
        return cached(text) if len(text) <= _LONGEST else read(text)

    return remembering
