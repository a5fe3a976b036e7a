"""What surrounds a message: four bytes that tell that it is one, its kind, and in a watch its event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.protobuf.wire import DELIMITED, delimited, entries

_PREFIX: Final = b"k8s\0"
_TYPE_META: Final = 1
_RAW: Final = 2
_API_VERSION: Final = 1 << 3 | DELIMITED
_KIND: Final = 2 << 3 | DELIMITED
_FIELDS: Final = {1: "TypeMeta", 2: "Raw", 3: "ContentEncoding", 4: "ContentType"}
_LENGTH: Final = 4


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message and what it says that it is."""

    api_version: str
    kind: str
    message: bytes

    @classmethod
    def open(cls, body: bytes) -> Envelope:
        """Read an envelope; what is within it is not looked at.

        Raises:
            DecodeError: there is none, or it is malformed. The text is the real server's.
        """
        if not body:
            raise DecodeError("empty data")
        if not body.startswith(_PREFIX):
            expected = " ".join(str(byte) for byte in _PREFIX)
            why = f"provided data does not appear to be a protobuf message, expected prefix [{expected}]"
            raise DecodeError(why)
        if len(body) == len(_PREFIX):
            raise DecodeError("empty body")
        meta, message = b"", b""
        for tag, value in entries(body[len(_PREFIX) :], "Unknown"):
            number, wire = tag >> 3, tag & 7
            if number in _FIELDS and wire != DELIMITED:
                raise DecodeError(f"proto: wrong wireType = {wire} for field {_FIELDS[number]}")
            if number == _TYPE_META:
                meta = value
            elif number == _RAW:
                message = value
        named = dict(entries(meta, "TypeMeta"))
        return cls(_text(named.get(_API_VERSION)), _text(named.get(_KIND)), message)

    def sealed(self) -> bytes:
        """The envelope as it is sent."""
        named = delimited(self.api_version.encode()) + b"\x12" + delimited(self.kind.encode())
        meta = delimited(b"\n" + named)
        return b'%b\n%b\x12%b\x1a\0"\0' % (_PREFIX, meta, delimited(self.message))


def framed_event(kind: str, body: bytes) -> bytes:
    """An event of a watch, its length before it; `body` is the envelope of its object."""
    obj = delimited(b"\n" + delimited(body))
    event = b"\n" + delimited(kind.encode()) + b"\x12" + obj
    return len(event).to_bytes(_LENGTH, "big") + event


def _text(raw: bytes | int | None) -> str:
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""
