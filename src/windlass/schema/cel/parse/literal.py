"""What constants mean. A text that means nothing raises `ValueError` with the message for it."""

from __future__ import annotations

import re
from math import isinf
from typing import Final

from windlass.schema.cel.value import INT_MAX, INT_MIN, UINT_MAX, Uint

_LAST_CHARACTER: Final = 0x10FFFF
_SURROGATES: Final = range(0xD800, 0xE000)
_LONGEST_DIGITS: Final = 20
_ESCAPED: Final = re.compile(r"\\(?:[xX](..)|u(.{4})|U(.{8})|([0-3][0-7]{2})|(.))", re.DOTALL)
_SIMPLE: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def integer(text: str) -> int:
    """An int, which may have a sign."""
    value = _whole(text.removeprefix("-"))
    value = -value if text.startswith("-") else value
    if not INT_MIN <= value <= INT_MAX:
        raise ValueError("invalid int literal")
    return value


def unsigned(text: str) -> Uint:
    """A uint, with the `u` at its end."""
    value = _whole(text[:-1])
    if value > UINT_MAX:
        raise ValueError("invalid uint literal")
    return Uint(value)


def _whole(text: str) -> int:
    base = 16 if text.startswith("0x") else 10
    digits = text.removeprefix("0x").lstrip("0") or "0"
    return int(
        digits[: _LONGEST_DIGITS + 1], base
    )  # one digit too many is too large already, and cheap to read


def double(text: str) -> float:
    """A double, which may have a sign."""
    value = float(text)
    if isinf(value):
        raise ValueError("invalid double literal")
    return value


def string(text: str) -> str:
    """A string in its quotes, raw or not."""
    body, raw = _unquoted(text)
    if raw or "\\" not in body:
        return body
    return _ESCAPED.sub(lambda match: chr(_code(match)), body)


def octets(text: str) -> bytes:
    """Bytes in their quotes, with the `b` before them."""
    body, raw = _unquoted(text[1:])
    if raw or "\\" not in body:
        return body.encode(errors="replace")
    found = bytearray()
    at = 0
    for match in _ESCAPED.finditer(body):
        if match.group(2) or match.group(3):
            raise ValueError("unable to unescape string")
        found += body[at : match.start()].encode(errors="replace")
        found.append(_code(match))
        at = match.end()
    return bytes(found + body[at:].encode(errors="replace"))


def _unquoted(text: str) -> tuple[str, bool]:
    """What is between the quotes, and whether it is raw."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    raw = text[0] in "rR"
    text = text[1:] if raw else text
    width = 3 if text[:3] in ('"""', "'''") and len(text) >= 6 else 1  # noqa: PLR2004 - two times three quotes
    return text[width:-width], raw


def _code(match: re.Match[str]) -> int:
    """The character that an escape stands for."""
    short, four, eight, octal, simple = match.groups()
    if simple:
        return ord(_SIMPLE.get(simple, simple))
    code = int(octal, 8) if octal else int(short or four or eight, 16)
    if code > _LAST_CHARACTER or code in _SURROGATES:
        raise ValueError("invalid unicode code point")
    return code
