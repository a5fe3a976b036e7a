from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.schema.regex.charset import ANY, NOT_NEWLINE, CharSet, Part
from windlass.schema.regex.program import Code, Place, Take, either, lazy, optional, plus, repeated, star
from windlass.schema.regex.scan import Scanner, error

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_REPEATS: Final = 1000
_MOST_GROUPS: Final = 1000
_MOST_INSTRUCTIONS: Final = 100_000
"""Go takes expressions that are thirty times as large, at 128 MB each."""

_LONGEST_NUMBER: Final = 8
_DIGITS: Final = frozenset("0123456789")
_NAME: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_FLAGS: Final[Mapping[str, str]] = {"i": "fold", "m": "lines", "s": "dot_newline", "U": "lazy"}
_PLACES: Final[Mapping[str, Place]] = {
    "A": Place.BEGIN_TEXT,
    "b": Place.WORD_BOUNDARY,
    "B": Place.NO_WORD_BOUNDARY,
    "z": Place.END_TEXT,
}


@dataclass(frozen=True, slots=True)
class _Flags:
    """What `(?imsU)` sets."""

    fold: bool = False
    lines: bool = False
    dot_newline: bool = False
    lazy: bool = False


@dataclass(slots=True)
class _Piece:
    """What a repetition applies to. `repeats` is the product of the repetition counts inside of it."""

    code: Code
    repeats: int = 1


@dataclass(slots=True)
class _Group:
    """A group that is still open: the flags before it, its branches so far, and the one being read."""

    flags: _Flags
    branches: list[Code] = field(default_factory=list)
    pieces: list[_Piece] = field(default_factory=list)
    repeats: int = 1

    def end_branch(self) -> None:
        self.branches.append([each for piece in self.pieces for each in piece.code])
        self.repeats = max(self.repeats, *(piece.repeats for piece in self.pieces), 1)
        self.pieces = []

    def close(self) -> _Piece:
        self.end_branch()
        return _Piece(either(self.branches), self.repeats)


