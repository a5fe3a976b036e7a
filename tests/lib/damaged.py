"""Texts and bytes that chance has damaged, for parsers that must refuse what they cannot read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_PIECES: Final = (
    *(
        b"",
        b" ",
        b"\n",
        b"\0",
        b"\xff",
        b"\xc3\x28",
        b'"',
        b"'",
        b"\\",
        b"/",
        b"~",
        b"~1",
        b"%",
        b"%00",
        b"`",
    ),
    *(
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b"<",
        b">",
        b",",
        b":",
        b";",
        b".",
        b"..",
        b"-",
        b"--",
        b"=",
        b"!==",
    ),
    *(b"!", b"in", b"notin", b"null", b"true", b"NaN", b"1e999", b"-0", b"0x", b"9" * 40, b"-" + b"9" * 40),
    *(b"&a", b"*a", b"!!binary", b"<<: *a", b"---\n", b"\t", b"\xe2\x80\xa8", b"\xed\xa0\x80", b"a" * 300),
    *(b"(" * 300, b"[" * 300, b"{" * 300, b'{"a":' * 300, b"- " * 300, b"!" * 300, b"a." * 300, b"?:" * 100),
)


def damaged(sample: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """A copy of a sample with one to four changes: bits flipped, pieces cut, doubled, moved or put in."""
    text = bytearray(sample)
    for _ in range(chance.choice((1, 1, 2, 4))):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 1, 1, 2, 8, 40)))
        match chance.randrange(6):
            case 0 if start < len(text):
                text[start] ^= 1 << chance.randrange(8)
            case 1:
                del text[start:end]
            case 2:
                text[start:start] = text[start:end] * chance.choice((1, 2, 50))
            case 3:
                other = chance.choice(others)
                at = chance.randrange(len(other) + 1)
                text[start:end] = other[at : at + chance.choice((1, 5, 30))]
            case _:
                text[start:end] = chance.choice(_PIECES)
    return bytes(text)
