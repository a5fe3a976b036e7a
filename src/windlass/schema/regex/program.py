"""What an expression compiles to: instructions that are entered at the first and left behind the last.

All jumps are relative, so a piece of a program can be repeated and joined as the list that it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.regex.charset import CharSet


class Place(Enum):
    """What is asked about a position between two characters."""

    BEGIN_TEXT = auto()
    END_TEXT = auto()
    BEGIN_LINE = auto()
    END_LINE = auto()
    WORD_BOUNDARY = auto()
    NO_WORD_BOUNDARY = auto()


@dataclass(frozen=True, slots=True)
class Take:
    """Read one character of a set."""

    chars: CharSet


@dataclass(frozen=True, slots=True)
class Fork:
    """Go on at each of these distances, the first of which is liked best."""

    to: tuple[int, ...]


Code = list[Take | Fork | Place]


def either(branches: list[Code]) -> Code:
    """Any of several pieces."""
    code = branches[-1]
    for branch in reversed(branches[:-1]):
        code = [Fork((1, len(branch) + 2)), *branch, Fork((len(code) + 1,)), *code]
    return code


def star(code: Code) -> Code:
    """A piece any number of times."""
    if matches_empty(code):
        # A round that reads nothing ends the repetition; a plain loop would rather try another branch.
        return optional(plus(code))
    return [Fork((1, len(code) + 2)), *code, Fork((-len(code) - 1,))]


def plus(code: Code) -> Code:
    """A piece once or more."""
    return [*code, Fork((-len(code), 1))]


def optional(code: Code) -> Code:
    """A piece, or nothing."""
    return [Fork((1, len(code) + 1)), *code]


def repeated(code: Code, least: int, most: int | None) -> Code:
    """A piece at least so often, and at most so often if that is given."""
    if most is None:
        return code * (least - 1) + plus(code) if least else star(code)
    once = len(code) + 1
    tail: Code = []
    for left in range(most - least, 0, -1):
        tail += [Fork((1, left * once)), *code]
    return code * least + tail


def lazy(repeat: Callable[[Code], Code], code: Code) -> Code:
    """A repetition that likes fewer rounds best: `*?`."""
    marked: Code = [*code]
    made = repeat(marked)
    inner = {id(each) for each in marked}
    return [
        Fork(each.to[::-1]) if isinstance(each, Fork) and id(each) not in inner else each for each in made
    ]


def matches_empty(code: Code) -> bool:
    """Whether a piece can be passed, in some place, without reading a character."""
    seen, open_ = {0}, [0]
    while open_:
        place = open_.pop()
        if place >= len(code):
            return True
        step = code[place]
        if isinstance(step, Take):
            continue
        following = {place + distance for distance in (step.to if isinstance(step, Fork) else (1,))} - seen
        seen |= following
        open_ += following
    return False
