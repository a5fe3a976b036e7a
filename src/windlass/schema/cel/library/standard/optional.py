"""Values that may be absent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Function, Library, Overload
from windlass.schema.cel.operation import is_number, shown
from windlass.schema.cel.parse import OPTIONAL_MACROS
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import BOOL, DYN, INT, STRING, list_of, map_of, opaque, optional_of, parameter
from windlass.schema.cel.value import NONE, Duration, Optional, Timestamp

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value

_K: Final = parameter("K")
_V: Final = parameter("V")
_MAYBE: Final = optional_of(_V)
_LIST: Final = list_of(_V)
_MAP: Final = map_of(_K, _V)
_ZERO_TIME: Final = -62_135_596_800 * 10**9


def _of_non_zero(value: Value) -> Optional:
    return NONE if _is_zero(value) else Optional(value)


def _is_zero(value: Value) -> bool:
    if value is None or value is False:
        return True
    if is_number(value):
        return bool(value == 0)
    if isinstance(value, Duration):
        return value.nanoseconds == 0
    if isinstance(value, Timestamp):
        return value.nanoseconds == _ZERO_TIME
    # A value that a schema has typed does not know whether it is empty.
    own = hasattr(value, "equals")
    return isinstance(value, (str, bytes, Mapping, Sequence)) and not own and len(value) == 0


def _value(optional: Optional) -> Value:
    if optional.is_present:
        return optional.value
    raise EvaluationError("optional.none() dereference")


def _first(values: Sequence[Value]) -> Optional:
    return Optional(values[0]) if len(values) else NONE


def _last(values: Sequence[Value]) -> Optional:
    return Optional(values[-1]) if len(values) else NONE


def _unwrap(values: Sequence[Value]) -> list[Value]:
    found = []
    for each in values:
        if not isinstance(each, Optional):
            raise EvaluationError(f"value {shown(each)} is not optional")
        if each.is_present:
            found.append(each.value)
    return found


OPTIONAL: Final = Library(
    "optional",
    (
        Function("optional.of", (Overload("optional_of", (_V,), _MAYBE, Optional),)),
        Function(
            "optional.ofNonZeroValue", (Overload("optional_ofNonZeroValue", (_V,), _MAYBE, _of_non_zero),)
        ),
        Function("optional.none", (Overload("optional_none", (), _MAYBE, lambda: NONE),)),
        Function("value", (Overload("optional_value", (_MAYBE,), _V, _value, member=True),)),
        Function(
            "hasValue",
            (Overload("optional_hasValue", (_MAYBE,), BOOL, lambda value: value.is_present, member=True),),
        ),
        Function("or", (Overload("optional_or_optional", (_MAYBE, _MAYBE), _MAYBE, None, member=True),)),
        Function("orValue", (Overload("optional_orValue_value", (_MAYBE, _V), _V, None, member=True),)),
        Function("_?._", (Overload("select_optional_field", (DYN, STRING), _MAYBE, None),)),
        Function(
            "_[?_]",
            (
                Overload("list_optindex_optional_int", (_LIST, INT), _MAYBE, None),
                Overload("optional_list_optindex_optional_int", (optional_of(_LIST), INT), _MAYBE, None),
                Overload("map_optindex_optional_value", (_MAP, _K), _MAYBE, None),
                Overload("optional_map_optindex_optional_value", (optional_of(_MAP), _K), _MAYBE, None),
            ),
        ),
        Function(
            "_[_]",
            (
                Overload("optional_list_index_int", (optional_of(_LIST), INT), _MAYBE, None),
                Overload("optional_map_index_value", (optional_of(_MAP), _K), _MAYBE, None),
            ),
        ),
        Function("last", (Overload("list_last", (_LIST,), _MAYBE, _last, member=True),)),
        Function("first", (Overload("list_first", (_LIST,), _MAYBE, _first, member=True),)),
        Function("optional.unwrap", (Overload("optional_unwrap", (list_of(_MAYBE),), _LIST, _unwrap),)),
        Function(
            "unwrapOpt", (Overload("optional_unwrapOpt", (list_of(_MAYBE),), _LIST, _unwrap, member=True),)
        ),
    ),
    OPTIONAL_MACROS,
    types={"optional_type": opaque("optional_type")},
)
"""The functions and macros of optionals."""
