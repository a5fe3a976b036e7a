"""What the macros that make maps are expanded to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.signature import function, plain
from windlass.schema.cel.library.text import shown
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import map_of, parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.value import Value

_K: Final = parameter("K")
_V: Final = parameter("V")
_MAP: Final = map_of(_K, _V)


def _insert(known: Mapping[Value, Value], key: Value, value: Value) -> Mapping[Value, Value]:
    if key in known:
        raise EvaluationError(f"insert failed: key {shown(key)} already exists")
    return {**known, key: value}


def _merge(known: Mapping[Value, Value], more: Mapping[Value, Value]) -> Mapping[Value, Value]:
    for key in more:
        known = _insert(known, key, more[key])
    return known


MAPS: Final = Library(
    "cel.lib.ext.comprev2",
    (
        function(
            "cel.@mapInsert",
            plain("@mapInsert_map_key_value", (_MAP, _K, _V), _MAP, _insert),
            plain("@mapInsert_map_map", (_MAP, _MAP), _MAP, _merge),
        ),
    ),
)
