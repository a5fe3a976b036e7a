"""What this project makes of an expression in CEL, told as the oracle in `tests/oracle/cel` tells it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final

from windlass.schema.cel.check import check
from windlass.schema.cel.cost import KUBERNETES_PRICING, estimate
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.operation import double_text, is_list, runtime_name, timestamp_text
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import EvaluationError, ExpressionError
from windlass.schema.cel.type import Type
from windlass.schema.cel.value import Duration, Optional, Timestamp, Uint

ENVIRONMENT = Environment(libraries=KUBERNETES)


def answer(expression: str) -> dict[str, Any]:
    """The type, the cost and the value of an expression without variables, or what is wrong with it."""
    try:
        checked = check(parse(expression, ENVIRONMENT.macros), ENVIRONMENT)
    except ExpressionError as error:
        return {"error": str(error)}
    cost = estimate(checked)
    told: dict[str, Any] = {"type": str(checked.type), "cost": {"min": cost.min, "max": cost.max}}
    try:
        program = Program(checked, ENVIRONMENT, KUBERNETES_PRICING)
    except EvaluationError as error:
        return {**told, "failure": f"program: {error}"}
    try:
        outcome = program.evaluate({}, limit=1_000_000)
    except EvaluationError as error:
        return {**told, "failure": str(error), "actual": error.cost}
    return {**told, "value": told_value(outcome.value), "actual": outcome.cost}


def told_value(value: Any) -> dict[str, Any]:
    """A value with its type."""
    if isinstance(value, Mapping):
        entries = [[told_value(key), told_value(each)] for key, each in value.items()]
        return {"map": sorted(entries, key=lambda entry: repr(entry[0]))}
    if is_list(value):
        return {"list": list(map(told_value, value))}
    if isinstance(value, Optional):
        return {"optional": told_value(value.value) if value.is_present else None}
    return _told_scalar(value)


def _told_scalar(value: Any) -> dict[str, Any]:
    name, write = _SCALARS.get(type(value)) or (value.cel_type.name, str)
    return {name: write(value)}


_SCALARS: Final[dict[type, tuple[str, Callable[[Any], Any]]]] = {
    type(None): ("null", lambda _value: True),
    bool: ("bool", bool),
    int: ("int", str),
    Uint: ("uint", lambda value: str(int(value))),
    float: ("double", double_text),
    str: ("string", str),
    bytes: ("bytes", lambda value: b64encode(value).decode()),
    Duration: ("duration", lambda value: str(value.nanoseconds)),
    Timestamp: ("timestamp", timestamp_text),
    Type: ("type", runtime_name),
}
