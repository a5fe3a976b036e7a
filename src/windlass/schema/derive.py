"""A Python type becomes a structural schema, or is refused with the way out."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from types import NoneType, SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from pydantic_core import SchemaError as CoreSchemaError

from windlass.api import (
    AllowFloat,
    Default,
    Embedded,
    Encoded,
    IntOrStringMarker,
    Json,
    ListMap,
    Marker,
    Model,
    Nullable,
    ObjectMeta,
    OneOf,
    PreserveUnknown,
    Quantity,
    Required,
    Resource,
    Schemaless,
    Status,
    TypeMarker,
    Untyped,
    encode,
    writer,
)
from windlass.errors import SchemaError
from windlass.schema.annotation import admits_none, marks_of, unwrap
from windlass.schema.constrain import constrain
from windlass.schema.describe import describe_fields, describe_type
from windlass.schema.member import member_rules
from windlass.schema.status import default_generation

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

_QUANTITY = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$"
_INT_OR_STRING: Json = {
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "x-kubernetes-int-or-string": True,
}
_ANYTHING: Json = {"x-kubernetes-preserve-unknown-fields": True}
_SCALARS: Mapping[Any, Json] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    Any: _ANYTHING,
    object: _ANYTHING,
    Quantity: {**_INT_OR_STRING, "pattern": _QUANTITY},
}
_MARKED: Sequence[tuple[type, Any, Json]] = (
    (IntOrStringMarker, None, _INT_OR_STRING),
    (Encoded, timedelta, {"type": "string"}),
    (Encoded, bytes, {"type": "string", "format": "byte"}),
    (AllowFloat, float, {"type": "number"}),
    (Embedded, Any, {"type": "object"} | _ANYTHING),
)
_WAYS_OUT: Mapping[Any, str] = {
    float: "floats differ between languages; use Quantity, an int of a smaller unit, or add AllowFloat()",
    Decimal: "use Quantity",
    timedelta: "use windlass.api.Duration, which says how it is written",
    bytes: "use windlass.api.Base64, which says how it is written",
    tuple: "use a list, or a Model with named fields",
    NoneType: "give the field a type",
}
_JSON_TYPES: Mapping[type, str] = {bool: "boolean", int: "integer", str: "string"}
_EMBEDDED_METADATA = ("name", "namespace", "labels", "annotations", "finalizers")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a type we are, for messages and for what depends on it."""

    path: str
    inside: tuple[type, ...] = ()
    defaults: bool = True

    def into(self, step: str) -> _Place:
        return replace(self, path=f"{self.path}.{step}" if not step.startswith("[") else self.path + step)


def structural(cls: type[Resource]) -> Json:
    """The structural schema of a kind, as its custom resource definition states it.

    Raises:
        SchemaError: the type cannot be said in a structural schema; the message names the field and the
            way out.
    """
    schema = _object(cls, _Place(cls.__name__))
    type_meta = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    schema["properties"] = type_meta | {
        name: value for name, value in schema["properties"].items() if name != "metadata"
    }
    required = [name for name in schema.get("required", ()) if name != "status"]
    if required:
        schema["required"] = required
    else:  # the server takes the status away from every new object, so nothing may require it
        schema.pop("required", None)
    if "status" in schema["properties"]:
        default_generation(cls, schema["properties"]["status"])
    return schema


def schema_of(annotation: Any, path: str = "value") -> Json:
    """The structural schema of any type that may stand in a field."""
    return _of(annotation, (), _Place(path))


def _of(annotation: Any, marks: Sequence[Any], place: _Place) -> Json:
    bare, marks = unwrap(annotation, list(marks))
    if any(isinstance(mark, Schemaless) for mark in marks):
        return dict(_ANYTHING)
    schema = _base(bare, marks, place)
    constrain(schema, [_on_the_wire(mark, bare) for mark in marks], place.path)
    return schema


