"""Semantic versions, parsed as strictly as blang/semver does, and told in its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.own import Own
from windlass.schema.cel.library.remember import remembered
from windlass.schema.cel.library.signature import function, method, plain
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import BOOL, INT, STRING, Type, object_type
from windlass.schema.cel.value import UINT_MAX
from windlass.schema.golang import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

SEMVER: Final = object_type("kubernetes.Semver")
_NUMBER: Final = re.compile("[0-9]*", re.ASCII)
_WORD: Final = re.compile("[0-9A-Za-z-]*", re.ASCII)
_NUMBER_LENGTH: Final = len(str(UINT_MAX))


@dataclass(frozen=True, eq=False)
class Version(Own):
    """A version; what it was built from has no part in its order."""

    cel_type: ClassVar[Type] = SEMVER
    core: tuple[int, int, int]
    before: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.rank == other.rank

    def __hash__(self) -> int:
        return hash(self.rank)

    @cached_property
    def rank(self) -> tuple[object, ...]:
        """What versions are ordered by: a number before a word, and any release behind its candidates."""
        marks = tuple((0, int(mark), "") if mark.isdigit() else (1, 0, mark) for mark in self.before)
        return (*self.core, not marks, marks)


@remembered
def parse_version(text: str) -> Version:
    """A version.

    Raises:
        EvaluationError: it is none; the message is the server's.
    """
    if not text:
        raise EvaluationError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:  # noqa: PLR2004
        raise EvaluationError("No Major.Minor.Patch elements found")
    major, minor = _number("Major", parts[0]), _number("Minor", parts[1])
    rest, plus, build = parts[2].partition("+")
    patch, dash, before = rest.partition("-")
    core = major, minor, _number("Patch", patch)
    marks = tuple(map(_mark, before.split("."))) if dash else ()
    if plus:
        for word in build.split("."):
            if not word:
                raise EvaluationError("Build meta data is empty")
            if not _WORD.fullmatch(word):
                raise EvaluationError(f"Invalid character(s) found in build meta data {quoted(word)}")
    return Version(core, marks)


def _number(name: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise EvaluationError(f"Invalid character(s) found in {name.lower()} number {quoted(text)}")
    if len(text) > 1 and text[0] == "0":
        raise EvaluationError(f"{name} number must not contain leading zeroes {quoted(text)}")
    return _parsed(text)


def _parsed(text: str) -> int:
    if not text:
        raise EvaluationError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > _NUMBER_LENGTH or int(text) > UINT_MAX:
        raise EvaluationError(f"strconv.ParseUint: parsing {quoted(text)}: value out of range")
    return int(text)


def _mark(text: str) -> str:
    if not text:
        raise EvaluationError("Prerelease is empty")
    if _NUMBER.fullmatch(text):
        if len(text) > 1 and text[0] == "0":
            message = f"Numeric PreRelease version must not contain leading zeroes {quoted(text)}"
            raise EvaluationError(message)
        return str(_parsed(text))
    if not _WORD.fullmatch(text):
        raise EvaluationError(f"Invalid character(s) found in prerelease {quoted(text)}")
    return text


def _semver(text: str, normalize: bool = False) -> Version:  # noqa: FBT001, FBT002 - as the expression has it
    return parse_version(_normalized(text) if normalize else text)


def _normalized(text: str) -> str:
    """A version without a leading v and leading zeros, and with what is missing of its numbers."""
    parts = [_without_zeros(part) for part in text.removeprefix("v").split(".", 2)]
    missing = 3 - len(parts)
    if missing and re.search("[+-]", parts[-1]):
        raise EvaluationError("short version cannot contain PreRelease/Build meta data")
    return ".".join((*parts, *["0"] * missing))


def _without_zeros(part: str) -> str:
    if len(part) <= 1:
        return part
    bare = part.lstrip("0")
    return bare if bare[:1] in tuple("0123456789") else f"0{bare}"


def _is_semver(text: str, normalize: bool = False) -> bool:  # noqa: FBT001, FBT002
    try:
        _semver(text, normalize)
    except EvaluationError:
        return False
    return True


def _compare(left: Version, right: Version) -> int:
    return (left.rank > right.rank) - (left.rank < right.rank)


def _is_greater(left: Version, right: Version) -> bool:
    return left.rank > right.rank


def _is_less(left: Version, right: Version) -> bool:
    return left.rank < right.rank


def _part(index: int) -> Callable[[Version], int]:
    def part(version: Version) -> int:
        number = version.core[index]
        return number - 2**64 if number >= 2**63 else number  # the server does not look

    return part


_BOTH: Final = (SEMVER, SEMVER)
SEMVERS: Final = Library(
    "kubernetes.Semver",
    (
        function(
            "semver",
            plain("string_to_semver", (STRING,), SEMVER, _semver),
            plain("string_bool_to_semver", (STRING, BOOL), SEMVER, _semver),
        ),
        function(
            "isSemver",
            plain("is_semver_string", (STRING,), BOOL, _is_semver),
            plain("is_semver_string_bool", (STRING, BOOL), BOOL, _is_semver),
        ),
        function("isGreaterThan", method("semver_is_greater_than", _BOTH, BOOL, _is_greater)),
        function("isLessThan", method("semver_is_less_than", _BOTH, BOOL, _is_less)),
        function("compareTo", method("semver_compare_to", _BOTH, INT, _compare)),
        function("major", method("semver_major", (SEMVER,), INT, _part(0))),
        function("minor", method("semver_minor", (SEMVER,), INT, _part(1))),
        function("patch", method("semver_patch", (SEMVER,), INT, _part(2))),
    ),
)
