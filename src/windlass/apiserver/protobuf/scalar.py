"""How single values of simple types stand in a message."""

from __future__ import annotations

import binascii
import struct
from typing import Any, Final, Protocol

from typing_extensions import override

from windlass.apiserver.protobuf.wire import DELIMITED, FIXED64, VARINT, delimited, varint

_DOUBLE: Final = struct.Struct("<d")
_EXACT: Final = 2.0**63


class Codec(Protocol):
    """Reads and writes the values of one Go type.

    `wire` is how they are delimited. `zero` is what Go writes where nothing is set; `nil` tells that it then
    writes no field at all.
    """

    wire: int
    zero: Any
    nil: bool

    def read(self, raw: Any, before: Any) -> Any:
        """A value as JSON has it; `None` is nothing.

        `before` is what an earlier field of the same number was, with which a message is merged.

        Raises:
            DecodeError: it is malformed.
        """
        ...

    def write(self, value: Any) -> bytes:
        """A value of JSON as it follows the tag of its field."""
        ...


class Text(Codec):
    """A string."""

    wire = DELIMITED
    zero = ""
    nil = False

    @override
    def read(self, raw: Any, before: Any) -> Any:
        return raw.decode("utf-8", "replace")

    @override
    def write(self, value: Any) -> bytes:
        return delimited(value.encode())


class Flag(Codec):
    """A boolean."""

    wire = VARINT
    zero = False
    nil = False

    @override
    def read(self, raw: Any, before: Any) -> Any:
        return raw != 0

    @override
    def write(self, value: Any) -> bytes:
        return b"\1" if value else b"\0"


class Whole(Codec):
    """An integer of 32 or 64 bits; what is more is cut off, as in Go."""

    wire = VARINT
    zero = 0
    nil = False

    def __init__(self, bits: int = 64) -> None:
        self._size = 1 << bits

    @override
    def read(self, raw: Any, before: Any) -> Any:
        number = raw & (self._size - 1)
        return number - self._size if number >= self._size >> 1 else number

    @override
    def write(self, value: Any) -> bytes:
        return varint(value)


class Real(Codec):
    """A floating-point number; in JSON Go writes a whole one without a point."""

    wire = FIXED64
    zero = 0
    nil = False

    @override
    def read(self, raw: Any, before: Any) -> Any:
        number = _DOUBLE.unpack(raw)[0]
        return int(number) if number.is_integer() and abs(number) < _EXACT else number

    @override
    def write(self, value: Any) -> bytes:
        return _DOUBLE.pack(value)


class Bytes(Codec):
    """Bytes, which JSON has in base64."""

    wire = DELIMITED
    zero = ""
    nil = True

    @override
    def read(self, raw: Any, before: Any) -> Any:
        return binascii.b2a_base64(raw, newline=False).decode()

    @override
    def write(self, value: Any) -> bytes:
        return delimited(binascii.a2b_base64(value))
