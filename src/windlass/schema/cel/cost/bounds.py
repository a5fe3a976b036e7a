"""Ranges of costs and sizes, in the arithmetic of 64 bits that stops at the largest number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

MOST: Final = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Range:
    """What a cost or a size is at least and at most."""

    min: int
    max: int

    @classmethod
    def exactly(cls, amount: int) -> Range:
        """One amount."""
        return cls(amount, amount)

    def plus(self, other: Range) -> Range:
        """The sum."""
        return Range(min(self.min + other.min, MOST), min(self.max + other.max, MOST))

    def times(self, other: Range) -> Range:
        """The product."""
        return Range(min(self.min * other.min, MOST), min(self.max * other.max, MOST))

    def scaled(self, factor: float) -> Range:
        """The product with a price of one unit, rounded up."""
        return Range(scaled(self.min, factor), scaled(self.max, factor))

    def joined(self, other: Range) -> Range:
        """What has room for both."""
        return Range(min(self.min, other.min), max(self.max, other.max))


def scaled(amount: int, factor: float) -> int:
    """An amount times a price of one unit, rounded up."""
    product = float(amount) * factor
    return MOST if product >= MOST else math.ceil(product)


FREE: Final = Range(0, 0)
ONE: Final = Range(1, 1)
UNKNOWN: Final = Range(0, MOST)
NEVER: Final = Range(MOST, 0)
"""What joins with any range to that range."""
