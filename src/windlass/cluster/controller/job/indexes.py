from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PAIR = 2


@dataclass(frozen=True)
class Indexes:
    """Completion indexes in the form that a status has, such as `1,3-5,7`.

    They are kept as ranges, in order and apart from each other: a Job may have a hundred thousand.
    """

    ranges: tuple[range, ...] = ()

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Indexes:
        """These numbers."""
        return cls(_joined(range(each, each + 1) for each in numbers))

    @classmethod
    def parse(cls, text: str, completions: int) -> Indexes:
        """What a text means, but for what lies beyond the completions and what is no number."""
        found = filter(None, (_parsed(part) for part in text.split(",")))
        return cls(_joined(range(each.start, min(each.stop, completions)) for each in found))

    def __or__(self, other: Indexes) -> Indexes:
        """Those that are in one of two."""
        return Indexes(_joined((*self.ranges, *other.ranges)))

    def __and__(self, other: Indexes) -> Indexes:
        """Those that are in both of two."""
        return Indexes(_joined(_overlaps(self.ranges, other.ranges)))

    def __contains__(self, index: int) -> bool:
        """Whether a number is among them."""
        place = bisect_right(self.ranges, index, key=lambda each: each.start)
        return place > 0 and index in self.ranges[place - 1]

    def __len__(self) -> int:
        """How many numbers they are."""
        return sum(map(len, self.ranges))

    def __str__(self) -> str:
        """As a status has it: two neighbours stand one by one, more as first and last."""
        return ",".join(_written(each) for each in self.ranges)

    def absent(self, completions: int) -> Iterator[int]:
        """The numbers below the completions that are not among them, in order."""
        start = 0
        for each in (*self.ranges, range(completions, completions)):
            yield from range(start, min(each.start, completions))
            start = each.stop


def _joined(ranges: Iterable[range]) -> tuple[range, ...]:
    joined: list[range] = []
    for each in sorted(filter(None, ranges), key=lambda found: found.start):
        if joined and each.start <= joined[-1].stop:
            joined[-1] = range(joined[-1].start, max(joined[-1].stop, each.stop))
        else:
            joined.append(each)
    return tuple(joined)


def _overlaps(left: tuple[range, ...], right: tuple[range, ...]) -> Iterator[range]:
    ours, theirs = iter(left), iter(right)
    mine, other = next(ours, None), next(theirs, None)
    while mine is not None and other is not None:
        yield range(max(mine.start, other.start), min(mine.stop, other.stop))
        if mine.stop < other.stop:
            mine = next(ours, None)
        else:
            other = next(theirs, None)


def _parsed(part: str) -> range | None:
    first, dash, last = part.partition("-")
    if not (first.isdecimal() and (last.isdecimal() or not dash)):
        return None
    return range(int(first), int(last if dash else first) + 1)


def _written(span: range) -> str:
    if len(span) <= _PAIR:
        return ",".join(map(str, span))
    return f"{span.start}-{span.stop - 1}"
