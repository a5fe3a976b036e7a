"""How values of the types that decode themselves are read: quantities, times, ports, embedded JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.decode.moment import canonical_time
from windlass.apiserver.decode.node import Node, Simple
from windlass.apiserver.decode.problem import DecodeError, InexactError, literal, mismatch
from windlass.apiserver.decode.quantity import canonical_quantity
from windlass.apiserver.go_json import Number, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.apiserver.decode.problem import Notes, Path

_NO_TIME: Final = ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z")
_INT32: Final = range(-(2**31), 2**31)


class AmountNode(Simple):
    """A quantity: a text or a number."""

    zero = "0"

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is float:
            raise InexactError("a quantity is read digit by digit")
        text = value if isinstance(value, str) else literal(value) if isinstance(value, (int, Number)) else ""
        try:
            return canonical_quantity(text.strip() if not isinstance(value, bool) else "")
        except ValueError as error:
            raise DecodeError(str(error)) from None

    @override
    def convert(self, value: Any) -> Any:
        return value if type(value) is float else super().convert(value)


class MomentNode(Simple):
    """A time, to the second or to the microsecond."""

    def __init__(self, go: str) -> None:
        super().__init__(go)
        self._micro = go.endswith("MicroTime")

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is not str:
            raise DecodeError(mismatch(path, value, "string"))
        try:
            found = canonical_time(value, micro=self._micro)
        except ValueError as error:
            raise DecodeError(str(error)) from None
        return None if found in _NO_TIME else found


class IntOrStringNode(Simple):
    """A number of 32 bits or a text."""

    zero = 0

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is str or (type(value) is int and value in _INT32):
            return value
        raise DecodeError(mismatch(path, value, "int32"))

    @override
    def convert(self, value: Any) -> Any:
        whole = type(value) is float and value.is_integer() and int(value) in _INT32
        return super().convert(int(value) if whole else value)


class RawNode(Simple):
    """Any JSON, kept as it is; nothing in it is unknown or repeated."""

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        return plain(value)


class SchemaNode(Node):
    """A schema, or in its place a boolean or a list. What is unknown in it passes in silence.

    `listed` reads the items of a list; without it there are booleans instead.
    """

    zero: Any = None
    plain = None
    flat = False

    def __init__(self, schema: Callable[[], Node], listed: Callable[[], Node] | None = None) -> None:
        self._schema = schema
        self._listed = listed

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        before, notes.muted = notes.muted, True
        try:
            return self._read(value, path, notes)
        finally:
            notes.muted = before

    def _read(self, value: Any, path: Path, notes: Notes) -> Any:
        if isinstance(value, dict):
            return self._schema().read(value, path, notes)
        if self._listed is None:
            if isinstance(value, bool):
                return value
            raise DecodeError("boolean or JSON schema expected")
        if isinstance(value, list) and value:
            return self._listed().read(value, path, notes)
        return None

    @override
    def complete(self, value: Any) -> None:
        if isinstance(value, dict):
            self._schema().complete(value)
        elif isinstance(value, list) and self._listed is not None:
            self._listed().complete(value)

    @override
    def convert(self, value: Any) -> Any:
        return value


SIMPLE: Final[Mapping[str, type[Simple]]] = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": AmountNode,
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": RawNode,
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": MomentNode,
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time": MomentNode,
    "io.k8s.apimachinery.pkg.runtime.RawExtension": RawNode,
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": IntOrStringNode,
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": RawNode,
}
"""The definitions that are no structs."""
