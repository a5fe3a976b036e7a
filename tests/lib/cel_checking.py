"""Expressions whose types are checked, by us and by Kubernetes, and both answers in the same form.

`cel_types.txt` has expressions, each followed by its type, or by the places and the texts of its problems, as
the oracle (`tests/oracle/cel`) told them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windlass.schema.cel import ast
from windlass.schema.cel.check import Checked, check
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import ExpressionError, location
from windlass.schema.cel.structure import declare
from windlass.schema.cel.type import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    list_of,
    map_of,
    object_type,
    optional_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RECORDED = Path(__file__).with_name("cel_types.txt")

VARIABLES: dict[str, Type] = {
    "b": BOOL,
    "i": INT,
    "u": UINT,
    "d": DOUBLE,
    "s": STRING,
    "y": BYTES,
    "n": NULL,
    "t": TIMESTAMP,
    "p": DURATION,
    "any": DYN,
    "q": object_type("kubernetes.Quantity"),
    "li": list_of(INT),
    "ls": list_of(STRING),
    "ld": list_of(DYN),
    "ll": list_of(list_of(INT)),
    "mss": map_of(STRING, STRING),
    "msi": map_of(STRING, INT),
    "mid": map_of(INT, DYN),
    "msd": map_of(STRING, DYN),
    "oi": optional_of(INT),
    "od": optional_of(DYN),
    "ols": optional_of(list_of(STRING)),
    "om": optional_of(map_of(STRING, INT)),
    "a.b": INT,
    "a.b.c": STRING,
}

RULES = ("rule", "root rule", "optional rule")
"""The scopes in which `self` is a value of the schema."""

_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["replicas"],
    "properties": {
        "replicas": {"type": "integer", "format": "int32", "minimum": 0},
        "big": {"type": "integer", "format": "int64"},
        "ratio": {"type": "number"},
        "name": {"type": "string", "maxLength": 63},
        "color": {"type": "string", "enum": ["red", "green"]},
        "enabled": {"type": "boolean"},
        "secret": {"type": "string", "format": "byte"},
        "timeout": {"type": "string", "format": "duration"},
        "since": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date"},
        "port": {"x-kubernetes-int-or-string": True},
        "tags": {"type": "array", "items": _TEXT, "maxItems": 10},
        "matrix": {"type": "array", "items": {"type": "array", "items": _NUMBER}},
        "labels": {"type": "object", "additionalProperties": _TEXT},
        "limits": {"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": True}},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "anything": {"x-kubernetes-preserve-unknown-fields": True},
        "listeners": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": _TEXT,
                    "port": _NUMBER,
                    "tls": {"type": "object", "properties": {"mode": _TEXT}},
                },
            },
        },
        "pools": {
            "type": "object",
            "additionalProperties": {"type": "object", "properties": {"size": _NUMBER}},
        },
        "template": {
            "type": "object",
            "x-kubernetes-embedded-resource": True,
            "properties": {"spec": {"type": "object", "properties": {"image": _TEXT}}},
        },
        "nested": {
            "type": "object",
            "properties": {"deep": {"type": "object", "properties": {"value": _NUMBER}}},
        },
        "namespace": _TEXT,
        "a-b.c/d": _TEXT,
        "x__y": _TEXT,
        "for": _NUMBER,
        "9lives": _NUMBER,
        "ümlaut": _TEXT,
        "_ok": {"type": "boolean"},
        "$ref": _TEXT,
    },
}


@dataclass(frozen=True, slots=True)
class Case:
    """An expression in a scope: `variables`, or one of `RULES`."""

    scope: str
    expression: str

    @property
    def question(self) -> dict[str, Any]:
        """The question for the oracle."""
        if self.scope == "variables":
            return {"expression": self.expression, "variables": {n: _told(t) for n, t in VARIABLES.items()}}
        return {
            "expression": self.expression,
            "schema": SCHEMA,
            "root": self.scope == "root rule",
            "optionalOldSelf": self.scope == "optional rule",
        }

    @property
    def answer(self) -> dict[str, Any]:
        """What we say to it, in the form of the oracle."""
        try:
            checked = self.check()
        except ExpressionError as error:
            return {"error": str(error)}
        return {"type": str(checked.type), "nodes": [_node(checked, each) for each in _nodes(checked)]}

    def check(self) -> Checked:
        """Check the expression in its scope."""
        environment = _environment(self.scope)
        return check(parse(self.expression, environment.macros), environment)

    def lines(self) -> list[str]:
        """Its type, or where the problems are and what they are."""
        try:
            return [str(self.check().type)]
        except ExpressionError as error:
            places = (location(self.expression, problem.offset) for problem in error.problems)
            told = zip(places, error.problems, strict=True)
            return [normal(f"{line}:{column + 1} {each.message}") for (line, column), each in told]


def recorded() -> Iterator[tuple[Case, list[str]]]:
    """The cases with what was recorded of them."""
    scope, found = "", []
    case: Case | None = None
    for line in [*RECORDED.read_text(encoding="utf-8").splitlines(), "#"]:
        if line.startswith("  "):
            found.append(line[2:])
            continue
        if case is not None:
            yield case, found
        case, found = None, []
        if line.startswith("# "):
            scope = line[2:]
        elif line not in ("", "#"):
            case = Case(scope, line)


def lines_of(answer: dict[str, Any]) -> list[str]:
    """What is recorded of an answer of the oracle."""
    if "error" not in answer:
        return [answer["type"]]
    return [f"{place} {normal(text)}" for place, text in _ERROR.findall(answer["error"])]


def normal(text: str) -> str:
    """A text without the numbers of open types, which Go gives out in no fixed order."""
    return _OPEN.sub("_var", text)


_OPEN = re.compile(r"_var\d+")
_ERROR = re.compile(r"^ERROR: <input>:(-?\d+:\d+): (.*)$", re.MULTILINE)
_KINDS = {
    ast.Call: "call",
    ast.Comprehension: "comprehension",
    ast.Identifier: "identifier",
    ast.ListLiteral: "list",
    ast.Literal: "literal",
    ast.MapLiteral: "map",
    ast.ObjectLiteral: "object",
    ast.Select: "select",
}


def _told(type_: Type) -> str:
    return "quantity" if type_.name == "kubernetes.Quantity" else str(type_)


@cache
def _environment(scope: str) -> Environment:
    base = Environment(libraries=KUBERNETES)
    if scope == "variables":
        return base.extended(VARIABLES)
    declared = declare(SCHEMA, root=scope == "root rule")
    assert declared is not None
    scoped = declared.scoped()
    old = optional_of(scoped.type) if scope == "optional rule" else scoped.type
    return base.extended({"self": scoped.type, "oldSelf": old}, scoped.objects)


def _nodes(checked: Checked) -> Iterable[ast.Expression]:
    return ast.walk(checked.tree.root)


def _node(checked: Checked, node: ast.Expression) -> dict[str, Any]:
    told: dict[str, Any] = {
        "offset": node.offset,
        "kind": _KINDS[type(node)],
        "type": str(checked.types[node.id]),
    }
    reference = checked.references.get(node.id)
    if reference is not None and reference.name:
        told["name"] = reference.name
    if reference is not None and reference.overloads:
        told["overloads"] = list(reference.overloads)
    return told
