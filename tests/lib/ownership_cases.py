"""Random kinds, objects and writes to them, for comparing who owns what with the API machinery itself.

Everything follows from the seed. Names and values are few, so that what managers write meets often.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windlass.schema.ownership import Grammar, Rules
from windlass.schema.shape import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

Object = dict[str, Any]

GROUP = "example.com"
KIND = "Widget"
VERSIONS = ("v1", "v2")
FIELDS = ("a", "b", "c", "d")
META = "meta.ObjectMeta"
_TEXT = {"type": "string"}
_MAP = {"type": "object", "additionalProperties": _TEXT}
_OWNER = {"type": "object", "properties": {"uid": _TEXT, "name": _TEXT}, "x-kubernetes-map-type": "atomic"}
_METADATA: Object = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("name", "namespace", "uid", "resourceVersion"), _TEXT),
        "generation": {"type": "integer"},
        "creationTimestamp": {"type": "string", "format": "date-time"},
        "labels": _MAP,
        "annotations": _MAP,
        "finalizers": {"type": "array", "items": _TEXT, "x-kubernetes-list-type": "set"},
        "ownerReferences": {
            "type": "array",
            "items": _OWNER,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["uid"],
        },
        "managedFields": {"type": "array", "items": {"type": "object"}},
    },
}


@dataclass
class Kind:
    """A kind: the schema of its spec, and how its second version calls the fields of it."""

    name: str
    spec: Object
    status: Object
    renamed: dict[str, dict[str, str]]
    custom: bool = True
    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        definitions = {META: _METADATA, **{version: self.schema(version) for version in VERSIONS}}
        library = Library(definitions)
        self.rules = Rules(
            shapes={f"{GROUP}/{version}": library.shape(version) for version in VERSIONS},
            convert=self.convert,
            custom=self.custom,
            grammar=Grammar(library.shape(META)),
        )

    def schema(self, version: str) -> Object:
        """The schema of a version as a definition has it: without what every object has."""
        names = self.renamed[version]
        properties = {names.get(name, name): each for name, each in self.spec["properties"].items()}
        spec = {**self.spec, "properties": properties}
        return {"type": "object", "properties": {"spec": spec, "status": self.status}}

    def convert(self, value: Object, api_version: str) -> Object:
        """An object in terms of another version."""
        _, source = value["apiVersion"].split("/")
        _, target = api_version.split("/")
        plain = {new: old for old, new in self.renamed[source].items()}
        names = {**self.renamed[target]}
        out = {**value, "apiVersion": api_version}
        if isinstance(value.get("spec"), dict):
            spec = {plain.get(name, name): each for name, each in value["spec"].items()}
            out["spec"] = {names.get(name, name): each for name, each in spec.items()}
        return out

    def definition(self) -> Object:
        """The request that tells the oracle of this kind."""
        schemas = {
            f"{GROUP}.{version}.{KIND}": {
                **_complete(self.schema(version), root=True),
                "x-kubernetes-group-version-kind": [{"group": GROUP, "version": version, "kind": KIND}],
            }
            for version in VERSIONS
        }
        return {
            "define": {
                "name": self.name,
                "group": GROUP,
                "kind": KIND,
                "custom": self.custom,
                "hub": VERSIONS[0],
                "renamed": self.renamed,
                "schemas": {META: _METADATA, **schemas},
            }
        }


def _complete(schema: Any, *, root: bool = False) -> Any:
    """A schema with what every object has, as servers complete it for resources and for embedded ones."""
    if isinstance(schema, list):
        return [_complete(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    out = {name: _complete(each) for name, each in schema.items()}
    if root or schema.get("x-kubernetes-embedded-resource"):
        meta = {"$ref": f"#/components/schemas/{META}"}
        out["properties"] = {
            **out.get("properties", {}),
            "apiVersion": _TEXT,
            "kind": _TEXT,
            "metadata": meta,
        }
    return out


class Chance:
    """Decides by a seed, and makes kinds."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def kind(self, name: str) -> Kind:
        """A kind with a random schema."""
        spec: Object = {"type": "object", "properties": self._properties(0)}
        if self.happens(0.1):
            spec["x-kubernetes-preserve-unknown-fields"] = True
        renamed = {name: f"{name}2" for name in spec["properties"] if self.happens(0.3)}
        status = {"type": "object", "properties": self._properties(1)}
        return Kind(name, spec, status, {"v1": {}, "v2": renamed}, custom=self.happens(0.5))

    def happens(self, share: float) -> bool:
        """Whether something happens that does so in a share of all cases."""
        return self.random.random() < share

    def some(self, names: Sequence[str]) -> list[str]:
        """About half of some names."""
        return [name for name in names if self.happens(0.5)]

    def _properties(self, depth: int) -> Object:
        count = self.random.randint(1, len(FIELDS))
        return {name: self.schema(depth + 1) for name in FIELDS[:count]}

    def schema(self, depth: int) -> Object:
        """A schema; the deeper, the simpler."""
        makers: list[Callable[[int], Object]] = [self._scalar, self._scalar, self._set, self._untyped]
        if depth < 4:
            makers += [self._object, self._map, self._list, self._list_map, self._list_map, self._loose]
        schema = self.random.choice(makers)(depth)
        if self.happens(0.1):
            schema["nullable"] = True
        return schema

    def _scalar(self, _: int) -> Object:
        return dict(
            self.random.choice(
                [
                    _TEXT,
                    {"type": "integer"},
                    {"type": "boolean"},
                    {"type": "number"},
                    {"x-kubernetes-int-or-string": True},
                    {"type": "string", "format": "date-time"},
                ]
            )
        )

    def _untyped(self, _: int) -> Object:
        return {"x-kubernetes-preserve-unknown-fields": True}

    def _set(self, _: int) -> Object:
        items = self.random.choice([_TEXT, {"type": "integer"}])
        return {"type": "array", "items": items, "x-kubernetes-list-type": "set"}

    def _object(self, depth: int) -> Object:
        schema: Object = {"type": "object", "properties": self._properties(depth)}
        if self.happens(0.2):
            schema["x-kubernetes-map-type"] = self.random.choice(["atomic", "granular"])
        if self.happens(0.15):
            schema["x-kubernetes-preserve-unknown-fields"] = True
        return schema

    def _map(self, depth: int) -> Object:
        values = self.random.choice([self.schema(depth + 1), self.schema(depth + 1), True])
        schema: Object = {"type": "object", "additionalProperties": values}
        if self.happens(0.2):
            schema["x-kubernetes-map-type"] = "atomic"
        return schema

    def _list(self, depth: int) -> Object:
        schema: Object = {"type": "array", "items": self.schema(depth + 1)}
        if self.happens(0.5):
            schema["x-kubernetes-list-type"] = "atomic"
        return schema

    def _list_map(self, depth: int) -> Object:
        keys = self.random.choice([["k"], ["k"], ["l", "k"]])
        properties = self._properties(depth)
        for key in keys:
            properties[key] = dict(self.random.choice([_TEXT, {"type": "integer"}, {"type": "boolean"}]))
        if len(keys) > 1 and self.happens(0.5):
            properties["l"] = self.random.choice(
                [{"type": "string", "default": "a"}, {"type": "integer", "default": 1}]
            )
        return {
            "type": "array",
            "items": {"type": "object", "properties": properties},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": keys,
        }

    def _loose(self, _: int) -> Object:
        return self.random.choice(
            [
                {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                {"type": "object", "x-kubernetes-embedded-resource": True},
                {
                    "type": "object",
                    "x-kubernetes-embedded-resource": True,
                    "x-kubernetes-preserve-unknown-fields": True,
                },
            ]
        ).copy()
