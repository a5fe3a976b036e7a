"""Base64 as Go reads and writes it."""

from __future__ import annotations

import binascii
from typing import Final

_ALPHABET: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_BREAKS: Final = b"\r\n"
_PAD: Final = ord("=")
_GROUP: Final = 4
_FEWEST: Final = 2


def canonical_base64(text: str) -> str:
    """The same bytes, written without line breaks.

    Raises:
        ValueError: the text stands for no bytes; the message is Go's.
    """
    return binascii.b2a_base64(decoded_base64(text), newline=False).decode()


def decoded_base64(text: str) -> bytes:
    """The bytes that a text stands for.

    Raises:
        ValueError: it stands for none; the message is Go's.
    """
    try:
        raw = binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        return _lenient(text.encode())
    # Padding that is not wanted passes here, and does not in Go.
    return _lenient(text.encode()) if len(text) % _GROUP else raw


def _lenient(text: bytes) -> bytes:
    """The bytes of a text that may have line breaks."""
    at = _first_fault(text)
    if at is not None:
        raise ValueError(f"illegal base64 data at input byte {at}")
    return binascii.a2b_base64(text)


def _first_fault(text: bytes) -> int | None:
    """Where Go stops reading, or `None`."""
    held, end = 0, len(text)
    for at, byte in enumerate(text):
        if byte in _ALPHABET:
            held = (held + 1) % _GROUP
        elif byte == _PAD:
            return _fault_in_padding(text, at, held)
        elif byte not in _BREAKS:
            return at
    return end - held if held else None


def _fault_in_padding(text: bytes, at: int, held: int) -> int | None:
    """The same, from the first padding on; `held` characters of the last group stand before it."""
    if held < _FEWEST:
        return at
    rest = at + 1
    if held == _FEWEST:
        rest = _next(text, rest)
        if rest == len(text):
            return rest
        if text[rest] != _PAD:
            return rest - 1
        rest += 1
    rest = _next(text, rest)
    return None if rest == len(text) else rest


def _next(text: bytes, at: int) -> int:
    while at < len(text) and text[at] in _BREAKS:
        at += 1
    return at
