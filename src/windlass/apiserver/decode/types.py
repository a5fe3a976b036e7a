"""The types of a library of definitions, compiled for reading."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode.container import Field, ListOf, MapOf, Struct
from windlass.apiserver.decode.node import Bytes, Flag, Node, Real, Text, Whole
from windlass.apiserver.decode.special import SIMPLE, SchemaNode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from windlass.schema import Library

_SCHEMA: Final = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"
_SCALARS: Final[Mapping[str, Callable[[str], Node]]] = {
    "boolean": Flag,
    "integer": Whole,
    "number": Real,
    "string": Text,
}
_EMPTY_COUNTS: Final = frozenset(
    {
        ("ClusterRole", "rules"),
        ("ControllerRevision", "data"),
        ("EndpointSlice", "endpoints"),
        ("EndpointSlice", "ports"),
        ("EphemeralContainer", "ports"),
        ("EphemeralContainer", "resizePolicy"),
        ("EphemeralContainer", "restartPolicyRules"),
        ("HPAScalingRules", "policies"),
        ("IngressSpec", "rules"),
        ("LimitRangeSpec", "limits"),
        ("PodSpec", "containers"),
        ("Role", "rules"),
    }
)
"""What the server tells from nothing when it is empty: a refusal or a webhook shows it, or it has an
owner. What is stored is null, by rules of `windlass.apiserver.defaulting`, or kept."""

_SERVED: Final = "x-kubernetes-group-version-kind"


class Types:
    """Readers of the definitions of a library, made as they are asked for and kept.

    The definitions must carry the facts of the Go types, as those of `windlass.apiserver.builtin` do.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._nodes: dict[tuple[str, str], Node] = {}
        self._kinds: dict[tuple[str, str, str], str] = {}

    def definition(self, group: str, version: str, kind: str) -> str | None:
        """The definition of a kind, `None` when there is none."""
        if not self._kinds:
            self._kinds = {
                (each["group"], each["version"], each["kind"]): name
                for name in self._library.names()
                for each in self._library.shape(name).schema.get(_SERVED, ())
            }
        return self._kinds.get((group, version, kind))

    def node(self, definition: str, go: str = "") -> Node:
        """What reads values of a definition; `go` is its name in errors."""
        node = self._nodes.get((definition, go))
        if node is None:
            node = self._nodes[definition, go] = self._make(definition, go)
        return node

    def _make(self, name: str, go: str) -> Node:
        if name in SIMPLE:
            return SIMPLE[name](go)
        if name.startswith(f"{_SCHEMA}Or"):
            item = Text("string") if name.endswith("OrStringArray") else None
            schema = partial(self.node, _SCHEMA)
            if name.endswith("OrBool"):
                return SchemaNode(schema)
            return SchemaNode(schema, lambda: ListOf("", item or schema()))
        return Struct(go, partial(self._fields, self._library.shape(name).schema))

    def _fields(self, schema: Mapping[str, Any]) -> Iterator[Field]:
        for name, inner in schema.get("properties", {}).items():
            go = inner["x-go"]
            embedded = inner.get("x-go-embedded")
            node = self._inline(inner)
            yield Field(
                name=name,
                struct=schema["x-go-struct"],
                shown=f"{embedded}.{name}" if embedded else name,
                node=node,
                plain=node.plain,
                pointer=go.startswith("*") or (schema["x-go-struct"], name) in _EMPTY_COUNTS,
                kept=inner.get("x-keep-zero", False),
                number=_number(inner.get("x-proto", 0)),
            )

    def _inline(self, schema: Mapping[str, Any]) -> Node:
        go = schema["x-go"].removeprefix("*")
        if "$ref" in schema:
            return self.node(schema["$ref"], go)
        kind = schema["type"]
        if kind == "array":
            return ListOf(go, self._inline(schema["items"]))
        if kind == "object":
            return MapOf(go, self._inline(schema["additionalProperties"]))
        return Bytes(go) if schema.get("format") == "byte" else _SCALARS[kind](go)


def _number(found: int | list[int]) -> int:
    return found[0] if isinstance(found, list) else found


@cache
def builtin_types() -> Types:
    """The types of the built-in kinds."""
    from windlass.apiserver.builtin import library

    return Types(library())
