"""Random kinds, objects and writes to them, for comparing who owns what with the API machinery itself.

Everything follows from the seed. Names and values are few, so that what managers write meets often.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from windlass.schema.ownership import Grammar, Rules
from windlass.schema.shape import Library

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

Object = dict[str, Any]

GROUP = "example.com"
KIND = "Widget"
VERSIONS = ("v1", "v2")
FIELDS = ("a", "b", "c", "d")
UNKNOWN = ("p", "q")
META = "meta.ObjectMeta"
VALUES: dict[str, list[Any]] = {
    "string": ["a", "b", "c", "<d>"],
    "integer": [1, 2, 10],
    "number": [1, 1.5, 2.0],
    "boolean": [True, False],
    "": [1, "a"],
}
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
    """Makes kinds and what is written to them."""

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
        return self.random.random() < share

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

    def value(self, schema: Object, *, doubles: float = 0.0) -> Any:
        """A value that fits a schema; `doubles`: how often an item of a list comes twice."""
        if self.happens(0.04):
            return None
        if schema.get("type") == "object":
            return self._fields(schema, doubles)
        if schema.get("type") == "array":
            return self._items(schema, doubles)
        if schema.get("type") or "x-kubernetes-int-or-string" in schema:
            return self.random.choice(VALUES[schema.get("type", "")])
        return self.anything(0)

    def anything(self, depth: int) -> Any:
        makers: list[Callable[[], Any]] = [lambda: self.random.choice([1, True, "a", 1.5, None])]
        if depth < 3:
            makers += [
                lambda: {name: self.anything(depth + 1) for name in self.some(FIELDS)},
                lambda: [self.anything(depth + 1) for _ in self.some(FIELDS)],
            ]
        return self.random.choice(makers)()

    def some(self, names: tuple[str, ...] | list[str]) -> list[str]:
        return [name for name in names if self.happens(0.5)]

    def _fields(self, schema: Object, doubles: float) -> Object:
        named = schema.get("properties", {})
        out = {name: self.value(named[name], doubles=doubles) for name in self.some(list(named))}
        others = schema.get("additionalProperties")
        if isinstance(others, dict):
            out |= {name: self.value(others, doubles=doubles) for name in self.some(FIELDS)}
        elif (others or schema.get("x-kubernetes-preserve-unknown-fields") or not named) and (
            not schema.get("x-kubernetes-embedded-resource")
            or "x-kubernetes-preserve-unknown-fields" in schema
        ):
            out |= {name: self.anything(1) for name in self.some(UNKNOWN)}
        if schema.get("x-kubernetes-embedded-resource"):
            out |= {"apiVersion": "v1", "kind": "X", "metadata": self.metadata()}
        return out

    def _items(self, schema: Object, doubles: float) -> list[Any]:
        kind = schema.get("x-kubernetes-list-type", "atomic")
        keys = schema.get("x-kubernetes-list-map-keys", [])
        seen: set[Any] = set()
        out = []
        for _ in range(self.random.randint(0, 4)):
            item = self.value(schema["items"], doubles=doubles)
            if kind == "map":
                item = self._keyed(item or {}, schema["items"]["properties"], keys)
            if item is None and kind != "atomic":
                continue
            known = orjson.dumps(_key(item, schema["items"], keys) if kind == "map" else item)
            if kind == "atomic" or known not in seen or self.happens(doubles):
                out.append(item)
            seen.add(known)
        return out

    def _keyed(self, item: Object, properties: Object, keys: list[str]) -> Object:
        """An item with enough of its key."""
        for key in keys:
            if key not in item and ("default" not in properties[key] or self.happens(0.5)):
                item[key] = None
            if item.get(key, 0) is None:
                item[key] = {"string": "a", "integer": 1, "boolean": True}[properties[key]["type"]]
        return item

    def metadata(self) -> Object:
        out: Object = {}
        for name in self.some(["labels", "annotations"]):
            out[name] = {key: self.random.choice("xyz") for key in self.some(FIELDS)}
        if self.happens(0.3):
            out["finalizers"] = self.some(["x/a", "x/b", "x/c"])
        if self.happens(0.2):
            out["ownerReferences"] = [
                {"uid": uid, "name": self.random.choice("xy")} for uid in self.some(["1", "2"])
            ]
        return out


def _key(item: Object, schema: Object, keys: list[str]) -> list[Any]:
    return [item.get(key, schema["properties"][key].get("default")) for key in keys]
