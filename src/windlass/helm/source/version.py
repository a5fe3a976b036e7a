"""Versions of charts, and which of them a constraint allows, by the rules that Helm has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING, NamedTuple

from windlass.errors import ChartError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_VERSION = re.compile(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")
_NUMBER = r"(?:\d+|[xX*])"
_PART = re.compile(
    rf"(!=|>=|=>|<=|=<|~>|[=<>~^])?\s*(v?{_NUMBER}(?:\.{_NUMBER}){{0,2}}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)"
)
_RANGE = re.compile(r"(\S+)\s+-\s+(\S+)")
_WILD = re.compile(r"[xX*]")
_PARTS = 3
_LONGEST = 256  # as for Go's semver; it bounds the time of matching, and the digits of numbers


@total_ordering
@dataclass(frozen=True)
class Version:
    """A semantic version. Build metadata does not count."""

    numbers: tuple[int, int, int]
    before: str = ""

    @classmethod
    def of(cls, text: str) -> Version | None:
        """The version that a text is, with or without a `v`, None if it is none."""
        found = _VERSION.fullmatch(text.strip()) if len(text) <= _LONGEST else None
        if not found:
            return None
        major, minor, patch, before = found.groups()
        return cls((int(major), int(minor or 0), int(patch or 0)), before or "")

    @property
    def rank(self) -> tuple[object, ...]:
        """By what versions are ordered: one before a release comes before it, numbers before words."""
        words = [
            (0, int(each), "") if each.isdecimal() else (1, 0, each)
            for each in self.before.split(".")
            if each
        ]
        return (self.numbers, not self.before, words)

    def __lt__(self, other: object) -> bool:
        return self.rank < other.rank if isinstance(other, Version) else NotImplemented


class _Bound(NamedTuple):
    """The versions from `low` up to and without `high`; with `other`, all but those."""

    low: Version | None
    high: Version | None
    other: bool = False

    def allows(self, version: Version) -> bool:
        within = (self.low is None or version >= self.low) and (self.high is None or version < self.high)
        return within is not self.other


def highest(versions: Iterable[str], wanted: str = "") -> str | None:
    """The highest of some versions that a constraint allows, as it was written; None if there is none.

    Nothing, or `latest`, is the highest stable one. Versions before a release are allowed by a constraint
    that names one itself. Build metadata does not count, except that a version which is written exactly as
    the constraint is preferred. What is no version is passed over.

    Raises:
        ChartError: the constraint is none.
    """
    if len(wanted) > _LONGEST:
        raise ChartError(f"the version {wanted[:20]}… is longer than {_LONGEST} characters")
    alternatives = _alternatives("*" if wanted in ("", "latest") else wanted)
    known = [(version, text) for text in versions if (version := Version.of(text))]
    fitting = [
        (version, text)
        for version, text in known
        if any(_fits(version, bounds, early=early) for bounds, early in alternatives)
    ]
    exact = next((text for _, text in fitting if text == wanted), None)
    return exact or (max(fitting)[1] if fitting else None)


def is_exact(wanted: str) -> bool:
    """Whether a constraint is a whole version, and so allows one alone."""
    found = _VERSION.fullmatch(wanted.strip()) if len(wanted) <= _LONGEST else None
    return found is not None and found.group(3) is not None


def _fits(version: Version, bounds: Sequence[_Bound], *, early: bool) -> bool:
    return (early or not version.before) and all(bound.allows(version) for bound in bounds)


def _alternatives(constraint: str) -> list[tuple[list[_Bound], bool]]:
    return [_conjunction(part.strip(), constraint) for part in constraint.split("||")]


def _conjunction(text: str, whole: str) -> tuple[list[_Bound], bool]:
    """The bounds of constraints that all have to hold, and whether one of them names an early version."""
    ranged = _RANGE.fullmatch(text)
    parts = [(">=", ranged[1]), ("<=", ranged[2])] if ranged else _PART.findall(text)
    left = "" if ranged else re.sub(r"[\s,]+", "", _PART.sub("", text))
    if left or not parts:
        raise ChartError(f"{whole!r} is no version or constraint such as 1.2.3, ^1.2 or >=1.0 <2.0")
    return [_bound(operator, number, whole) for operator, number in parts], "-" in text.replace(" - ", " ")


def _bound(operator: str, text: str, whole: str) -> _Bound:
    given = _given(text)
    low = Version.of(".".join(given) or "0") if not _VERSION.fullmatch(text) else Version.of(text)
    if low is None:
        raise ChartError(f"{whole!r}: {text!r} is no version")
    after = _next(low, max(len(given), 1)) if given else None
    if operator in ("", "=", "!="):
        return _Bound(low if given else None, after, other=operator == "!=")
    if operator in ("~", "~>"):
        return _Bound(low, _next(low, min(len(given), 2)) if given else None)
    if operator == "^":
        return _Bound(low, _next(low, _significant(low, len(given))) if given else None)
    if operator in ("<", ">"):
        return _Bound(None, low) if operator == "<" else _Bound(after, None)
    return _Bound(low, None) if operator in (">=", "=>") else _Bound(None, after)


def _given(text: str) -> list[str]:
    """The numbers that a partial version has: `1.2.x` has two."""
    core = re.split(r"[-+]", text.removeprefix("v"), maxsplit=1)[0]
    numbers: list[str] = []
    for part in core.split(".")[:_PARTS]:
        if _WILD.fullmatch(part) or not part.isdecimal():
            break
        numbers.append(part)
    return numbers


def _next(version: Version, parts: int) -> Version:
    """The first version that differs from this one in one of its first parts."""
    major, minor, patch = version.numbers
    if parts == 1:
        return Version((major + 1, 0, 0), "0")
    if parts == _PARTS:
        return _successor(version, (major, minor, patch + 1))
    return Version((major, minor + 1, 0), "0")


def _successor(version: Version, numbers: tuple[int, int, int]) -> Version:
    """What comes right after a whole version; after an early one, that one with another word."""
    return Version(version.numbers, f"{version.before}.0") if version.before else Version(numbers, "0")


def _significant(version: Version, given: int) -> int:
    """Which part a caret keeps: the first that is not zero."""
    for index, number in enumerate(version.numbers[:given], 1):
        if number:
            return index
    return given
