"""How large a text is after `replace`."""

from __future__ import annotations

import math

from windlass.schema.cel.cost.bounds import MOST, Range


def replaced_size(text: Range, old: Range, new: Range) -> Range:
    """The size of a text in which one text is replaced by another, from none of them to as many as fit."""
    most_count, most_kept = _longest(text.max, old, new)
    least_count, least_kept = _shortest(text.min, old, new)
    return Range(least_count, most_count).times(new).plus(Range(least_kept, most_kept))


def _longest(size: int, old: Range, new: Range) -> tuple[int, int]:
    """How often it can be replaced, and what is kept beside, to make the longest text."""
    if old.min == 0:
        return min(size + 1, MOST), size  # before each character and at the end
    if new.max <= old.min:
        return 0, size
    return _times(size, old.min), 0


def _shortest(size: int, old: Range, new: Range) -> tuple[int, int]:
    if old.max == 0:
        return min(size + 1, MOST), size
    if old.max <= new.min:
        return 0, size
    return _times(size, old.max), 0


def _times(size: int, part: int) -> int:
    return min(math.ceil(float(size) / float(part)), MOST)
