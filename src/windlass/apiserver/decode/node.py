"""How values of simple types are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from typing_extensions import override

from windlass.apiserver.decode.base64 import canonical_base64
from windlass.apiserver.decode.problem import DecodeError, Notes

if TYPE_CHECKING:
    from windlass.apiserver.decode.problem import Path

_INT32: Final = range(-(2**31), 2**31)
_INT64: Final = range(-(2**63), 2**63)
_BYTE: Final = range(2**8)
_EXACT: Final = 2.0**63
_SORTS: Final = {dict: "map", list: "slice", str: "string", bool: "bool"}


class Node(Protocol):
    """Reads values of one Go type.

    `zero` is what `null` becomes inside a list or a map, and what is written for a field that is always
    written. `plain` is the Python type whose values need no reading. `flat` tells that there is nothing to
    complete.
    """

    zero: Any
    plain: type | None
    flat: bool

    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        """A value that is not `null` in its canonical form; `None` where it is nothing, or was refused."""
        ...

    def complete(self, value: Any) -> None:
        """Write into a value, in place, the zero fields that Go always writes."""
        ...

    def convert(self, value: Any) -> Any:
        """A value that is not `null`, and was not decoded but put together, in a form that can be read.

        What strategic merge patches and applies leave is converted by the server, field by field, in ways and
        words of its own: numbers change their types silently.

        Raises:
            DecodeError: it cannot be converted.
        """
        ...


class Simple(Node):
    """A type whose values have nothing inside."""

    zero: Any = None
    plain: type | None = None
    flat = True

    def __init__(self, go: str) -> None:
        self.go = go

    @override
    def complete(self, value: Any) -> None:
        pass

    @override
    def convert(self, value: Any) -> Any:
        notes = Notes()
        self.read(value, None, notes)
        if notes.error:
            raise DecodeError(notes.error)
        return value


class Text(Simple):
    """A string."""

    zero = ""
    plain = str

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is str:
            return value
        notes.mismatch(path, value, self.go)
        return None

    @override
    def convert(self, value: Any) -> Any:
        if type(value) is str:
            return value
        if sort(value) == "int64":  # Go could make a letter of it
            raise DecodeError(f"cannot convert int64 to {self.go}")
        raise DecodeError("unrecognized type: string")


class Flag(Simple):
    """A boolean."""

    zero = False
    plain = bool

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is bool:
            return value
        notes.mismatch(path, value, self.go)
        return None

    @override
    def convert(self, value: Any) -> Any:
        if type(value) is bool:
            return value
        raise DecodeError("unrecognized type: bool")


class Whole(Simple):
    """An integer of 32 or 64 bits."""

    zero = 0

    def __init__(self, go: str) -> None:
        super().__init__(go)
        self._range = _INT32 if go == "int32" else _INT64

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is int and value in self._range:
            return value
        notes.mismatch(path, value, self.go)
        return None

    @override
    def convert(self, value: Any) -> Any:
        kind = sort(value)
        if kind not in ("int64", "float64"):
            raise DecodeError(f"unrecognized type: {self.go}")
        if value != int(value):
            raise DecodeError(f"cannot convert float64 to {self.go}")
        number = int(value) if int(value) in _INT64 else _INT64.start
        size = self._range.stop - self._range.start
        return (number - self._range.start) % size + self._range.start


class Real(Simple):
    """A floating-point number; Go writes a whole one without a point."""

    zero = 0

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            notes.mismatch(path, value, self.go)
            return None
        number = float(value)
        if number in (float("inf"), float("-inf")):
            notes.mismatch(path, value, self.go)
            return None
        return int(number) if number.is_integer() and abs(number) < _EXACT else number

    @override
    def convert(self, value: Any) -> Any:
        if sort(value) in ("int64", "float64"):
            return value
        raise DecodeError("unrecognized type: float64")


class Bytes(Simple):
    """Bytes, written in base64; a list of small numbers is also taken, with nulls for zeros."""

    zero = ""

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is str:
            try:
                return canonical_base64(value)
            except ValueError as error:
                notes.fail(str(error))
                return None
        if type(value) is not list:
            notes.mismatch(path, value, self.go)
            return None
        return self._from_list(value, path, notes)

    def _from_list(self, value: list[Any], path: Path, notes: Notes) -> Any:
        from base64 import b64encode

        numbers = [0 if item is None else item for item in value]
        for item in numbers:
            if type(item) is not int or item not in _BYTE:
                notes.mismatch(path, item, "uint8")
                return None
        return b64encode(bytes(numbers)).decode()

    @override
    def convert(self, value: Any) -> Any:
        if type(value) is list:
            return [0 if item is None else Whole("uint8").convert(item) % len(_BYTE) for item in value]
        if type(value) is not str:
            raise DecodeError(f"cannot restore slice from {sort(value)}")
        try:
            return canonical_base64(value)
        except ValueError as error:
            raise DecodeError(f"error decoding from json: {error}") from None


def sort(value: Any) -> str:
    """What a value is to Go once its text is forgotten; integers beyond 64 bits are no integers."""
    if isinstance(value, int) and not isinstance(value, bool):
        return "int64" if value in _INT64 else "float64"
    return _SORTS.get(type(value), "float64")
