"""Schemas with rules, values of them, and updates of the values, as chance has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

    Schema = dict[str, Any]

# None looks at the entries of a map one after the other until it knows enough: Go's have no order.
_RULES: Final[dict[str, list[Schema]]] = {
    "integer": [
        {"rule": "self > 0"},
        {"rule": "self >= oldSelf", "message": "only more"},
        {"rule": "6 / self > 1"},
        {"rule": "6 / self > 1", "message": "a divisor"},
        {"rule": "self != 3", "messageExpression": "'not ' + string(self)"},
        {"rule": "self != 3", "messageExpression": "string(1 / (self - 3))", "message": "three"},
        {"rule": "self == oldSelf", "messageExpression": "'was ' + string(oldSelf)"},
        {"rule": "!oldSelf.hasValue() || self > oldSelf.value()", "optionalOldSelf": True},
        {"rule": "self > 1", "messageExpression": "'was ' + string(oldSelf)"},
    ],
    "string": [
        {"rule": "self != 'b'"},
        {"rule": "self == oldSelf"},
        {"rule": "self.startsWith('a')", "reason": "FieldValueForbidden"},
        {"rule": "self.size() < 2", "reason": "FieldValueDuplicate"},
        {"rule": "int(self) > 0", "reason": "FieldValueRequired"},
        {"rule": "oldSelf.orValue('b') == self", "optionalOldSelf": True},
    ],
    "array": [
        {"rule": "self.size() < 2"},
        {"rule": "self == oldSelf"},
        {"rule": "self.all(x, self.exists_one(y, y == x))", "message": " all differ "},
        {"rule": "oldSelf.all(x, x in self)"},
        {"rule": "self[1] == self[0]"},
    ],
    "map": [
        {"rule": "!('b' in self)"},
        {"rule": "self == oldSelf"},
        {"rule": "!('a' in self) || self.a == self['a']"},
        {"rule": "self.size() < 2 || self['c'] == self['a']", "reason": "FieldValueDuplicate"},
    ],
    "object": [
        {"rule": "has(self.a)", "fieldPath": ".a"},
        {"rule": "has(self.a) == has(oldSelf.a)", "reason": "FieldValueForbidden"},
        {"rule": "self == oldSelf", "message": "same"},
        {"rule": "self.a == self.a && has(self.b)"},
        {"rule": "!has(self.b) || self.b != oldSelf.?a.orValue(self.b)"},
    ],
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A value by a schema, and what it was before."""

    schema: Schema
    value: Any
    old: Any

    @property
    def question(self) -> dict[str, Any]:
        """How the oracle is asked about it."""
        asked = {"validate": True, "schema": self.schema, "self": self.value}
        return asked if self.old is None else {**asked, "oldSelf": self.old}


def sample(chance: Random) -> Sample:
    """Any sample."""
    schema = _object(chance, 3)
    value = _value(chance, schema)
    return Sample(schema, value, _changed(chance, value, schema) if chance.random() < 0.7 else None)


def _schema(chance: Random, depth: int) -> Schema:
    kinds = ["integer", "string"]
    if depth:
        kinds += ["array", "keyed", "map", "object"]
    match chance.choice(kinds):
        case "array":
            kind = chance.choice(["atomic", "set"])
            items = (
                {"type": chance.choice(["integer", "string"])}
                if kind == "set"
                else _schema(chance, depth - 1)
            )
            schema = {"type": "array", "items": items, "x-kubernetes-list-type": kind}
            return _ruled(chance, schema, "array")
        case "keyed":
            return _ruled(chance, _keyed(chance, depth), "array")
        case "map":
            schema = {"type": "object", "additionalProperties": _schema(chance, depth - 1)}
            return _ruled(chance, schema, "map")
        case "object":
            return _object(chance, depth - 1)
        case scalar:
            return _ruled(chance, {"type": scalar}, scalar)


def _keyed(chance: Random, depth: int) -> Schema:
    items = _object(chance, depth - 1)
    items["properties"]["k"] = {"type": "string"}
    items["required"] = ["k"]
    keys = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    return {"type": "array", "items": items, **keys}


def _object(chance: Random, depth: int) -> Schema:
    kind = _schema(chance, 0)
    # Both fields are of one type, since rules compare them.
    properties = {"a": kind, "b": {"type": kind["type"]}, "c": _schema(chance, depth)}
    return _ruled(chance, {"type": "object", "properties": properties}, "object")


def _ruled(chance: Random, schema: Schema, kind: str) -> Schema:
    count = chance.choice([0, 0, 1, 1, 2])
    return {**schema, "x-kubernetes-validations": chance.sample(_RULES[kind], count)} if count else schema


def _value(chance: Random, schema: Schema) -> Any:
    match schema["type"]:
        case "integer":
            return chance.randrange(-1, 5)
        case "string":
            return chance.choice(["a", "b", "ab", "1"])
        case "array":
            return _items(chance, schema)
    if "additionalProperties" in schema:
        names = chance.sample(["a", "b", "c", "d.e"], chance.randrange(4))
        return {name: _value(chance, schema["additionalProperties"]) for name in names}
    needed = schema.get("required", ())
    return {
        name: _value(chance, each)
        for name, each in schema["properties"].items()
        if name in needed or chance.random() < 0.8
    }


def _items(chance: Random, schema: Schema) -> list[Any]:
    count, kind = chance.randrange(4), schema["x-kubernetes-list-type"]
    values = [_value(chance, schema["items"]) for _ in range(count)]
    if kind == "set":
        return list(dict.fromkeys(values))
    if kind == "map":
        keys = chance.sample(["a", "b", "c"], count)
        return [{**each, "k": key} for each, key in zip(values, keys, strict=True)]
    return values


def _changed(chance: Random, value: Any, schema: Schema) -> Any:
    """A value with some of its parts replaced."""
    if chance.random() < 0.2:
        return _value(chance, schema)
    if schema["type"] == "array" and schema["x-kubernetes-list-type"] != "set":
        changed = [_changed(chance, each, schema["items"]) for each in value]
        if schema["x-kubernetes-list-type"] == "map":
            changed = [{**new, "k": old["k"]} for new, old in zip(changed, value, strict=True)]
            chance.shuffle(changed)
        return changed
    if schema["type"] == "object":
        values = schema.get("additionalProperties")
        parts = schema.get("properties", {})
        return {name: _changed(chance, each, values or parts[name]) for name, each in value.items()}
    return value
