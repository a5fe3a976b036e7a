"""Values by chance that fit a structural schema, but for rules in CEL, which are judged afterwards."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, get_args

from hypothesis import strategies as st

from windlass.api import AtLeastOneOf, ExactlyOneOf, Model, OneOf
from windlass.testing.conversion.text import durations, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from windlass.api import Json

_MOST_ITEMS: Final = 3
_INTEGERS: Final = {"int32": 31}
_LEFT_OUT: Final = object()
_PRESENCE: Final = (False, True, True, True)
_SCALARS: Final = st.booleans() | st.integers(-5, 5) | st.text("abc", max_size=3)


def values(schema: Json, annotation: Any = None) -> st.SearchStrategy[Any]:
    """Values of a schema; the Python type says what that does not, such as that a text is a duration."""
    found = _values(schema, annotation)
    return st.none() | found if schema.get("nullable") else found


def _values(schema: Json, annotation: Any) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema.get("x-kubernetes-int-or-string"):
        return st.integers(0, 2**31 - 1) | texts(schema)
    if timedelta in _types(annotation):
        return durations()
    make = _BY_TYPE.get(schema.get("type", ""))
    return make(schema, annotation) if make else _SCALARS


def fields(schema: Json, annotation: Any) -> dict[str, st.SearchStrategy[Any]]:
    """Values for each field of an object."""
    model = _model(annotation)
    known = model.model_fields.items() if model else ()
    types = {info.serialization_alias or name: info.annotation for name, info in known}
    return {name: values(below, types.get(name)) for name, below in schema.get("properties", {}).items()}


def some_of(
    below: Mapping[str, st.SearchStrategy[Any]], required: Collection[str]
) -> st.SearchStrategy[Json]:
    """Objects of fields, each of which is there three times in four unless it has to be.

    Left to itself, hypothesis leaves most of them out, and so misses faults that need two of them.
    """
    chosen = {
        name: each if name in required else st.sampled_from(_PRESENCE).flatmap(partial(_chosen, each))
        for name, each in below.items()
    }
    return st.fixed_dictionaries(chosen).map(
        lambda made: {name: value for name, value in made.items() if value is not _LEFT_OUT}
    )


def _grouped(
    below: Mapping[str, st.SearchStrategy[Any]], required: Collection[str], model: type[Model] | None
) -> st.SearchStrategy[Json]:
    """Objects with as many of some fields as the type wants: by chance, few would have that."""
    rest, parts = dict(below), []
    wire = {name: info.serialization_alias or name for name, info in (model or Model).model_fields.items()}
    for mark in (each for each in (model or Model).__markers__ if isinstance(each, OneOf)):
        group = {name: rest.pop(name) for name in (wire[each] for each in mark.names) if name in rest}
        parts.append(_some(group, mark) if group else st.just({}))
    whole = st.tuples(some_of(rest, required), *parts)
    return whole.map(lambda made: {name: value for part in made for name, value in part.items()})


def _some(group: Mapping[str, st.SearchStrategy[Any]], mark: OneOf) -> st.SearchStrategy[Json]:
    if isinstance(mark, AtLeastOneOf):
        return some_of(group, ()).filter(bool)
    one = st.one_of(*(st.fixed_dictionaries({name: each}) for name, each in group.items()))
    return one if isinstance(mark, ExactlyOneOf) else st.just({}) | one


def _chosen(each: st.SearchStrategy[Any], there: bool) -> st.SearchStrategy[Any]:  # noqa: FBT001 - a value by chance
    return each if there else st.just(_LEFT_OUT)


def _objects(schema: Json, annotation: Any) -> st.SearchStrategy[Json]:
    if schema.get("x-kubernetes-embedded-resource"):
        head = {"apiVersion": st.just("v1"), "kind": st.just("ConfigMap")}
        return st.fixed_dictionaries({**head, "metadata": st.just({"name": "a"})})
    if "properties" in schema:
        return _grouped(fields(schema, annotation), schema.get("required", ()), _model(annotation))
    inner, (*_, last) = schema.get("additionalProperties"), get_args(_present(annotation)) or (None,)
    each = values(inner, last) if isinstance(inner, dict) else _SCALARS
    least: int = schema.get("minProperties", 0)
    most: int = schema.get("maxProperties", least + _MOST_ITEMS)
    keys = st.text("abcxyz", min_size=1, max_size=4)
    return st.dictionaries(keys, each, min_size=least, max_size=min(most, least + _MOST_ITEMS))


def _lists(schema: Json, annotation: Any) -> st.SearchStrategy[list[Any]]:
    (item, *_) = get_args(_present(annotation)) or (None,)
    least: int = schema.get("minItems", 0)
    most: int = min(schema.get("maxItems", least + _MOST_ITEMS), least + _MOST_ITEMS)
    each = values(schema["items"], item)
    keys = tuple(schema.get("x-kubernetes-list-map-keys", ()))
    if keys:
        return st.lists(
            each, min_size=least, max_size=most, unique_by=lambda one: repr([one.get(key) for key in keys])
        )
    if schema.get("x-kubernetes-list-type") == "set":
        return st.lists(each, min_size=least, max_size=most, unique_by=repr)
    return st.lists(each, min_size=least, max_size=most)


def _integers(schema: Json, _annotation: Any) -> st.SearchStrategy[int]:
    bits = _INTEGERS.get(schema.get("format", ""), 63)
    step: int = schema.get("multipleOf", 1)
    least = schema.get("minimum", -(2**bits)) + bool(schema.get("exclusiveMinimum"))
    most = schema.get("maximum", 2**bits - 1) - bool(schema.get("exclusiveMaximum"))
    first, last = -(-least // step), most // step
    return (st.integers(first, last) | st.sampled_from((first, last))).map(lambda count: count * step)


def _numbers(schema: Json, _annotation: Any) -> st.SearchStrategy[float]:
    return st.floats(
        schema.get("minimum"),
        schema.get("maximum"),
        exclude_min=bool(schema.get("exclusiveMinimum")),
        exclude_max=bool(schema.get("exclusiveMaximum")),
        allow_nan=False,
        allow_infinity=False,
    )


def _model(annotation: Any) -> type[Model] | None:
    """The class of an object, where it has one."""
    found = (each for each in _types(annotation) if isinstance(each, type) and issubclass(each, Model))
    return next(found, None)


def _types(annotation: Any) -> list[Any]:
    """A type, or the branches of `X | None`, without what `Annotated` adds."""
    if hasattr(annotation, "__metadata__"):
        return _types(annotation.__origin__)
    branches = get_args(annotation)
    return [annotation, *(each for branch in branches if type(None) in branches for each in _types(branch))]


def _present(annotation: Any) -> Any:
    """The type of a value that is there."""
    found = _types(annotation)
    return next((each for each in found[1:] if each is not type(None)), found[0])


_BY_TYPE: Final[Mapping[str, Callable[[Json, Any], st.SearchStrategy[Any]]]] = {
    "object": _objects,
    "array": _lists,
    "string": lambda schema, _annotation: texts(schema),
    "integer": _integers,
    "number": _numbers,
    "boolean": lambda _schema, _annotation: st.booleans(),
}
