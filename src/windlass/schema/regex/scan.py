from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.regex.charset import PERL, POSIX, CharSet, Part, property_named

if TYPE_CHECKING:
    from collections.abc import Mapping

_OCTAL: Final = frozenset("01234567")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_LAST: Final = 0x10FFFF
_CONTROLS: Final[Mapping[str, str]] = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class Scanner:
    """Reads what stands for characters: escapes, classes, sets in brackets. `at` is where it has come to."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    @property
    def ahead(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    def skip(self, text: str) -> bool:
        """Read a text, if that is what comes next."""
        found = self.text.startswith(text, self.at)
        if found:
            self.at += len(text)
        return found

    def take(self) -> str:
        """Read one character, empty at the end."""
        char = self.ahead
        self.at += len(char)
        return char

    def since(self, begin: int) -> str:
        """What was read since a position."""
        return self.text[begin : self.at]

    def class_escape(self) -> Part | None:
        r"""`\d`, `\pL` and the like, the backslash being read already."""
        if self.ahead in ("p", "P"):
            return self._property(self.at - 1, negated=self.take() == "P")
        kind = self.ahead
        if kind.lower() not in PERL:
            return None
        self.take()
        return Part(PERL[kind.lower()], negated=kind.isupper())

    def _property(self, begin: int, *, negated: bool) -> Part:
        name = self.take()
        if name == "{":
            end = self.text.find("}", self.at)
            if end < 0:
                raise error("invalid character class range", self.text[begin:])
            name = self.text[self.at : end]
            self.at = end + 1
        found = property_named(name.removeprefix("^"))
        if found is None:
            raise error("invalid character class range", self.since(begin))
        return Part(unicode=found, negated=negated is not name.startswith("^"))

    def escape(self) -> str:
        """One character that is written with a backslash, which is read already."""
        begin = self.at - 1
        char = self.take()
        if not char:
            raise error("trailing backslash at end of expression", "")
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char == "0" or (char in _OCTAL and self.ahead in _OCTAL):
            while self.at < begin + len(r"\777") and self.ahead in _OCTAL:
                self.take()
            return chr(int(self.since(begin + 1), 8))
        if char == "x" and self.ahead:
            return self._hexadecimal(begin)
        if not char.isascii() or char.isalnum():
            raise error("invalid escape sequence", self.since(begin))
        return char

    def _hexadecimal(self, begin: int) -> str:
        if not self.skip("{"):
            digits = self.take() + self.take()
            if len(digits) == len("ff") and _HEX.issuperset(digits):
                return chr(int(digits, 16))
            raise error("invalid escape sequence", self.since(begin))
        value, count = 0, 0
        while char := self.take():
            if char == "}" and count:
                return chr(value)
            if char not in _HEX or (value := value * 16 + int(char, 16)) > _LAST:
                break
            count += 1
        raise error("invalid escape sequence", self.since(begin))

    def char_set(self, *, folded: bool) -> CharSet:
        """A set in brackets, of which the first is read already."""
        begin = self.at - 1
        negated = self.skip("^")
        parts = [self._member(begin)]  # the first may be a bracket itself
        while not self.skip("]"):
            parts.append(self._member(begin))
        return CharSet(tuple(parts), negated, folded=folded)

    def _member(self, begin: int) -> Part:
        start = self.at
        found = self._posix() or (self.class_escape() if self.skip("\\") else None)
        if found is not None:
            return found
        self.at = start
        low = high = self._member_char(begin)
        if self.ahead == "-" and self.text[self.at + 1 : self.at + 2] not in ("", "]"):
            self.take()
            high = self._member_char(begin)
            if high < low:
                raise error("invalid character class range", self.since(start))
        return Part(((low, high),))

    def _posix(self) -> Part | None:
        begin = self.at
        end = self.text.find(":]", begin + 2) if self.text.startswith("[:", begin) else -1
        if end < 0:
            return None
        self.at = end + 2
        name = self.text[begin + 2 : end]
        known = POSIX.get(name.removeprefix("^"))
        if known is None:
            raise error("invalid character class range", self.since(begin))
        return Part(known, negated=name.startswith("^"))

    def _member_char(self, begin: int) -> str:
        char = self.take()
        if not char:
            raise error("missing closing ]", self.text[begin:])
        return self.escape() if char == "\\" else char


def error(what: str, where: str) -> ValueError:
    """What Go says about an expression that it does not take."""
    return ValueError(f"error parsing regexp: {what}: `{where}`")
