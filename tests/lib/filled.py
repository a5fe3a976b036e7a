"""Objects of built-in kinds with whatever fields their types have, filled by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.builtin import library

if TYPE_CHECKING:
    from random import Random

    from contract import Object
    from windlass.schema import Shape

_API_MACHINERY: Final = "io.k8s.apimachinery.pkg"
_SCHEMA: Final = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"
_JSON: Final = ({"a": {"b": [1, None, "x", 1.5]}}, [1], "x", True, 7)
_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    f"{_API_MACHINERY}.api.resource.Quantity": ("1", "100m", "1Gi", "0", "1500", "1e3", "-5"),
    f"{_API_MACHINERY}.apis.meta.v1.Time": (
        "2026-01-02T03:04:05Z",
        "1969-12-31T23:59:59Z",
        "0001-01-01T00:00:01Z",
        "9999-12-31T23:59:59Z",
    ),
    f"{_API_MACHINERY}.apis.meta.v1.MicroTime": (
        "2026-01-02T03:04:05.000006Z",
        "1969-12-31T23:59:59.999999Z",
        "2026-01-02T03:04:05.000000Z",
    ),
    f"{_API_MACHINERY}.util.intstr.IntOrString": (0, 1, -1, 2**31 - 1, "50%", "http"),
    f"{_API_MACHINERY}.apis.meta.v1.FieldsV1": _JSON[:1],
    f"{_API_MACHINERY}.runtime.RawExtension": _JSON[:1],
    f"{_SCHEMA.removesuffix('SchemaProps')}": _JSON,
    "boolean": (True, False),
    "byte": ("AA==", "aGVsbG8="),
    "double": (0, 1, 1.5, -2.25, 1e21),
    "int32": (0, 1, -1, 127, 128, 2**31 - 1, -(2**31)),
    "int64": (0, 1, -1, 300, 2**63 - 1, -(2**63)),
    "string": ("", "x", "text", "ü" * 70),
}
_KEYS: Final = ("", "a", "bb", "Z", "é", "~")
_SERVED: Final = "x-kubernetes-group-version-kind"
_DEEPEST: Final = 9


def filled(definition: str, chance: Random, part: float) -> Object:
    """An object of a definition that has about such a part of its fields, its kind if it is one included."""
    shape = library().shape(definition)
    named = {}
    for each in shape.schema.get(_SERVED, ())[:1]:
        version = f"{each['group']}/{each['version']}" if each["group"] else each["version"]
        named = {"kind": each["kind"], "apiVersion": version}
    return named | _Filling(chance, part).struct(shape, 0)


def kinds_by_definition() -> list[str]:
    """The definitions that are kinds."""
    return [name for name in library().names() if library().shape(name).schema.get(_SERVED)]


class _Filling:
    def __init__(self, chance: Random, part: float) -> None:
        self._chance = chance
        self._part = part

    def struct(self, shape: Shape, depth: int) -> Object:
        """Some of the fields; deep within, none, since types refer to themselves."""
        return {
            name: self._value(field, depth + 1)
            for name, field in shape.properties.items()
            if depth < _DEEPEST
            and field.schema.get("x-go-embedded") != "TypeMeta"
            and self._chance.random() < self._part
        }

    def _value(self, shape: Shape, depth: int) -> Any:
        choices = _CHOICES.get(shape.name or shape.schema.get("format", shape.type))
        if choices:
            return self._chance.choice(choices)
        if shape.name.startswith(f"{_SCHEMA}Or"):
            return self._schema_or(shape.name.removeprefix(_SCHEMA), depth)
        if shape.items is not None:
            return [self._value(shape.items, depth + 1) for _ in range(self._chance.randint(1, 3))]
        if shape.additional is not None:
            keys = self._chance.sample(_KEYS, self._chance.randint(1, 4))
            return {key: self._value(shape.additional, depth + 1) for key in keys}
        return self.struct(shape, depth)

    def _schema_or(self, other: str, depth: int) -> Any:
        schema = self.struct(library().shape(_SCHEMA), depth + 2)
        if other == "OrBool":
            return self._chance.choice((True, False, schema))
        return self._chance.choice((schema, ["a"] if other == "OrStringArray" else [schema]))
