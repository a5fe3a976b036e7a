"""Reading objects that do not fit their type exactly, as Go would: null is absent, absent is zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeGuard, TypeVar, Union, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import SchemaValidator

from windlass.api.model import Model, written_fields
from windlass.api.quantity import Quantity
from windlass.errors import UndecodableError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    Path = tuple[int | str, ...]

M = TypeVar("M", bound=Model)

_ZEROS: Mapping[Any, Any] = {
    str: "",
    int: 0,
    float: 0.0,
    bool: False,
    bytes: "",
    list: [],
    tuple: [],
    set: [],
    frozenset: [],
    Sequence: [],
    dict: {},
    Mapping: {},
    Quantity: "0",
    datetime: "0001-01-01T00:00:00Z",
    timedelta: "0s",
    Any: None,
    NoneType: None,
}
_LIMITS = frozenset({"ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern"})
_TYPES = {str: "str", int: "int"}
_OPAQUE = frozenset({"default", "metadata", "cls", "config"})
_ROUNDS = 64  # each round repairs one more level of nesting


def decode(cls: type[M], data: Mapping[str, Any], error: ValidationError) -> M:
    """Read without bounds, patterns and enumerations, and repair what Go would repair.

    Raises:
        UndecodableError: something is wrong that no zero value can mend.
    """
    repaired, found = deepcopy(dict(data)), error
    filled: list[Path] = []
    for _ in range(_ROUNDS):
        try:
            decoded: M = _unbounded(cls).validate_python(repaired, by_alias=True, by_name=False)
        except ValidationError as fault:
            found = fault
        else:
            for path in filled:
                _mark_unset(decoded, path)
            return decoded
        beyond = _repair(cls, repaired, found.errors(include_url=False), filled)
        if beyond:
            raise _undecodable(cls, data, beyond) from error
    raise _undecodable(cls, data, found.errors()) from error


@cache
def _unbounded(cls: type[Model]) -> SchemaValidator:
    """A validator that asks for the right types and nothing more.

    What is stored may be older than the limits: one such object must not stop those who read it.
    """
    return SchemaValidator(_without_limits(cls.__pydantic_core_schema__), _use_prebuilt=False)


def _without_limits(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_limits(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kind = schema.get("type")
    if kind in ("literal", "enum"):  # the member where there is one, otherwise a value of the same type
        values = schema.get("expected") or [member.value for member in schema["members"]]
        other = _TYPES.get(type(values[0]), "any")
        return {"type": "union", "choices": [schema, {"type": other}], "mode": "left_to_right"}
    limits = _LIMITS if isinstance(kind, str) else frozenset()
    return {
        key: value if key in _OPAQUE else _without_limits(value)
        for key, value in schema.items()
        if key not in limits
    }


def _repair(
    cls: type[Model], data: Any, faults: Sequence[ErrorDetails], filled: list[Path]
) -> list[ErrorDetails]:
    """Take away nulls and put in zero values where the faults are, and only there; the faults that remain."""
    beyond: list[ErrorDetails] = []
    nulls: dict[Path, ErrorDetails] = {}
    for fault in faults:
        if fault["type"] == "missing" and _fill(cls, data, fault["loc"]):
            filled.append(fault["loc"])
        elif (path := _null(data, fault["loc"])) is not None:
            nulls[path] = fault  # a union has one fault for each of its branches
        else:
            beyond.append(fault)
    return beyond + [fault for path, fault in nulls.items() if not _without_null(cls, data, path)]


def _null(data: Any, path: Path) -> Path | None:
    """The place on a fault's path that holds null; pydantic's path may go on, with a branch of a union."""
    for length, step in enumerate(path):
        try:
            data = data[step]
        except (LookupError, TypeError):
            return None
        if data is None:
            return path[: length + 1]
    return None


def _without_null(cls: type[Model], data: Any, path: Path) -> bool:
    """A field that is null is absent; an item of a list or a value of a map that is null is zero."""
    if not _is_model(_present(_type_at(cls, path[:-1]))):
        return _fill(cls, data, path)
    for step in path[:-1]:
        data = data[step]
    del data[path[-1]]
    return True


def _fill(cls: type[Model], data: Any, path: Path) -> bool:
    """Put the zero value of its type at `path`; False where the type has none."""
    for step in path[:-1]:
        data = data[step]
    options = _options(_type_at(cls, path))
    kind = NoneType if NoneType in options else _kind(options[0])
    if _is_model(kind):
        data[path[-1]] = {}
    elif kind in _ZEROS:
        data[path[-1]] = deepcopy(_ZEROS[kind])
    else:
        return False
    return True


def _kind(annotation: Any) -> Any:
    """What decides about the zero value: the class, or for an enumeration the class of its values."""
    if get_origin(annotation) is Literal:
        return type(get_args(annotation)[0])
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return type(next(iter(annotation)).value)
    return get_origin(annotation) or annotation


def _type_at(cls: type[Model], path: Path) -> Any:
    """The type at the end of a path of fields, items of lists and values of maps."""
    annotation: Any = cls
    for step in path:
        present = _present(annotation)
        if _is_model(present):
            name = _name(present, step)  # which completes the class
            annotation = present.model_fields[name].annotation
        else:
            annotation = next((each for each in reversed(get_args(present)) if each is not Ellipsis), Any)
    return annotation


def _present(annotation: Any) -> Any:
    """The type of a value that is there."""
    return next((option for option in _options(annotation) if option is not NoneType), Any)


def _options(annotation: Any) -> list[Any]:
    """The branches of a union, or the type itself, without `Annotated`."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        return [branch for option in get_args(annotation) for branch in _options(option)]
    return [annotation]


def _is_model(kind: Any) -> TypeGuard[type[Model]]:
    return isinstance(kind, type) and issubclass(kind, Model)


def _mark_unset(decoded: Any, path: Path) -> None:
    """What was filled in was not said by anyone, so it is not written back."""
    for step in path[:-1]:
        decoded = (
            getattr(decoded, _name(type(decoded), step)) if isinstance(decoded, Model) else decoded[step]
        )
    decoded.model_fields_set.discard(_name(type(decoded), path[-1]))


def _name(cls: type[Model], wire: int | str) -> str:
    return next(field.name for field in written_fields(cls) if field.wire == wire)


def _undecodable(
    cls: type[Model], data: Mapping[str, Any], faults: Sequence[ErrorDetails]
) -> UndecodableError:
    metadata = data.get("metadata")
    parts = [metadata.get("namespace"), metadata.get("name")] if isinstance(metadata, Mapping) else []
    name = "/".join(str(part) for part in parts if part)
    listed = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
    return UndecodableError(
        f"{cls.__name__}{' ' if name else ''}{name} does not fit its Python type: {listed}"
    )
