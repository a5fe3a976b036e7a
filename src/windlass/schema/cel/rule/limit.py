"""How dear rules may be, and how a server says that they are too dear."""

from __future__ import annotations

from typing import Final

CALL: Final = 1_000_000
"""What one evaluation of one rule may cost."""

OBJECT: Final = 10_000_000
"""What all rules may cost on one object."""

RULE: Final = 10_000_000
"""What a rule of a definition may be estimated to cost on an object."""

DEFINITION: Final = 100_000_000
"""What all rules of a definition may be estimated to cost on an object."""

MESSAGE: Final = 5 * 1024
"""The bytes of the longest message that an expression may give."""

MOST: Final = 2**64 - 1
"""The largest estimate; what is more is cut off there."""

_HOPELESS: Final = 100
_SLIGHTLY: Final = 1.5
_ADVICE: Final = (
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and "
    "strings are declared)"
)


def excess(what: str, cost: int, limit: int) -> str:
    """That a cost is above its limit, and by how much."""
    factor = cost / limit
    if factor > _HOPELESS:
        told = f"more than {_HOPELESS}x"
    elif factor < _SLIGHTLY:
        told = f"{factor:f}x"
    else:
        told = f"{factor:.1f}x"
    return f"{what} exceeds budget by factor of {told} {_ADVICE}"


def product(cost: int, count: int) -> int:
    """A cost that arises several times."""
    return min(cost * count, MOST)
