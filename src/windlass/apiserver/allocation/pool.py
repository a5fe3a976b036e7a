from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


class NotFree(WindlassError):
    """What was asked for is not to be had; the message says why."""


def pick(size: int, reserved: int, is_taken: Callable[[int], bool], chance: Random) -> int:
    """A number below `size` that is not taken, found by walking on from a random one.

    The lowest numbers, `reserved` of them, are for those who ask for one by name: they come last.

    Raises:
        NotFree: all are taken.
    """
    for first, last in ((reserved, size), (0, reserved)):
        if first == last:
            continue
        start = chance.randrange(first, last)
        for number in chain(range(start, last), range(first, start)):
            if not is_taken(number):
                return number
    raise NotFree("range is full")


def reserved_of(size: int, step: int, most: int) -> int:
    """How many of the lowest numbers of a range are for those who ask: a part of it, within bounds."""
    least = 16
    return 0 if size <= least else min(max(least, size // step), most)