def _on_the_wire(mark: Any, bare: Any) -> Any:
    """A mark that means the wire: names as they stand there, and for bytes the length of their base64."""
    sizes = {name: getattr(mark, name, None) for name in ("min_length", "max_length")}
    if bare is bytes and any(size is not None for size in sizes.values()):
        lengths = {name: -(-size // 3) * 4 for name, size in sizes.items() if size is not None}
        return SimpleNamespace(**lengths)
    if not isinstance(mark, ListMap) or not get_args(bare):
        return mark
    item, _ = unwrap(get_args(bare)[0], [])
    fields = item.model_fields if isinstance(item, type) and issubclass(item, Model) else {}
    return ListMap(*(fields[key].serialization_alias or key if key in fields else key for key in mark.keys))


def _base(bare: Any, marks: Sequence[Any], place: _Place) -> Json:
    kinds = {type(mark) for mark in marks}
    for mark, type_, schema in _MARKED:
        if mark in kinds and type_ in (bare, None):
            return deepcopy(schema)
    if bare in _SCALARS:
        return deepcopy(_SCALARS[bare])
    if isinstance(bare, type) and issubclass(bare, Model):
        return _nested(bare, PreserveUnknown in kinds, place)
    return _container(bare, place) or _enumeration(bare, place) or _refuse(bare, place)


def _container(bare: Any, place: _Place) -> Json | None:
    origin, arguments = get_origin(bare) or bare, get_args(bare)
    if origin in (list, Sequence, set, frozenset) or (origin is tuple and arguments[1:] == (Ellipsis,)):
        items = _element(arguments[0], place.into("[]")) if arguments else dict(_ANYTHING)
        unique = {"x-kubernetes-list-type": "set"} if origin in (set, frozenset) else {}
        return {"type": "array", "items": items, **unique}
    if origin in (dict, Mapping, MutableMapping):
        key, value = arguments or (str, Any)
        _check_key(key, place)
        values = _element(value, place.into("*"))
        return {"type": "object"} | (_ANYTHING if values == _ANYTHING else {"additionalProperties": values})
    return None


def _element(annotation: Any, place: _Place) -> Json:
    """What a list or a map holds: `None` among it is null, where it would be no value in a field."""
    return _of(annotation, (Nullable(),) if admits_none(annotation) else (), place)


def _check_key(key: Any, place: _Place) -> None:
    bare, marks = unwrap(key, [])
    if bare is not str:
        raise SchemaError(f"{place.path}: the keys of a map are strings on the wire; use dict[str, …]")
    limited: Json = {"type": "string"}
    constrain(limited, marks, place.path)
    if len(limited) > 1:
        raise SchemaError(
            f"{place.path}: a schema says nothing about the keys of a map; write the limit as a rule of the "
            'field, such as Cel("self.all(key, size(key) < 64)")'
        )


def _enumeration(bare: Any, place: _Place) -> Json | None:
    values: list[Any] = []
    if get_origin(bare) is Literal:
        values = list(get_args(bare))
    elif isinstance(bare, type) and issubclass(bare, Enum):
        values = [member.value for member in bare]
    if not values:
        return None
    types = {_JSON_TYPES.get(type(value)) for value in values}
    if len(types) != 1 or None in types:
        raise SchemaError(f"{place.path}: the values of an enumeration must all be texts, or all be integers")
    return {"type": types.pop(), "enum": values}


def _refuse(bare: Any, place: _Place) -> Json:
    origin = get_origin(bare) or bare
    way_out = _WAYS_OUT.get(origin)
    if origin in (Union, UnionType):
        way_out = (
            "the API server knows no unions; use IntOrString for int | str, "
            "otherwise a Model with one optional field per variant and ExactlyOneOf(…)"
        )
    name = getattr(bare, "__name__", None) or str(bare)
    raise SchemaError(
        f"{place.path}: {name} has no structural schema; "
        f"{way_out or 'use a str with Format(…), a Model, or Any with PreserveUnknown()'}"
    )


def _nested(cls: type[Model], preserved: bool, place: _Place) -> Json:  # noqa: FBT001 - said where it is called
    if cls is ObjectMeta:
        whole = _object(cls, replace(place, defaults=False))
        return {
            "type": "object",
            "properties": {name: whole["properties"][name] for name in _EMBEDDED_METADATA},
        }
    if cls in place.inside:
        if preserved:
            return {"type": "object"} | _ANYTHING
        chain = " → ".join(each.__name__ for each in (*place.inside[place.inside.index(cls) :], cls))
        raise SchemaError(
            f"{place.path}: {cls.__name__} contains itself ({chain}), which a structural schema cannot say; "
            f"write Annotated[{cls.__name__}, PreserveUnknown()] there, or mark the field with Schemaless()"
        )
    schema = _object(cls, place)
    if issubclass(cls, Resource):
        schema["x-kubernetes-embedded-resource"] = True
    if issubclass(cls, Untyped):
        schema |= _ANYTHING
        del schema["properties"]
    return schema


def _object(cls: type[Model], place: _Place) -> Json:
    broken = _complete(cls)
    place = replace(
        place, inside=(*place.inside, cls), defaults=place.defaults and not issubclass(cls, Status)
    )
    schema: Json = {"type": "object"}
    if description := describe_type(cls):
        schema["description"] = description
    described, required = describe_fields(cls), []
    names: dict[str, str] = {}
    properties: Json = {}
    for name, info in cls.model_fields.items():
        wire = info.serialization_alias or name
        if wire in properties:
            other = next(each for each, taken in names.items() if taken == wire)
            raise SchemaError(
                f"{place.path}: {other} and {name} are both {wire} on the wire; rename one, or give it "
                'another name there: Annotated[…, Wire("…")]'
            )
        names[name] = wire
        properties[wire] = _property(info, described.get(name, ""), place.into(wire))
        if _is_required(info):
            required.append(wire)
    schema |= {"properties": properties} if properties else {}
    schema |= {"required": sorted(required)} if required else {}
    constrain(schema, _class_marks(cls, place.path), place.path)
    member_rules(cls, schema, names, place.path)
    if broken is not None:
        raise SchemaError(f"{place.path}: pydantic refuses {cls.__name__}: {broken}") from broken
    return schema


def _class_marks(cls: type[Model], where: str) -> list[TypeMarker]:
    """The marks of the class line, but for those about several fields, which become rules."""
    given: tuple[Marker, ...] = cls.__markers__
    misplaced = [mark for mark in given if not isinstance(mark, TypeMarker) or type(mark) is OneOf]
    if misplaced:
        raise SchemaError(f"{where}: {misplaced[0]!r} does not go into a class line; mark the field with it")
    return [mark for mark in cls.__markers__ if not isinstance(mark, OneOf)]


def _complete(cls: type[Model]) -> CoreSchemaError | None:
    """Complete a class; what pydantic has against it is kept until we know the field (a pattern, mostly)."""
    try:
        cls.model_rebuild()
    except CoreSchemaError as error:
        return error
    return None


def _property(info: FieldInfo, description: str, place: _Place) -> Json:
    schema = _of(info.annotation, info.metadata, place)
    documentation: Json = {"title": info.title, "description": description or schema.get("description")}
    if info.examples:
        example = info.examples[0]  # as Python has it, or as the wire does
        write = encode if isinstance(example, str) else writer(info.annotation, info.metadata)
        documentation["example"] = write(example)
    schema |= {key: value for key, value in documentation.items() if value}
    default = _default(info, schema)
    if default is not None and place.defaults:
        schema["default"] = default
    return schema


def _default(info: FieldInfo, schema: Json) -> Any:
    """The default to state. Empty ones are left out, unless there are defaults below that they bring in."""
    write = writer(info.annotation, info.metadata)
    for mark in marks_of(info):
        if isinstance(mark, Default):
            return write(mark.value)
    if _is_required(info) or info.default_factory_takes_validated_data:
        return None
    value = info.get_default(call_default_factory=True)
    varies = info.default_factory is not None and value != info.get_default(call_default_factory=True)
    if varies or isinstance(value, Status):  # one value of many would become that of all objects
        return None
    written = write(value)
    if written in ({}, [], ""):
        brings = written == {} and _has_default(schema) and not _lacks(schema)
        # The server judges a default by the rules of its object before it fills in the defaults below.
        whole = brings and "x-kubernetes-validations" in schema
        return _defaults(schema) if whole else written if brings else None
    return written


def _defaults(schema: Json) -> Json:
    """An object of all the defaults below."""
    below = {name: each for name, each in schema["properties"].items() if "default" in each}
    return {
        name: _defaults(each) if each["default"] == {} else each["default"] for name, each in below.items()
    }


def _has_default(schema: Json) -> bool:
    return any("default" in each or _has_default(each) for each in schema.get("properties", {}).values())


def _lacks(schema: Json) -> bool:
    """Whether an empty object would break this schema, for want of a field that has no default."""
    return any("default" not in schema["properties"][name] for name in schema.get("required", ()))


def _is_required(info: FieldInfo) -> bool:
    kinds = {type(mark) for mark in marks_of(info)}
    return Required in kinds or (info.is_required() and Default not in kinds)
