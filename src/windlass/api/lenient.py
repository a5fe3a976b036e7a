"""Reading objects that do not fit their type exactly, as Go would: null is absent, absent is zero."""

from __future__ import annotations

from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from windlass.errors import UndecodableError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api.model import Model

    Path = Sequence[int | str]

M = TypeVar("M", bound="Model")

_ZEROS: Mapping[Any, Any] = {str: "", int: 0, float: 0.0, bool: False, bytes: "", list: [], set: [], dict: {}}
_ROUNDS = 16  # each round repairs one more level of nesting


def decode(cls: type[M], data: Mapping[str, Any], error: ValidationError) -> M:
    """Repair what Go would repair, and read again.

    Raises:
        UndecodableError: something is wrong that no zero value can mend.
    """
    repaired = _without_nulls(data)
    filled: list[Path] = []
    for _ in range(_ROUNDS):
        try:
            decoded = cls.model_validate(repaired, by_alias=True, by_name=False)
        except ValidationError as found:
            missing = [fault["loc"] for fault in found.errors() if fault["type"] == "missing"]
            if len(missing) < found.error_count() or not all(_fill(cls, repaired, path) for path in missing):
                raise _undecodable(cls, data, found) from error
            filled += missing
        else:
            for path in filled:
                _mark_unset(decoded, path)
            return decoded
    raise _undecodable(cls, data, error) from error


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _fill(cls: type[Model], data: Any, path: Path) -> bool:
    """Put the zero value of its type at `path`; False where the type has none."""
    annotation: Any = cls
    for step in path:
        annotation = _step(annotation, step)
    for step in path[:-1]:
        data = data[step]
    bare = _bare(annotation)
    if isinstance(bare, type) and issubclass(bare, BaseModel):
        data[path[-1]] = {}
    elif (origin := get_origin(bare) or bare) in _ZEROS:
        zero = _ZEROS[origin]
        data[path[-1]] = zero.copy() if isinstance(zero, (list, dict)) else zero
    else:
        return False
    return True


def _step(annotation: Any, step: int | str) -> Any:
    """The type found one step further down a path: a field, an item of a list, a value of a map."""
    bare = _bare(annotation)
    if isinstance(bare, type) and issubclass(bare, BaseModel):
        return next(info.annotation for info in bare.model_fields.values() if info.alias == step)
    return get_args(bare)[-1]


def _bare(annotation: Any) -> Any:
    """A type without `Annotated` and without `| None`."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        options = [option for option in get_args(annotation) if option is not type(None)]
        return _bare(options[0]) if len(options) == 1 else annotation
    return annotation


def _mark_unset(decoded: Any, path: Path) -> None:
    """What was filled in was not said by anyone, so it is not written back."""
    for step in path[:-1]:
        decoded = getattr(decoded, _name(decoded, step)) if isinstance(decoded, BaseModel) else decoded[step]
    decoded.model_fields_set.discard(_name(decoded, path[-1]))


def _name(model: BaseModel, wire: int | str) -> str:
    return next(name for name, info in type(model).model_fields.items() if info.alias == wire)


def _undecodable(cls: type[Model], data: Mapping[str, Any], error: ValidationError) -> UndecodableError:
    metadata = data.get("metadata") or {}
    name = "/".join(part for part in (metadata.get("namespace"), metadata.get("name")) if part)
    faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
    return UndecodableError(
        f"{cls.__name__}{' ' if name else ''}{name} does not fit its Python type: {faults}"
    )
