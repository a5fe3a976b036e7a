"""The parts of a text that differ from render to render, as a password amid a configuration does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# What two renders have in common by chance: the beginning of a word, and of a time.
_BEGUN: Final = re.compile(r"(?:\d[\d:T. +-]*)?[\w.+-]*\Z")
_ENDED: Final = re.compile(r"\A[\w.:+-]*")
_MOST_FITTED: Final = 1_000_000  # gaps times lines, which takes a second
_LONG_ENOUGH: Final = 6  # for a value that is looked for in other texts


class Gap(NamedTuple):
    """A part of a line that differs: what stands before it and after it, up to the next whole word."""

    before: str
    after: str

    def part(self, line: str) -> str | None:
        """What fills the gap in a line; None where the line does not fit around it."""
        size = len(self.before) + len(self.after)
        if len(line) < size or not line.startswith(self.before) or not line.endswith(self.after):
            return None
        return line[len(self.before) : len(line) - len(self.after)]


class Filled(NamedTuple):
    """A text whose gaps are filled, and what was put in place of what."""

    text: str
    replaced: dict[str, str]


WHOLE: Final = (Gap("", ""),)
"""The gap in a text, or anything else, that differs as a whole."""


def gaps(first: str, second: str) -> tuple[Gap, ...]:
    """The gaps in two renders of a text, one for each line that differs; or `WHOLE` for all of it.

    Lines are told from each other by what stands before their gaps. If one has nothing there, all of the text
    is one thing, as a certificate is: parts of two of them would make neither.
    """
    one, two = first.split("\n"), second.split("\n")
    found = tuple(_gap(*pair) for pair in zip(one, two, strict=False) if pair[0] != pair[1])
    is_told_apart = len(one) == len(two) and len(set(found)) == len(found)
    if len(found) * len(one) > _MOST_FITTED:
        return WHOLE
    return found if is_told_apart and all(gap.before for gap in found) else WHOLE


def _gap(first: str, second: str) -> Gap:
    before = _BEGUN.sub("", _common(first, second))
    rest = [line[len(before) :][::-1] for line in (first, second)]
    return Gap(before, _ENDED.sub("", _common(*rest)[::-1]))


def _common(first: str, second: str) -> str:
    """How two texts begin alike."""
    size = next((at for at, (one, two) in enumerate(zip(first, second, strict=False)) if one != two), None)
    return first[: min(len(first), len(second)) if size is None else size]


def fill(new: str, old: str, found: tuple[Gap, ...]) -> Filled | None:
    """A new text with the parts of an old one in its gaps; None if the old text does not fit."""
    if found == WHOLE:
        return Filled(old, {new: old})
    lines, before = new.split("\n"), old.split("\n")
    replaced: dict[str, str] = {}
    for gap in found:
        here, there = _fitting(gap, lines), _fitting(gap, before)
        if len(here) != 1 or len(there) != 1:
            return None
        (index, part), (_, former) = here[0], there[0]
        replaced[part] = former
        lines[index] = gap.before + former + gap.after
    return Filled("\n".join(lines), replaced)


def _fitting(gap: Gap, lines: list[str]) -> list[tuple[int, str]]:
    return [(index, part) for index, line in enumerate(lines) if (part := gap.part(line)) is not None]


def replacer(replaced: Mapping[str, str]) -> Callable[[str], str]:
    """Return what replaces, in a text, values that were replaced elsewhere; the longest that fits is taken.

    A value is found by how it begins: the time does not grow with the number of values.
    """
    known: dict[str, list[str]] = {}
    for value in sorted(replaced, key=len, reverse=True):
        if len(value) >= _LONG_ENOUGH:
            known.setdefault(value[:_LONG_ENOUGH], []).append(value)

    def replace(text: str) -> str:
        parts, kept, at = [], 0, 0
        while known and at <= len(text) - _LONG_ENOUGH:
            alike = known.get(text[at : at + _LONG_ENOUGH], ())
            found = next((value for value in alike if text.startswith(value, at)), None)
            if found is None:
                at += 1
                continue
            parts += [text[kept:at], replaced[found]]
            kept = at = at + len(found)
        return "".join((*parts, text[kept:]))

    return replace
