"""Random values that fit a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from ownership_cases import FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownership_cases import Chance, Object

UNKNOWN = ("p", "q")
SCALARS: dict[str, list[Any]] = {
    "string": ["a", "b", "c", "<d>"],
    "integer": [1, 2, 10],
    "number": [1, 1.5, 2.0],
    "boolean": [True, False],
    "": [1, "a"],
}
PRESERVES, EMBEDDED = "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"


class Values:
    """Makes values; `doubles` is how often an item of a list comes twice."""

    def __init__(self, chance: Chance, doubles: float = 0.0) -> None:
        self._chance = chance
        self._random = chance.random
        self._doubles = doubles

    def of(self, schema: Object, *, loose: bool = False) -> Any:
        """A value of a schema; `loose`: something above it lets unknown fields be."""
        if self._chance.happens(0.05):
            return None
        loose = loose or PRESERVES in schema
        if schema.get("type") == "object":
            return self._object(schema, loose=loose)
        if schema.get("type") == "array":
            return self._list(schema, loose=loose)
        if schema.get("type") or "x-kubernetes-int-or-string" in schema:
            return self._random.choice(SCALARS[schema.get("type", "")])
        return self._anything(0)

    def metadata(self) -> Object:
        """Metadata without a name."""
        out: Object = {}
        for name in self._chance.some(["labels", "annotations"]):
            out[name] = {key: self._random.choice("xyz") for key in self._chance.some(FIELDS)}
        if self._chance.happens(0.3):
            out["finalizers"] = self._chance.some(["x/a", "x/b", "x/c"])
        if self._chance.happens(0.2):
            owners = self._chance.some(["1", "2"])
            out["ownerReferences"] = [{"uid": uid, "name": self._random.choice("xy")} for uid in owners]
        if self._chance.happens(0.3):
            out |= {"generation": self._random.randint(1, 3), "resourceVersion": self._random.choice("123")}
        return out

    def _anything(self, depth: int) -> Any:
        makers: list[Callable[[], Any]] = [lambda: self._random.choice([1, True, "a", 1.5, None])]
        if depth < 3:
            makers += [
                lambda: {name: self._anything(depth + 1) for name in self._chance.some(FIELDS)},
                lambda: [self._anything(depth + 1) for _ in self._chance.some(FIELDS)],
            ]
        return self._random.choice(makers)()

    def _object(self, schema: Object, *, loose: bool) -> Object:
        named = schema.get("properties", {})
        out = {name: self.of(named[name], loose=loose) for name in self._chance.some(list(named))}
        others = schema.get("additionalProperties")
        if isinstance(others, dict):
            out |= {name: self.of(others, loose=loose) for name in self._chance.some(FIELDS)}
        elif others or loose or not (named or EMBEDDED in schema):
            out |= {name: self._anything(1) for name in self._chance.some(UNKNOWN)}
        if EMBEDDED in schema:
            out |= {"apiVersion": "v1", "kind": "X", "metadata": self.metadata()}
        return out

    def _list(self, schema: Object, *, loose: bool) -> list[Any]:
        kind = schema.get("x-kubernetes-list-type", "atomic")
        keys = schema.get("x-kubernetes-list-map-keys", [])
        seen: set[Any] = set()
        out = []
        for _ in range(self._random.randint(0, 4)):
            item = self.of(schema["items"], loose=loose)
            if kind == "map":
                item = self._keyed(item or {}, schema["items"]["properties"], keys)
            if item is None and kind != "atomic":
                continue
            known = orjson.dumps(_key(item, schema["items"], keys) if kind == "map" else item)
            if kind == "atomic" or known not in seen or self._chance.happens(self._doubles):
                out.append(item)
            seen.add(known)
        return out

    def _keyed(self, item: Object, properties: Object, keys: list[str]) -> Object:
        """An item with enough of its key."""
        for key in keys:
            if key not in item and ("default" not in properties[key] or self._chance.happens(0.5)):
                item[key] = None
            if item.get(key, 0) is None:
                item[key] = {"string": "a", "integer": 1, "boolean": True}[properties[key]["type"]]
        return item


def _key(item: Object, schema: Object, keys: list[str]) -> list[Any]:
    return [item.get(key, schema["properties"][key].get("default")) for key in keys]
