"""Manifests that chance has changed: fields taken away, given odd values, repeated, or added from the schema."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

    from contract import Object
    from windlass.schema import Shape

_TEXTS: Final = (
    *("", "a", "A", "a b", "a.b", "a/b", "-", "..", "../x", "..x", "/x", "a-", "1", "é", "a=b", "x:1", "*"),
    *("example.com/x", "a" * 63, "a" * 64, "a" * 254, "10%", "101%", "0%", "None", "All", "1.2.3.4", "::1"),
    *("In", "Exists", "Gt", "Equal", "NoExecute", "NoSchedule", "Always", "Never", "OnFailure", "OnDelete"),
    *("RollingUpdate", "Recreate", "Localhost", "Unconfined", "RuntimeDefault", "TCP", "UDP", "HTTP"),
    *("DoNotSchedule", "ScheduleAnyway", "Indexed", "NonIndexed", "FailJob", "Ignore", "metadata.name"),
    *("v1", "limits.cpu", "requests.memory", "spec.nodeName", "metadata.labels['a']", "linux", "windows"),
)
_NUMBERS: Final = (-1, 0, 1, 2, 80, 100, 101, 511, 512, 600, 65535, 65536, 2**31 - 1)
_AMOUNTS: Final = ("-1", "0", "1", "500m", "1Gi", "3Mi", "2", "1500m")
_DEPTH: Final = 4


def mutated(body: Object, shape: Shape, chance: Random) -> Object:
    """A copy of an object with one to three changes."""
    result = deepcopy(body)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        value, found = chance.choice(_places(result, shape))
        _change(value, found, chance)
    return result


def _places(value: Any, shape: Shape) -> list[tuple[Any, Shape]]:
    """Every map and list in a value, each with its shape; the object's own marks are left alone."""
    found = [(value, shape)]
    if isinstance(value, dict):
        for name, inner in value.items():
            below = shape.child(name)
            if below is not None and isinstance(inner, (dict, list)) and name != "managedFields":
                found += _places(inner, below)
    elif shape.items is not None:
        for inner in value:
            if isinstance(inner, (dict, list)):
                found += _places(inner, shape.items)
    return found


def _change(value: Any, shape: Shape, chance: Random) -> None:
    if isinstance(value, list):
        if value and chance.random() < 0.5:
            value.append(deepcopy(chance.choice(value)))
        elif shape.items is not None:
            value.append(made(shape.items, chance))
        return
    named = [
        name for name in shape.properties if name not in ("apiVersion", "kind", "status", "managedFields")
    ]
    there = [name for name in value if name in named]
    what = chance.random()
    if what < 0.2 and there:
        del value[chance.choice(there)]
    elif what < 0.5 and there:
        name = chance.choice(there)
        value[name] = made(shape.properties[name], chance)
    elif named:
        name = chance.choice(named)
        value[name] = made(shape.properties[name], chance)
    elif shape.additional is not None:
        value[chance.choice(_TEXTS)] = made(shape.additional, chance)


def made(shape: Shape, chance: Random, depth: int = _DEPTH) -> Any:
    """A value of a shape: of the right type, never empty, though seldom one that makes sense."""
    if shape.type == "array" and shape.items is not None:
        return [made(shape.items, chance, depth - 1) for _ in range(chance.choice((1, 1, 2)))]
    if shape.additional is not None and not shape.properties:
        return {chance.choice(_TEXTS): made(shape.additional, chance, depth - 1)}
    if not shape.properties:
        return _scalar(shape, chance)
    names = [*shape.properties] if depth > 0 else []
    chosen = set(shape.required) | set(chance.sample(names, min(len(names), chance.choice((1, 1, 2, 3)))))
    return {name: made(shape.properties[name], chance, depth - 1) for name in sorted(chosen)}


def _scalar(shape: Shape, chance: Random) -> Any:
    if shape.name.endswith(".Quantity"):
        return chance.choice(_AMOUNTS)
    if shape.int_or_string:
        return chance.choice((*_NUMBERS[:5], "10%", "101%", "http", "x y"))
    if shape.type == "integer":
        return chance.choice(_NUMBERS)
    if shape.type == "boolean":
        return chance.random() < 0.5
    is_time = shape.schema.get("format") == "date-time"
    return "2020-01-01T00:00:00Z" if is_time else chance.choice(_TEXTS)
