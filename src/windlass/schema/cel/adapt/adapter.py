from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.adapt import scalar
from windlass.schema.cel.adapt.container import AdaptedMap, AdaptedObject, Field, Lazy, Unknown
from windlass.schema.cel.adapt.sequence import AdaptedList, AdaptedMapList, AdaptedSet
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.structure import escape, with_metadata

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value

Schema = Mapping[str, Any]
Adapt = Callable[[Any], Any]
"""What makes a value of an expression of a JSON value.

Raises:
    EvaluationError: the JSON value is not what the schema says.
"""


def adapted(value: Any, schema: Schema | None, *, resource: bool = False) -> Value:
    """A JSON value as expressions see it; who adapts many values of a schema makes an `adapter` once."""
    return adapter(schema, resource=resource)(value)


def adapter(schema: Schema | None, *, resource: bool = False) -> Adapt:
    """What adapts values of a schema. Those of a `resource` have a type and a name besides."""
    if schema is None:
        return _same
    adapt = _present(schema, resource=resource)
    if schema.get("nullable"):
        return lambda value: None if value is None else adapt(value)

    def required(value: Any) -> Value:
        if value is None:
            raise EvaluationError("invalid data, got null for schema with nullable=false")
        return adapt(value)

    return required


def _present(schema: Schema, *, resource: bool = False) -> Adapt:
    """What adapts values that are not null."""
    if resource or schema.get("x-kubernetes-embedded-resource"):
        schema = with_metadata(schema)
    if schema.get("x-kubernetes-int-or-string"):
        return scalar.int_or_string
    maker = _MAKERS.get(schema.get("type", ""))
    if maker is not None:
        return maker(schema)
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        return Unknown
    return _refusing(
        "invalid type, expected object, array, number, integer, boolean or string, or no type with "
        "x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got "
        f"{schema.get('type', '')}"
    )


def _object(schema: Schema) -> Adapt:
    make = _object_maker(schema)

    def adapt(value: Any) -> Value:
        if type(value) is not dict:
            raise EvaluationError("invalid data, expected a map for the provided schema with type=object")
        return make(value)

    return adapt


def _object_maker(schema: Schema) -> Callable[[dict[str, Any]], Value]:
    properties, values = schema.get("properties"), schema.get("additionalProperties")
    if not properties and isinstance(values, Mapping):
        each = Lazy(partial(adapter, values))
        return lambda value: AdaptedMap(value, each.adapt)
    fields: dict[str, Field] = {}
    for name, described in (properties or {}).items():
        # A field that is null is not there.
        field = Field(name, escape(name) or name, partial(_present, described))
        fields.setdefault(name, field)
        fields[field.spelling] = field
    return lambda value: AdaptedObject(value, fields)


def _list(schema: Schema) -> Adapt:
    items, kind = schema.get("items"), schema.get("x-kubernetes-list-type", "atomic")
    if not items:
        return _refusing("invalid array type, expected Items with a non-empty Schema")
    each = Lazy(partial(adapter, items))
    keys = tuple(schema.get("x-kubernetes-list-map-keys", ()))

    def adapt(value: Any) -> Value:
        if type(value) is not list:
            raise EvaluationError("invalid data, expected an array for the provided schema with type=array")
        if kind == "map":
            return AdaptedMapList(value, each.adapt, keys)
        return AdaptedSet(value, each.adapt) if kind == "set" else AdaptedList(value, each.adapt)

    return adapt


def _refusing(message: str) -> Adapt:
    def refuse(_value: Any) -> Value:
        raise EvaluationError(message)

    return refuse


def _same(value: Any) -> Any:
    return value


def _always(adapt: Adapt) -> Callable[[Schema], Adapt]:
    return lambda _schema: adapt


_MAKERS: Final[dict[str, Callable[[Schema], Adapt]]] = {
    "object": _object,
    "array": _list,
    "string": lambda schema: scalar.FORMATS.get(schema.get("format", ""), scalar.text),
    "number": _always(scalar.number),
    "integer": _always(scalar.integer),
    "boolean": _always(scalar.boolean),
}
"""What makes an adapter of a schema, by its type."""
