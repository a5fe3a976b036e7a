"""How the types that JSON has in forms of their own stand in a message: quantities, times, ports, JSON."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.decode.quantity import canonical_quantity
from windlass.apiserver.protobuf.scalar import Codec, Whole
from windlass.apiserver.protobuf.wire import DELIMITED, VARINT, delimited, entries, varint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_FIRST: Final = 1 << 3
_SECOND: Final = 2 << 3
_THIRD: Final = 3 << 3
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NEVER: Final = datetime(1, 1, 1, tzinfo=UTC)
_INT32: Final = Whole(32)
_INT64: Final = Whole(64)


class Amount(Codec):
    """A quantity: a message with its text."""

    wire = DELIMITED
    zero = "0"
    nil = False

    @override
    def read(self, raw: Any, before: Any) -> Any:
        found = before or self.zero
        for tag, text in entries(raw, "Quantity"):
            if tag == _FIRST | DELIMITED:
                found = _quantity(text)
        return found

    @override
    def write(self, value: Any) -> bytes:
        return delimited(b"\n" + delimited(value.encode()))


class Moment(Codec):
    """A time: a message with its seconds, and with its nanoseconds where they count. No time is empty."""

    wire = DELIMITED
    zero = None
    nil = False

    def __init__(self, *, micro: bool = False) -> None:
        self._micro = micro

    @override
    def read(self, raw: Any, before: Any) -> Any:
        if not raw:
            return None
        seconds = nanoseconds = 0
        for tag, number in entries(raw, "Timestamp"):
            if tag == _FIRST | VARINT:
                seconds = _INT64.read(number, None)
            elif tag == _SECOND | VARINT:
                nanoseconds = _INT32.read(number, None)
        return _time(seconds, int(nanoseconds / 1000) if self._micro else None)

    @override
    def write(self, value: Any) -> bytes:
        return _timestamp(value)


class Port(Codec):
    """A number or a text: a message that says which of its two it means."""

    wire = DELIMITED
    zero = 0
    nil = False

    @override
    def read(self, raw: Any, before: Any) -> Any:
        kind, number, text = 0, 0, b""
        for tag, value in entries(raw, "IntOrString"):
            if tag == _FIRST | VARINT:
                kind = value
            elif tag == _SECOND | VARINT:
                number = _INT32.read(value, None)
            elif tag == _THIRD | DELIMITED:
                text = value
        if kind not in (0, 1):
            raise DecodeError("impossible IntOrString.Type")
        return text.decode("utf-8", "replace") if kind else number

    @override
    def write(self, value: Any) -> bytes:
        if isinstance(value, str):
            return delimited(b"\x08\1\x10\0\x1a" + delimited(value.encode()))
        return delimited(b"\x08\0\x10" + varint(value) + b"\x1a\0")


class Raw(Codec):
    """JSON of any kind: a message with its text."""

    wire = DELIMITED
    zero = None
    nil = False

    @override
    def read(self, raw: Any, before: Any) -> Any:
        found = None
        for tag, text in entries(raw, "RawExtension"):
            if tag == _FIRST | DELIMITED and text:
                found = _parsed(text)
        return found

    @override
    def write(self, value: Any) -> bytes:
        return b"\0" if value is None else delimited(b"\n" + delimited(orjson.dumps(value)))


SPECIAL: Final[Mapping[str, Callable[[], Codec]]] = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": Amount,
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": Raw,
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": lambda: Moment(micro=True),
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time": Moment,
    "io.k8s.apimachinery.pkg.runtime.RawExtension": Raw,
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": Port,
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": Raw,
}
"""The definitions that are no structs in JSON."""


def _quantity(text: bytes) -> str:
    try:
        return canonical_quantity(text.decode("utf-8", "replace"))
    except ValueError as error:
        raise DecodeError(str(error)) from None


def _parsed(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except ValueError as error:
        raise DecodeError(f"json: {error}") from None


def _time(seconds: int, microseconds: int | None) -> str | None:
    try:
        moment = _EPOCH + timedelta(seconds=seconds, microseconds=microseconds or 0)
    except OverflowError:
        raise DecodeError("Time.MarshalJSON: year outside of range [0,9999]") from None
    if moment == _NEVER:
        return None
    precision = "seconds" if microseconds is None else "microseconds"
    return moment.replace(tzinfo=None).isoformat(timespec=precision) + "Z"


@lru_cache(maxsize=1024)
def _timestamp(text: str | None) -> bytes:
    if text is None:
        return b"\0"
    past = datetime.fromisoformat(text) - _EPOCH
    seconds = past.days * 86_400 + past.seconds
    return delimited(b"\x08" + varint(seconds) + b"\x10" + varint(past.microseconds * 1000))
