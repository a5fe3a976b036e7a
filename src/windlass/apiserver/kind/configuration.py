"""What is particular to config maps and secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.resource import Resource

Object = dict[str, Any]


class _BytesTraits(BuiltinTraits):
    """The `binary` field maps names to bytes. Null among them is read again as none."""

    binary: str

    @override
    def to_storage(self, resource: Resource, obj: Object) -> Object:
        return self.read_again(obj)

    @override
    def read_again(self, obj: Object) -> Object:
        if not self.differs_always(obj):
            return obj
        return {**obj, self.binary: {key: value or "" for key, value in obj[self.binary].items()}}

    @override
    def differs_always(self, obj: Object) -> bool:
        return None in (obj.get(self.binary) or {}).values()


class ConfigMapTraits(_BytesTraits):
    """Config maps hold bytes beside their texts."""

    binary = "binaryData"


class SecretTraits(_BytesTraits):
    """Secrets can be found by their type."""

    binary = "data"
    field_labels = {"type": ("type",)}
