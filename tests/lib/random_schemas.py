"""Random structural schemas, values that nearly fit them, and ways to spoil both."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from schemas import INT_OR_STRING, PRESERVE, map_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from schemas import Schema

_FIELDS = ("a", "b", "k", "c")
_TEXTS = ("", "a", "b", "abc", "x", "5%", "2020-01-01", "1.2.3.4", "aGk=", "é<&", 'q"\n\u00a0', "1h")
_INTEGERS = (0, 1, 2, 3, 5, 97, -1, 100, 2**31, 2**53 + 1, -(2**63))
_FLOATS = (0.5, 1.5, 2.5, 0.3, -0.25, 1e21, 1e-7, 3e39, 1.0000000000001, 1e16, -2.5, 2.0**63)
_FITTING: Mapping[str, Sequence[Any]] = {
    "string": _TEXTS,
    "integer": (0, 1, 2, 3, 4, 5, 6, -1, 2**31),
    "number": (0, 1, 2, 0.5, 1.5, 2.5, -1.5),
    "boolean": (True, False),
    "either": (1, "a", "5%"),
}
_TEXT_KEYWORDS: Mapping[str, Sequence[Any]] = {
    "maxLength": (0, 1, 3),
    "minLength": (0, 2),
    "pattern": ("^a", "b+$", "^[a-z]*$", "x|y", r"\d"),
    "format": ("date", "date-time", "uuid", "byte", "ipv4", "duration", "int32", "banana"),
    "enum": (["a", "b"], ["", 'q"']),
}
_NUMBER_KEYWORDS: Mapping[str, Sequence[Any]] = {
    "minimum": (0, 1, -3, 1.5, 1e19),
    "maximum": (0, 5, 2.5, 1e19),
    "exclusiveMinimum": (True,),
    "exclusiveMaximum": (True,),
    "multipleOf": (1, 3, 0.5, 0.1),
    "format": ("int32", "int64", "float", "double", "x"),
    "enum": ([1, 2], [1.5, 3]),
}
_SPOILERS: Mapping[str, Sequence[Any]] = {
    "type": ("string", "object", "array", "float", "null", ""),
    "nullable": (True, False),
    "default": (1, "a", {}, [], {"zz": 1}, True),
    "uniqueItems": (True, False),
    "additionalProperties": (True, False, {"type": "string"}, {}),
    "properties": ({}, {"metadata": {"type": "object"}}, {"a": {}}),
    "items": ({"type": "string"}, [{"type": "string"}], {}),
    "pattern": ("(", "a", "^(?!x)"),
    "id": ("x",),
    "$schema": ("x",),
    "$ref": ("#/x",),
    "patternProperties": ({"a": {"type": "string"}},),
    "definitions": ({"a": {"type": "string"}},),
    "x-kubernetes-preserve-unknown-fields": (True, False),
    "x-kubernetes-embedded-resource": (True,),
    "x-kubernetes-int-or-string": (True,),
    "x-kubernetes-list-type": ("set", "map", "atomic", "bag"),
    "x-kubernetes-list-map-keys": (["k"], ["a", "a"]),
    "x-kubernetes-map-type": ("atomic", "granular", "x"),
    "anyOf": ([{"type": "integer"}, {"type": "string"}], [{"properties": {"q": {}}}], [{"nullable": True}]),
    "allOf": ([{"anyOf": [{"type": "integer"}, {"type": "string"}]}], [{"description": "d"}]),
    "not": ({"x-kubernetes-list-type": "set"}, {"required": ["a"]}, {"pattern": "["}),
    "required": (["k"], ["nope"]),
    "format": ("banana", "date"),
}


class RandomSchemas:
    """Draws schemas and values by chance."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def schema(self, depth: int = 2) -> Schema:
        """A schema that is structural, but for its default, which may not fit."""
        makers: list[Callable[[int], Schema]] = [self._text, self._number, self._flag]
        if depth:
            makers += [self._anything, self._list, self._map, self._object, self._object]
        schema = self._chance.choice(makers)(depth - 1)
        if self._maybe(0.12):
            schema["nullable"] = True
        for keyword in ("anyOf", "oneOf", "allOf"):
            if self._maybe(0.1):
                schema[keyword] = [self._condition(schema, 1) for _ in range(self._chance.randint(1, 3))]
        if self._maybe(0.06):
            schema["not"] = self._condition(schema, 1)
        if self._maybe(0.15):
            schema["default"] = self.value(schema, 0.9)
        return schema

    def value(self, schema: Schema, fit: float = 0.75) -> Any:
        """A value that fits a schema, more or less, as often as not."""
        kind = schema.get("type")
        if not self._maybe(fit):
            return self.anything()
        if schema.get("enum") and self._maybe(0.7):
            return self._chance.choice(schema["enum"])
        if kind == "array":
            return [self.value(schema["items"], fit) for _ in range(self._chance.randint(0, 3))]
        if kind == "object":
            return self._object_value(schema, fit)
        if schema.get("x-kubernetes-int-or-string"):
            kind = "either"
        return self._chance.choice(_FITTING[kind]) if kind else self.anything()

    def anything(self, depth: int = 2) -> Any:
        """Any value."""
        chance = self._chance
        simple = [chance.choice(_TEXTS), chance.choice(_INTEGERS), chance.choice(_FLOATS), True, None]
        if not depth or self._maybe(0.7):
            return chance.choice(simple)
        count = range(chance.randint(0, 3))
        if self._maybe(0.5):
            return [self.anything(depth - 1) for _ in count]
        return {chance.choice((*_FIELDS, "z.y/x")): self.anything(depth - 1) for _ in count}

    def spoil(self, schema: Schema) -> None:
        """Write a keyword with a doubtful value somewhere into a schema."""
        places = [schema]
        for place in places:
            places += [each for each in (place.get("properties") or {}).values() if isinstance(each, dict)]
            places += [each for each in (place.get("items"), place.get("not")) if isinstance(each, dict)]
        keyword = self._chance.choice(sorted(_SPOILERS))
        self._chance.choice(places)[keyword] = deepcopy(self._chance.choice(_SPOILERS[keyword]))

    def change(self, value: Any, schema: Schema) -> Any:
        """Another value in place of one: a part of it changed, or all of it."""
        changed = deepcopy(value)
        if isinstance(changed, dict) and changed and self._maybe(0.6):
            changed[self._chance.choice(sorted(changed))] = self.anything(1)
        elif isinstance(changed, list) and changed and self._maybe(0.6):
            changed.append(deepcopy(self._chance.choice(changed)))
            changed.reverse()
        else:
            changed = self.value(schema, 0.5)
        return changed

    def _maybe(self, probability: float) -> bool:
        return self._chance.random() < probability

    def _keywords(self, choices: Mapping[str, Sequence[Any]]) -> Schema:
        return {name: self._chance.choice(values) for name, values in choices.items() if self._maybe(0.25)}

    def _text(self, _depth: int) -> Schema:
        return {"type": "string"} | self._keywords(_TEXT_KEYWORDS)

    def _number(self, _depth: int) -> Schema:
        return {"type": self._chance.choice(("integer", "number"))} | self._keywords(_NUMBER_KEYWORDS)

    def _flag(self, _depth: int) -> Schema:
        return {"type": "boolean"}

    def _anything(self, _depth: int) -> Schema:
        return dict(self._chance.choice((PRESERVE, INT_OR_STRING)))

    def _list(self, depth: int) -> Schema:
        items = self.schema(depth)
        schema: Schema = {"type": "array", "items": items}
        schema |= self._keywords({"maxItems": (0, 2), "minItems": (0, 2)})
        key = (items.get("properties") or {}).get("k", {})
        if key.get("type") in ("string", "integer", "boolean") and not (items.keys() | key.keys()) & {
            "nullable"
        }:
            items["required"] = sorted({*items.get("required", ()), "k"})
            schema |= map_by("k")
        elif items.get("type") in ("string", "integer") and "nullable" not in items and self._maybe(0.4):
            schema["x-kubernetes-list-type"] = "set"
        return schema

    def _map(self, depth: int) -> Schema:
        values = True if self._maybe(0.3) else self.schema(depth)
        limits = self._keywords({"maxProperties": (0, 2), "minProperties": (0, 2)})
        return {"type": "object", "additionalProperties": values} | limits

    def _object(self, depth: int) -> Schema:
        names = self._chance.sample(_FIELDS, self._chance.randint(1, 3))
        schema: Schema = {"type": "object", "properties": {name: self.schema(depth) for name in names}}
        if self._maybe(0.3):
            schema["required"] = names[:1]
        return schema | PRESERVE if self._maybe(0.15) else schema

    def _condition(self, schema: Schema, depth: int) -> Schema:
        choices: Mapping[str, Sequence[Any]] = {
            "minimum": (0, 2),
            "maxLength": (0, 2),
            "pattern": ("^a", "b"),
            "enum": ([1, 2], ["a"], [True], [{}]),
            "maxItems": (0, 2),
            "format": ("date", "int32"),
        }
        condition = self._keywords(choices)
        names = sorted(schema.get("properties") or ())
        if names:
            name = self._chance.choice(names)
            condition |= self._keywords({"required": ([name],), "minProperties": (0, 2)})
            condition["properties"] = {name: self._condition(schema["properties"][name], depth)}
        elif schema.get("type") == "array":
            condition["items"] = self._condition(schema["items"], depth)
        if depth and self._maybe(0.3):
            keyword = self._chance.choice(("allOf", "anyOf", "oneOf"))
            condition[keyword] = [self._condition(schema, depth - 1) for _ in range(2)]
        return condition

    def _object_value(self, schema: Schema, fit: float) -> Any:
        properties = schema.get("properties")
        if properties is not None:
            value = {name: self.value(each, fit) for name, each in properties.items() if self._maybe(0.75)}
            return value | ({"zz": self.anything(1)} if self._maybe(0.15) else {})
        values = schema.get("additionalProperties")
        names = self._chance.sample(("a", "b", "k", "x.y"), self._chance.randint(0, 3))
        return {
            name: self.value(values, fit) if isinstance(values, dict) else self.anything(1) for name in names
        }
