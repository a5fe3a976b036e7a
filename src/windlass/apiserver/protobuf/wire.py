"""The wire format itself: numbers of variable length, and the fields of a message one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode.problem import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterator

VARINT: Final = 0
FIXED64: Final = 1
DELIMITED: Final = 2
_GROUP: Final = 3
_GROUP_END: Final = 4
_FIXED32: Final = 5

_SMALL: Final = tuple(bytes([number]) for number in range(128))
_LAST_SMALL: Final = 127
_FIRST_TAG: Final = 1 << 3
_CUT_OFF: Final = "unexpected EOF"
_NEGATIVE: Final = "proto: negative length found during unmarshaling"
_MOST_BITS: Final = 64
_ALL_BITS: Final = 2**64 - 1
_LONGEST: Final = 2**63


def varint(number: int) -> bytes:
    """A number in sevens of bits, the lowest first; a negative one in the two's complement of 64 bits."""
    if 0 <= number <= _LAST_SMALL:
        return _SMALL[number]
    number &= _ALL_BITS
    written = bytearray()
    while number > _LAST_SMALL:
        written.append(number & 127 | 128)
        number >>= 7
    written.append(number)
    return bytes(written)


def delimited(content: bytes) -> bytes:
    """Bytes with their length before them."""
    return varint(len(content)) + content


def tag(number: int, wire: int) -> bytes:
    """What stands before the value of a field."""
    return varint(number << 3 | wire)


def entries(data: bytes, message: str) -> Iterator[tuple[int, Any]]:
    """The fields of a message: of each its tag, and its value as a number or as bytes.

    Groups, which nobody writes any more, come as empty bytes. `message` is the name that errors give it.

    Raises:
        DecodeError: the message is malformed.
    """
    at, end = 0, len(data)
    while at < end:
        found = data[at]
        at += 1
        if found > _LAST_SMALL:
            found, at = read_varint(data, at - 1)
        kind = found & 7
        if kind == DELIMITED and found >= _FIRST_TAG:
            length, at = read_varint(data, at)
            start, at = at, at + length
            if at > end:
                raise DecodeError(_CUT_OFF if length < _LONGEST else _NEGATIVE)
            yield found, data[start:at]
        elif kind == VARINT and found >= _FIRST_TAG:
            value, at = read_varint(data, at)
            yield found, value
        else:
            start, at = at, _unusual(data, at, found, message)
            yield found, data[start:at] if kind != _GROUP else b""


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that begins at a place, and the place after it.

    Raises:
        DecodeError: it does not end, or has more than 64 bits.
    """
    number = shift = 0
    while True:
        if shift >= _MOST_BITS:
            raise DecodeError("proto: integer overflow")
        if at >= len(data):
            raise DecodeError(_CUT_OFF)
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte <= _LAST_SMALL:
            return number & _ALL_BITS, at
        shift += 7


def _unusual(data: bytes, at: int, found: int, message: str) -> int:
    """The place after a field of fixed length or a group; anything else there is an error."""
    kind = found & 7
    if kind == _GROUP_END:
        raise DecodeError(f"proto: {message}: wiretype end group for non-group")
    if found < _FIRST_TAG:
        raise DecodeError(f"proto: {message}: illegal tag 0 (wire type {found})")
    at = _skip(data, at, kind)
    if at > len(data):
        raise DecodeError(_CUT_OFF)
    return at


def _skip(data: bytes, at: int, kind: int) -> int:
    """The place after a value of any kind, groups within groups included."""
    depth = 0
    while True:
        if kind == VARINT:
            _, at = read_varint(data, at)
        elif kind == DELIMITED:
            length, at = read_varint(data, at)
            at += length
        elif kind in (FIXED64, _FIXED32):
            at += 8 if kind == FIXED64 else 4
        elif kind in (_GROUP, _GROUP_END):
            depth += 1 if kind == _GROUP else -1
        else:
            raise DecodeError(f"proto: illegal wireType {kind}")
        if not depth:
            return at
        inner, at = read_varint(data, at)
        kind = inner & 7
