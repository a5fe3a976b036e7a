"""What expressions that change objects need, which are those of mutating admission policies only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.signature import function, plain
from windlass.schema.cel.type import DYN, STRING, Type, object_type

if TYPE_CHECKING:
    from collections.abc import Iterator

_JSON_PATCH: Final = "JSONPatch"
_OBJECT: Final = "Object"
_NOTHING: Final = object_type("")
"""The type of a field that there is not, which no value has."""


class _Operation(dict[str, Type]):
    """The fields of an operation. Kubernetes declares every other name, too, but without a type."""

    @override
    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Type:
        return _NOTHING


_OPERATION: Final = _Operation({"op": STRING, "path": STRING, "from": STRING, "value": DYN})


class _AnyField(Mapping[str, Type]):
    """The fields of an object of which no schema is known: all that there could be."""

    @override
    def __getitem__(self, name: str) -> Type:
        return DYN

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(())

    @override
    def __len__(self) -> int:
        return 0


class _Objects(Mapping[str, Mapping[str, Type]]):
    """`JSONPatch`, and `Object` with every name that begins with it: `Object.spec.template` is a type."""

    _fields: Final = _AnyField()

    @override
    def __getitem__(self, name: str) -> Mapping[str, Type]:
        if name == _JSON_PATCH:
            return _OPERATION
        if name == _OBJECT or name.startswith(f"{_OBJECT}."):
            return self._fields
        raise KeyError(name)

    @override
    def __iter__(self) -> Iterator[str]:
        return iter((_JSON_PATCH, _OBJECT))

    @override
    def __len__(self) -> int:
        return 2


JSON_PATCH_OBJECTS: Final[Mapping[str, Mapping[str, Type]]] = _Objects()
"""The objects that such an expression makes; its environment declares them, as constructible."""


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


JSON_PATCH: Final = Library(
    "kubernetes.jsonpatch",
    (
        function(
            "jsonpatch.escapeKey", plain("string_jsonpatch_escapeKey_string", (STRING,), STRING, _escaped)
        ),
    ),
)
