"""What this project makes of an expression in CEL, told as the oracle in `tests/oracle/cel` tells it.

`cel_library.json` has expressions by their topics, each with what the oracle answers; some topics have a
schema and a value of `self`. `scripts/record_cel.py` writes the answers.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from windlass.schema.cel.adapt import adapted
from windlass.schema.cel.check import Checked, check
from windlass.schema.cel.cost import KUBERNETES_PRICING, Range, estimate
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.operation import double_text, is_list, runtime_name, timestamp_text
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import EvaluationError, ExpressionError
from windlass.schema.cel.structure import declare
from windlass.schema.cel.type import Type
from windlass.schema.cel.value import Duration, Timestamp, Uint
from windlass.schema.cel.value import Optional as OptionalValue

RECORDED: Final = Path(__file__).with_name("cel_library.json")
LIMIT: Final = 1_000_000
_BASE: Final = Environment(libraries=KUBERNETES)


def recorded() -> dict[str, dict[str, Any]]:
    """What the oracle answered: by topic, the schema and the value, if any, and the answers by expression."""
    topics: dict[str, dict[str, Any]] = orjson.loads(RECORDED.read_bytes())
    return topics


def questions(topic: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What to ask for each expression of a topic."""
    return [
        {"expression": expression, **{name: value for name, value in topic.items() if name != "cases"}}
        for expression in topic["cases"]
    ]


def comparable(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of the oracle without what the checker found of each node."""
    return {name: value for name, value in answer.items() if name != "nodes"}


class Subject:
    """What expressions speak of: nothing, or `self` and `oldSelf`, both of one schema and value."""

    def __init__(self, schema: Any = None, value: Any = None) -> None:
        self._declared = declare(schema) if schema else None
        self._environment = _BASE
        self._variables: dict[str, Any] = {}
        if self._declared is not None:
            scoped = self._declared.scoped()
            self._environment = _BASE.extended({"self": scoped.type, "oldSelf": scoped.type}, scoped.objects)
            self._variables = dict.fromkeys(("self", "oldSelf"), adapted(value, schema))

    def answer(self, expression: str) -> dict[str, Any]:
        """The type, the cost and the value of an expression, or what is wrong with it."""
        try:
            checked = check(parse(expression, self._environment.macros), self._environment)
        except ExpressionError as error:
            return {"error": str(error)}
        cost = estimate(checked, self._size)
        told = {"type": str(checked.type), "cost": {"min": cost.min, "max": cost.max}}
        return {**told, **self._evaluated(checked)}

    def _evaluated(self, checked: Checked) -> dict[str, Any]:
        try:
            program = Program(checked, self._environment, KUBERNETES_PRICING)
        except EvaluationError as error:
            return {"failure": f"program: {error}"}
        try:
            outcome = program.evaluate(self._variables, LIMIT)
        except EvaluationError as error:
            return {"failure": str(error), "actual": error.cost}
        return {"value": told_value(outcome.value), "actual": outcome.cost}

    def _size(self, path: tuple[str, ...]) -> Range | None:
        most = self._declared.size(path[1:]) if self._declared else None
        return None if most is None else Range(0, most)


def told_value(value: Any) -> dict[str, Any]:
    """A value with its type."""
    if isinstance(value, Mapping):
        entries = [[told_value(key), told_value(each)] for key, each in value.items()]
        return {"map": sorted(entries, key=lambda entry: orjson.dumps(entry[0]))}
    if is_list(value):
        return {"list": list(map(told_value, value))}
    if isinstance(value, OptionalValue):
        return {"optional": told_value(value.value) if value.is_present else None}
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
    Timestamp: ("timestamp", lambda value: timestamp_text(Timestamp(value.nanoseconds))),
    Type: ("type", runtime_name),
}
