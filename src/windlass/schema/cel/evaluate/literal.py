"""Lists, maps and objects that an expression spells out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.cel.evaluate.price import LIST, MAP, OBJECT
from windlass.schema.cel.operation import KEYS, go_type, shown
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import object_type
from windlass.schema.cel.value import Optional

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.cel.evaluate.frame import Code, Frame
    from windlass.schema.cel.value import Value


def list_code(elements: Sequence[Code], optional: frozenset[int]) -> Code:
    """Code that makes a list."""
    codes = tuple(elements)
    if optional:
        return _sparse_list(codes, optional)
    if len(codes) == 1:
        only = codes[0]

        def single(frame: Frame) -> list[Value]:
            frame.cost += LIST
            return [only(frame)]

        return single

    def run(frame: Frame) -> list[Value]:
        frame.cost += LIST
        return [code(frame) for code in codes]

    return run


def _sparse_list(codes: tuple[Code, ...], optional: frozenset[int]) -> Code:
    def run(frame: Frame) -> list[Value]:
        frame.cost += LIST
        made = []
        for place, code in enumerate(codes):
            value = code(frame)
            if place in optional:
                if not isinstance(value, Optional):
                    raise EvaluationError(
                        f"cannot initialize optional list element from non-optional value {shown(value)}"
                    )
                if not value.is_present:
                    continue
                value = value.value
            made.append(value)
        return made

    return run


def map_code(entries: Sequence[tuple[Code, Code, bool]]) -> Code:
    """Code that makes a map of keys, values, and whether they may be absent."""
    codes = tuple(entries)

    def run(frame: Frame) -> dict[Any, Value]:
        frame.cost += MAP
        made: dict[Any, Value] = {}
        for key_code, code, optional in codes:
            key = key_code(frame)
            if type(key) not in KEYS:
                raise EvaluationError(f"unsupported key type: {go_type(key)}")
            _enter(made, key, code(frame), optional=optional)
        return made

    return run


def object_code(name: str, fields: Sequence[tuple[str, Code, bool]], *, known: bool) -> Code:
    """Code that makes an object of names, values, and whether they may be absent.

    An object whose type is not `known` at run time cannot be made, which is found when its fields are.
    """
    codes = tuple(fields)

    def run(frame: Frame) -> dict[str, Value]:
        frame.cost += OBJECT
        made: dict[str, Value] = {}
        for field, code, optional in codes:
            _enter(made, field, code(frame), optional=optional)
        if not known:
            raise EvaluationError(f"unknown type '{name}'")
        return Instance(name, made)

    return run


def _enter(made: dict[Any, Value], key: Value, value: Value, *, optional: bool) -> None:
    if optional:
        if not isinstance(value, Optional):
            raise EvaluationError(
                f"cannot initialize optional entry '{shown(key)}' from non-optional value {shown(value)}"
            )
        if not value.is_present:
            made.pop(key, None)
            return
        value = value.value
    made[key] = value


class Instance(dict[str, Any]):
    """An object of a named type, with the fields that were set."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self.cel_type = object_type(name)