def parse(expression: str) -> Code:
    """The program of an expression.

    Raises:
        ValueError: it is not an expression of Go's; the message is Go's.
    """
    return _Parser(expression).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._scan = Scanner(text)
        self._flags = _Flags()
        self._groups = [_Group(self._flags)]
        self._repeated: int | None = None

    def parse(self) -> Code:
        scan = self._scan
        while char := scan.ahead:
            repeated_before, self._repeated = self._repeated, None
            if char in "*+?{":
                self._repetition(repeated_before)
            else:
                scan.take()
                self._item(char)
        if len(self._groups) > 1:
            raise error("missing closing )", scan.text)
        return self._groups[0].close().code

    def _item(self, char: str) -> None:
        match char:
            case "(":
                self._open(self._scan.at - 1)
            case ")":
                self._close()
            case "|":
                self._groups[-1].end_branch()
            case "^":
                self._push([Place.BEGIN_LINE if self._flags.lines else Place.BEGIN_TEXT])
            case "$":
                self._push([Place.END_LINE if self._flags.lines else Place.END_TEXT])
            case ".":
                self._push([Take(ANY if self._flags.dot_newline else NOT_NEWLINE)])
            case "[":
                self._push([Take(self._scan.char_set(folded=self._flags.fold))])
            case "\\":
                self._backslash()
            case _:
                self._literal(char)

    def _push(self, code: Code, repeats: int = 1) -> None:
        self._groups[-1].pieces.append(_Piece(code, repeats))

    def _literal(self, char: str) -> None:
        self._push([Take(CharSet((Part(((char, char),)),), folded=self._flags.fold))])

    def _backslash(self) -> None:
        scan = self._scan
        if scan.ahead in _PLACES:
            self._push([_PLACES[scan.take()]])
        elif scan.skip("Q"):
            quoted, end, _ = scan.text[scan.at :].partition(r"\E")
            scan.at += len(quoted) + len(end)
            for char in quoted:
                self._literal(char)
        elif (part := scan.class_escape()) is not None:
            self._push([Take(CharSet((part,), folded=self._flags.fold))])
        else:
            self._literal(scan.escape())

    def _open(self, begin: int) -> None:
        outer = self._flags
        if self._scan.skip("?") and not self._name(begin) and not self._set_flags(begin):
            return
        self._groups.append(_Group(outer))
        if len(self._groups) > _MOST_GROUPS:
            raise error("expression nests too deeply", self._scan.text)

    def _name(self, begin: int) -> bool:
        """Read the name of a group, if it has one."""
        scan = self._scan
        opening = next((each for each in ("P<", "<") if scan.text.startswith(each, scan.at)), "")
        if not opening or len(scan.text) == scan.at + len(opening):
            return False
        end = scan.text.find(">", scan.at)
        if end < 0:
            raise error("invalid named capture", scan.text[begin:])
        name = scan.text[scan.at + len(opening) : end]
        scan.at = end + 1
        if not name or not _NAME.issuperset(name):
            raise error("invalid named capture", scan.since(begin))
        return True

    def _set_flags(self, begin: int) -> bool:
        """Read the flags behind `(?`, and tell whether a group begins there."""
        flags, value, seen = self._flags, True, False
        while char := self._scan.take():
            if char in _FLAGS:
                flags, seen = replace(flags, **{_FLAGS[char]: value}), True
            elif char == "-" and value:
                value, seen = False, False
            elif char in ":)" and (value or seen):
                self._flags = flags
                return char == ":"
            else:
                break
        raise error("invalid or unsupported Perl syntax", self._scan.since(begin))

    def _close(self) -> None:
        if len(self._groups) == 1:
            raise error("unexpected )", self._scan.text)
        group = self._groups.pop()
        self._flags = group.flags
        closed = group.close()
        self._push(closed.code, closed.repeats)

    def _repetition(self, repeated_before: int | None) -> None:
        scan = self._scan
        begin = scan.at
        sign = scan.take()
        counts = self._counts() if sign == "{" else None
        if sign == "{" and counts is None:
            scan.at = begin + 1
            self._literal(sign)
            return
        if counts is not None and not _in_order(*counts):
            raise error("invalid repeat count", scan.since(begin))
        is_lazy = scan.skip("?") is not self._flags.lazy
        if repeated_before is not None:
            raise error("invalid nested repetition operator", scan.since(repeated_before))
        if not self._groups[-1].pieces:
            raise error("missing argument to repetition operator", scan.since(begin))
        self._repeated = begin
        piece = self._groups[-1].pieces[-1]
        if counts is None:
            repeat = {"*": star, "+": plus, "?": optional}[sign]
        else:
            self._count(piece, *counts, begin)
            repeat = partial(repeated, least=counts[0], most=counts[1])
        piece.code = lazy(repeat, piece.code) if is_lazy else repeat(piece.code)

    def _count(self, piece: _Piece, least: int, most: int | None, begin: int) -> None:
        times = least if most is None else most
        piece.repeats = 1 if most == 0 else piece.repeats * max(times, 1)
        if times > 1 and piece.repeats > _MOST_REPEATS:
            raise error("invalid repeat count", self._scan.since(begin))
        if len(piece.code) * times > _MOST_INSTRUCTIONS:
            raise error("expression too large", self._scan.text)

    def _counts(self) -> tuple[int, int | None] | None:
        """The numbers of `{2,3}`, of which the brace is read; `None` where it is plain text."""
        least = self._number()
        if least is None:
            return None
        most: int | None = least
        if self._scan.skip(","):
            most = self._number()
        return (least, most) if self._scan.skip("}") else None

    def _number(self) -> int | None:
        begin = self._scan.at
        while self._scan.ahead in _DIGITS:
            self._scan.take()
        digits = self._scan.since(begin)
        if not digits or (digits[0] == "0" and len(digits) > 1):
            self._scan.at = begin
            return None
        return int(digits[:_LONGEST_NUMBER])


def _in_order(least: int, most: int | None) -> bool:
    return least <= _MOST_REPEATS if most is None else least <= most <= _MOST_REPEATS
