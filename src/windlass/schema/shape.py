from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_REFERENCE: Final = "$ref"
_PREFIX: Final = "#/components/schemas/"


class Shape:
    """One node of an OpenAPI v3 schema, read once: what a value may hold and how it merges.

    Children are made when they are first asked for, so recursive schemas are no special case. `name` is the
    definition that the node refers to, if any, for example `io.k8s.api.core.v1.Container`. `schema` is the
    node as written, with its reference resolved; keywords that only validation reads are looked up there.
    """

    def __init__(self, schema: Mapping[str, Any], library: Library | None = None, name: str = "") -> None:
        self.schema = schema
        self.name = name
        self._library = library
        self.type: str = schema.get("type", "")
        self.nullable: bool = schema.get("nullable", False)
        self.preserves_unknown: bool = schema.get("x-kubernetes-preserve-unknown-fields", False)
        self.embedded: bool = schema.get("x-kubernetes-embedded-resource", False)
        self.int_or_string: bool = (
            schema.get("x-kubernetes-int-or-string", False) or schema.get("format") == "int-or-string"
        )
        self.list_type: str = schema.get("x-kubernetes-list-type", "atomic")
        self.list_keys: tuple[str, ...] = tuple(schema.get("x-kubernetes-list-map-keys", ()))
        self.atomic_map: bool = schema.get("x-kubernetes-map-type") == "atomic"
        self.merge_key: str = schema.get("x-kubernetes-patch-merge-key", "")
        self.patch_strategies: tuple[str, ...] = tuple(
            schema.get("x-kubernetes-patch-strategy", "").split(",")
        )

    @property
    def has_default(self) -> bool:
        """Whether the schema gives a default, `null` included."""
        return "default" in self.schema

    @property
    def default(self) -> Any:
        """The default as written; who sets it into an object copies it."""
        return self.schema.get("default")

    @cached_property
    def properties(self) -> dict[str, Shape]:
        """The named fields."""
        return {name: self._child(schema) for name, schema in self.schema.get("properties", {}).items()}

    @cached_property
    def additional(self) -> Shape | None:
        """What a field that has no name of its own holds, in a map; `None` where there are no such fields."""
        values = self.schema.get("additionalProperties")
        if values is None or values is False:
            return None
        return ANY if values is True else self._child(values)

    @cached_property
    def items(self) -> Shape | None:
        """What each item of a list is."""
        items = self.schema.get("items")
        return None if items is None else self._child(items)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The names of the fields that must be there."""
        return tuple(self.schema.get("required", ()))

    def child(self, name: str) -> Shape | None:
        """The shape of a field by its name, named or not; `None` where the schema does not know it."""
        return self.properties.get(name) or self.additional

    def _child(self, schema: Mapping[str, Any]) -> Shape:
        target = schema.get(_REFERENCE)
        if not target:
            return Shape(schema, self._library)
        if self._library is None:
            raise KeyError(target)
        return self._library.refer(target.removeprefix(_PREFIX), schema)

    def __repr__(self) -> str:
        return f"Shape({self.name or self.type or 'any'})"


class Library:
    """Definitions by name, among which schemas refer to each other."""

    def __init__(self, definitions: Mapping[str, Mapping[str, Any]]) -> None:
        self._definitions = definitions
        self._shapes: dict[str, Shape] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._definitions

    def names(self) -> Iterable[str]:
        """Every definition."""
        return self._definitions.keys()

    def shape(self, name: str) -> Shape:
        """The shape of a definition, always the same object.

        Raises:
            KeyError: there is no such definition.
        """
        found = self._shapes.get(name)
        if found is None:
            found = self._shapes[name] = Shape(self._definitions[name], self, name)
        return found

    def refer(self, name: str, reference: Mapping[str, Any]) -> Shape:
        """The shape of a reference; what is written beside it (a default, a list type) is added to it."""
        if len(reference) == 1:
            return self.shape(name)
        beside = {key: value for key, value in reference.items() if key != _REFERENCE}
        return Shape({**self._definitions[name], **beside}, self, name)


ANY: Final = Shape({"x-kubernetes-preserve-unknown-fields": True})
"""The shape that says nothing: any value, kept as it is."""
