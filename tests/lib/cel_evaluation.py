"""Expressions with their values and costs, ours and those that Kubernetes gave.

`cel_values.txt` has expressions that speak of nothing, `cel_adapted.txt` such that speak of the objects in
`cel_object.json`: each followed by its value as JSON, or by `!` and its error, and by what it cost, which an
expression without a program does not. The oracle (`tests/oracle/cel`) told them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cel_answer import told_value
from windlass.schema.cel.adapt import adapter
from windlass.schema.cel.check import check
from windlass.schema.cel.cost import KUBERNETES_PRICING
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.structure import declare

if TYPE_CHECKING:
    from collections.abc import Mapping

COST_EXCEEDED = "operation cancelled: actual cost limit exceeded"
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Subject:
    """What `self` and `oldSelf` are."""

    schema: Mapping[str, Any]
    self: Any
    old: Any

    @property
    def question(self) -> dict[str, Any]:
        """What the oracle wants to know about it."""
        return {"schema": self.schema, "self": self.self, "oldSelf": self.old}

    @cached_property
    def environment(self) -> Environment:
        """What expressions may say."""
        declared = declare(self.schema)
        assert declared is not None
        scoped = declared.scoped()
        return PLAIN.extended({"self": scoped.type, "oldSelf": scoped.type}, scoped.objects)

    @cached_property
    def variables(self) -> dict[str, Any]:
        """What expressions speak of."""
        adapt = adapter(self.schema)
        return {"self": adapt(self.self), "oldSelf": adapt(self.old)}


PLAIN = Environment(libraries=KUBERNETES)


@cache
def subject() -> Subject:
    """The object of `cel_adapted.txt`."""
    return Subject(**json.loads((_HERE / "cel_object.json").read_text()))


@cache
def recorded(name: str) -> dict[str, str]:
    """What Kubernetes said, by expression."""
    lines = (_HERE / name).read_text().splitlines()
    kept = [line for line in lines if line and not line.startswith("#")]
    return dict(zip(kept[::2], map(str.strip, kept[1::2]), strict=True))


def program(expression: str, environment: Environment = PLAIN) -> Program:
    """An expression that is right."""
    return Program(check(parse(expression, environment.macros), environment), environment, KUBERNETES_PRICING)


def ours(expression: str, about: Subject | None = None, limit: int | None = None) -> str:
    """What we say, as it is recorded."""
    environment = PLAIN if about is None else about.environment
    try:
        made = program(expression, environment)
    except EvaluationError as error:
        return line({"failure": f"program: {error}"})
    try:
        outcome = made.evaluate({} if about is None else about.variables, limit)
    except EvaluationError as error:
        return line({"failure": str(error), "actual": error.cost})
    return line({"value": told_value(outcome.value), "actual": outcome.cost})


def line(answer: Mapping[str, Any]) -> str:
    """An answer of the oracle, as it is recorded; by how much a limit was exceeded does not matter."""
    if answer.get("failure") == COST_EXCEEDED:
        return f"! {COST_EXCEEDED}"
    said = (
        f"! {answer['failure']}" if "failure" in answer else json.dumps(answer["value"], ensure_ascii=False)
    )
    return f"{said} {answer['actual']}" if "actual" in answer else said
