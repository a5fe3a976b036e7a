"""Macros with two variables, an index or a key and the value there: `self.all(key, value, value > 0)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Library, Macro
from windlass.schema.cel.library.signature import function, plain
from windlass.schema.cel.operation import find, shown
from windlass.schema.cel.parse import Fold, collected, existential, singular, universal, variable
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import map_of, parameter
from windlass.schema.cel.value import ABSENT, GrowingMap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.ast import Call, Expression
    from windlass.schema.cel.parse import Expander
    from windlass.schema.cel.value import Value

_K: Final = parameter("K")
_V: Final = parameter("V")
_MAP: Final = map_of(_K, _V)


def _insert(known: Mapping[Value, Value], key: Value, value: Value) -> Mapping[Value, Value]:
    if find(known, key) is not ABSENT:
        raise EvaluationError(f"insert failed: key {shown(key)} already exists")
    if isinstance(known, GrowingMap):
        known[key] = value
        return known
    return {**known, key: value}


def _merge(known: Mapping[Value, Value], more: Mapping[Value, Value]) -> Mapping[Value, Value]:
    for key in more:
        known = _insert(known, key, more[key])
    return known


def _loop(expander: Expander, call: Call, fold: Fold) -> Expression:
    first, second = call.arguments[:2]
    names = variable(expander, first), variable(expander, second)
    if names[0] == names[1]:
        raise expander.error(second, f"duplicate variable name: {names[0]}")
    if call.target is None:
        raise AssertionError(f"{call.function} is a macro of members only")
    return expander.loop(call.target, names, fold)


def _all(expander: Expander, call: Call) -> Expression:
    return _loop(expander, call, universal(expander, call.arguments[2]))


def _exists(expander: Expander, call: Call) -> Expression:
    return _loop(expander, call, existential(expander, call.arguments[2]))


def _exists_one(expander: Expander, call: Call) -> Expression:
    return _loop(expander, call, singular(expander, call.arguments[2]))


def _transform_list(expander: Expander, call: Call) -> Expression:
    *predicate, element = call.arguments[2:]
    return _loop(expander, call, collected(expander, element, predicate[0] if predicate else None))


def _transform_map(expander: Expander, call: Call) -> Expression:
    *predicate, value = call.arguments[2:]
    key = expander.identifier(variable(expander, call.arguments[0]))
    return _loop(expander, call, _mapped(expander, (key, value), predicate))


def _transform_entry(expander: Expander, call: Call) -> Expression:
    *predicate, entry = call.arguments[2:]
    return _loop(expander, call, _mapped(expander, (entry,), predicate))


def _mapped(expander: Expander, inserted: tuple[Expression, ...], predicate: list[Expression]) -> Fold:
    """The map of what is inserted for each, or for each that a predicate holds of."""
    step: Expression = expander.call("cel.@mapInsert", expander.accumulator(), *inserted)
    if predicate:
        step = expander.call("_?_:_", predicate[0], step, expander.accumulator())
    return Fold(
        start=expander.empty_map(),
        condition=expander.literal(True),  # noqa: FBT003 - the constant `true`
        step=step,
        result=expander.accumulator(),
    )


COMPREHENSIONS: Final = Library(
    "cel.lib.ext.comprev2",
    (
        function(
            "cel.@mapInsert",
            plain("@mapInsert_map_key_value", (_MAP, _K, _V), _MAP, _insert),
            plain("@mapInsert_map_map", (_MAP, _MAP), _MAP, _merge),
        ),
    ),
    (
        Macro("all", 3, member=True, expand=_all),
        Macro("exists", 3, member=True, expand=_exists),
        Macro("existsOne", 3, member=True, expand=_exists_one),
        Macro("exists_one", 3, member=True, expand=_exists_one),
        Macro("transformList", 3, member=True, expand=_transform_list),
        Macro("transformList", 4, member=True, expand=_transform_list),
        Macro("transformMap", 3, member=True, expand=_transform_map),
        Macro("transformMap", 4, member=True, expand=_transform_map),
        Macro("transformMapEntry", 3, member=True, expand=_transform_entry),
        Macro("transformMapEntry", 4, member=True, expand=_transform_entry),
    ),
)
