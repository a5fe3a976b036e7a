"""The indexes of a Job's pods, written as `1,3-5,7`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.apiserver.number import parse_signed
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator


def total_of(text: str, completions: int) -> tuple[int, str]:
    """How many indexes a text lists, and what is wrong with it, in which case they are none."""
    total, last = 0, -1
    for interval in text.split(",") if text else ():
        found = _interval(interval, completions)
        if isinstance(found, str):
            return 0, found
        start, end = found
        if total and last >= start:
            return 0, f"non-increasing order, previous: {last}, current: {start}"
        total += end - start + 1
        last = end
    return total, ""


def first_common(one: str, two: str, completions: int) -> int | None:
    """The first index that two texts both list; intervals that cannot be read list none."""
    others = list(_intervals(two, completions))
    common = [
        max(start, other_start)
        for start, end in _intervals(one, completions)
        for other_start, other_end in others
        if start <= other_end and other_start <= end
    ]
    return min(common, default=None)


def _intervals(text: str, completions: int) -> Iterator[tuple[int, int]]:
    for interval in text.split(",") if text else ():
        found = _interval(interval, completions)
        if not isinstance(found, str):
            yield found


def _interval(text: str, completions: int) -> tuple[int, int] | str:
    limits = text.split("-")
    if len(limits) > 2:  # noqa: PLR2004 - from and to
        violated = "the requirement that an index interval can have at most two parts separated by '-'"
        return f"the fragment {quoted(text)} violates {violated}"
    numbers: list[int] = []
    for limit in limits:
        try:
            number = parse_signed(limit)
        except ValueError:
            return f"cannot convert string to integer for index: {quoted(limit)}"
        if number >= completions:
            return f"too large index: {quoted(limit)}"
        numbers.append(number)
    if len(numbers) > 1 and numbers[0] >= numbers[1]:
        return f"non-increasing order, previous: {numbers[0]}, current: {numbers[1]}"
    return numbers[0], numbers[-1]
