"""What is particular to config maps and secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.resource import Resource

Object = dict[str, Any]


class _BytesTraits(BuiltinTraits):
    """The `binary` field maps names to bytes: null is stored as none, after rules have seen it."""

    binary: str

    @override
    def to_storage(self, resource: Resource, obj: Object) -> Object:
        values = obj.get(self.binary)
        if values and None in values.values():
            obj[self.binary] = {key: value or "" for key, value in values.items()}
        return obj


class ConfigMapTraits(_BytesTraits):
    """Config maps hold bytes beside their texts."""

    binary = "binaryData"


class SecretTraits(_BytesTraits):
    """Secrets can be found by their type."""

    binary = "data"
    field_labels = {"type": ("type",)}
