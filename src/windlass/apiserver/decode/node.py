"""How values of simple types are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from typing_extensions import override

from windlass.apiserver.decode.base64 import canonical_base64
from windlass.apiserver.decode.problem import Number

if TYPE_CHECKING:
    from windlass.apiserver.decode.problem import Notes, Path

_INT32: Final = range(-(2**31), 2**31)
_INT64: Final = range(-(2**63), 2**63)
_BYTE: Final = range(2**8)
_EXACT: Final = 2.0**63


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


class Bytes(Simple):
    """Bytes, written in base64; a list of small numbers is also taken."""

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

        for item in value:
            if type(item) is not int or item not in _BYTE:
                notes.mismatch(path, item, "uint8")
                return None
        return b64encode(bytes(value)).decode()


def plain(value: Any) -> Any:
    """A value as it is stored: nothing of how it was written is left."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(value) if isinstance(value, Number) else value
