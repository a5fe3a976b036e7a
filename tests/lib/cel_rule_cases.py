"""Rules, objects, and what Kubernetes says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from schemas import (
    EMBEDDED,
    INT_OR_STRING,
    INTEGER,
    NUMBER,
    PRESERVE,
    STRING,
    Schema,
    array,
    map_by,
    mapping,
    obj,
)
from windlass.schema.cel.rule import CelEngine
from windlass.schema.custom.judge import Link
from windlass.schema.shape import Shape

MUCH: Final = 10_000_000
_SPENT: Final = "failed due to running out of cost budget, no further validation rules will be run"
_DEAR: Final = "self.all(x, self.all(y, x + y >= 0))"
_TOO_DEAR: Final = "no further validation rules will be run due to call cost exceeds limit for"
_MISFIT: Final = "'no such overload': call arguments did not match a supported operator, function or macro signature for rule"
_MANY: Final = list(range(600))


def rules(*written: str | Schema) -> Schema:
    """What gives a schema rules."""
    return {
        "x-kubernetes-validations": [{"rule": rule} if isinstance(rule, str) else rule for rule in written]
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A value at `root`, what it was before, what its rules may cost, and what is said of it."""

    name: str
    schema: Schema
    value: Any
    old: Any = None
    budget: int = MUCH
    faults: tuple[str, ...] = ()

    @property
    def question(self) -> dict[str, Any]:
        """How the oracle is asked about it."""
        asked = {"validate": True, "schema": self.schema, "self": self.value, "limit": self.budget}
        return asked if self.old is None else {**asked, "oldSelf": self.old}

    def found(self) -> list[str]:
        """What we say of it."""
        rules = CelEngine(self.budget).compile(self.schema, resource=False)
        if rules is None:
            return []
        link = None if self.old is None else Link(self.value, self.old, Shape(self.schema))
        return [str(fault) for fault in rules.faults(self.value, self.old, link, "root")]


_POSITIVE: Final = INTEGER | rules("self > 0")

CASES: Final = (
    Case(
        name="budget-spent-by-other-items",
        schema=array(_POSITIVE),
        value=[0, 1, 1],
        budget=5,
        faults=(
            "root[0]: Invalid value: 0: failed rule: self > 0",
            f'root[2]: Invalid value: "integer": validation {_SPENT}',
        ),
    ),
    Case(name="budget-that-just-suffices", schema=array(_POSITIVE), value=[1, 1], budget=4),
    Case(
        name="budget-spent-before-the-next",
        schema=array(_POSITIVE),
        value=[1, 1, 1],
        budget=4,
        faults=(f'root[2]: Invalid value: "integer": validation {_SPENT}',),
    ),
    Case(
        name="budget-spent-by-a-message",
        schema=INTEGER | rules({"rule": "self > 0", "messageExpression": "'a' + string(self)"}, "self > 1"),
        value=0,
        budget=4,
        faults=(f'root: Invalid value: "integer": messageExpression evaluation {_SPENT}',),
    ),
    Case(
        name="one-call-too-dear",
        schema=array(INTEGER) | rules(_DEAR, "false"),
        value=_MANY,
        faults=(
            (
                f"root: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': {_TOO_DEAR} "
                f"rule: {_DEAR}"
            ),
        ),
    ),
    Case(
        name="one-message-too-dear",
        schema=array(INTEGER) | rules({"rule": "false", "messageExpression": f"string({_DEAR})"}, "false"),
        value=_MANY,
        faults=(f'root: Invalid value: "array": {_TOO_DEAR} messageExpression: "string({_DEAR})"',),
    ),
    Case(
        name="message-of-two-lines",
        schema=INTEGER | rules({"rule": "self > 0", "messageExpression": "'a\\nb'"}),
        value=0,
        faults=("root: Invalid value: 0: failed rule: self > 0",),
    ),
    Case(
        name="message-with-spaces-around",
        schema=INTEGER | rules({"rule": "self > 0", "messageExpression": "'  a '"}),
        value=0,
        faults=("root: Invalid value: 0: a",),
    ),
    Case(
        name="longest-message",
        schema=STRING | rules({"rule": "false", "messageExpression": "self", "message": "short"}),
        value="é" * 2560,
        faults=(f'root: Invalid value: "{"é" * 2560}": {"é" * 2560}',),
    ),
    Case(
        name="message-too-long",
        schema=STRING | rules({"rule": "false", "messageExpression": "self", "message": "short"}),
        value="é" * 2561,
        faults=(f'root: Invalid value: "{"é" * 2561}": short',),
    ),
    Case(
        name="message-about-the-old-value-of-a-rule-that-is-not",
        schema=INTEGER | rules({"rule": "self > 0", "messageExpression": "'was ' + string(oldSelf)"}),
        value=0,
        old=1,
        faults=("root: Invalid value: 0: failed rule: self > 0",),
    ),
    Case(
        name="message-about-the-old-value",
        schema=INTEGER | rules({"rule": "self > oldSelf", "messageExpression": "'was ' + string(oldSelf)"}),
        value=0,
        old=1,
        faults=("root: Invalid value: 0: was 1",),
    ),
    Case(
        name="types-that-only-values-tell",
        schema=INT_OR_STRING | rules("self > 0"),
        value="a",
        faults=(f'root: Invalid value: "": {_MISFIT}: self > 0',),
    ),
    Case(
        name="int-or-string",
        schema=INT_OR_STRING | rules("self > 0"),
        value=-1,
        faults=("root: Invalid value: -1: failed rule: self > 0",),
    ),
    Case(
        name="number",
        schema=NUMBER | rules("self > 0.5"),
        value=0.25,
        faults=("root: Invalid value: 0.25: failed rule: self > 0.5",),
    ),
    Case(
        name="names-that-cannot-be-escaped",
        schema=obj(**{"1a": _POSITIVE, "a b": obj(x=INTEGER) | rules("self.x > 0")}),
        value={"1a": 0, "a b": {"x": 0}},
        faults=(
            "root.1a: Invalid value: 0: failed rule: self > 0",
            "root.a b: Invalid value: failed rule: self.x > 0",
        ),
    ),
    Case(
        name="embedded-object",
        schema=obj(e={"type": "object"} | EMBEDDED | PRESERVE | rules("self.metadata.name == self.kind")),
        value={"e": {"apiVersion": "v1", "kind": "b", "metadata": {"name": "a", "labels": {}}}},
        faults=("root.e: Invalid value: failed rule: self.metadata.name == self.kind",),
    ),
    Case(
        name="below-an-object-that-keeps-unknown-fields",
        schema=obj(a=obj(b=_POSITIVE) | PRESERVE),
        value={"a": {"b": 0, "c": 1}},
        faults=("root.a.b: Invalid value: 0: failed rule: self > 0",),
    ),
    Case(
        name="below-what-has-no-type",
        schema=obj(u=PRESERVE | {"properties": {"b": _POSITIVE}}),
        value={"u": {"b": 0}},
    ),
    Case(
        name="null-is-absent",
        schema=obj(n=INTEGER | {"nullable": True} | rules("false")) | rules("has(self.n)"),
        value={"n": None},
        faults=("root: Invalid value: failed rule: has(self.n)",),
    ),
    Case(
        name="rule-that-does-not-compile",
        schema=obj(a=INTEGER) | rules("self.b", "has(self.a)"),
        value={},
        faults=(
            (
                'root: Invalid value: "object": rule compile error: compilation failed: ERROR: <input>:1:5: undefined '
                "field 'b'\n | self.b\n | ....^"
            ),
            "root: Invalid value: failed rule: has(self.a)",
        ),
    ),
    Case(name="unchanged", schema=obj(a=_POSITIVE, b=INTEGER), value={"a": 0, "b": 1}, old={"a": 0, "b": 2}),
    Case(
        name="unchanged-but-about-the-change",
        schema=INTEGER | rules("self != oldSelf"),
        value=1,
        old=1,
        faults=("root: Invalid value: 1: failed rule: self != oldSelf",),
    ),
    Case(
        name="unchanged-but-cannot-be-evaluated",
        schema=INTEGER | rules("1 / self > 0"),
        value=0,
        old=0,
        faults=('root: Invalid value: "integer": division by zero evaluating rule: 1 / self > 0',),
    ),
    Case(
        name="items-of-a-changed-list-without-keys",
        schema=array(_POSITIVE),
        value=[0, 1],
        old=[0],
        faults=("root[0]: Invalid value: 0: failed rule: self > 0",),
    ),
    Case(name="items-of-an-unchanged-list", schema=array(_POSITIVE), value=[0, 1], old=[0, 1]),
    Case(
        name="items-that-moved",
        schema=array(obj(k=STRING, v=_POSITIVE)) | map_by("k"),
        value=[{"k": "b", "v": 0}, {"k": "a", "v": 0}],
        old=[{"k": "a", "v": 0}, {"k": "b", "v": 1}],
        faults=("root[0].v: Invalid value: 0: failed rule: self > 0",),
    ),
    Case(
        name="old-value-of-a-key",
        schema=mapping(INTEGER | rules("self > oldSelf")),
        value={"a": 1, "b": 0},
        old={"a": 1},
        faults=("root[a]: Invalid value: 1: failed rule: self > oldSelf",),
    ),
    Case(
        name="optional-old-value-of-a-new-key",
        schema=mapping(INTEGER | rules({"rule": "self > oldSelf.orValue(0)", "optionalOldSelf": True})),
        value={"a": 1, "b": 0},
        old={"a": 0},
        faults=("root[b]: Invalid value: 0: failed rule: self > oldSelf.orValue(0)",),
    ),
    Case(
        name="old-value-of-another-type",
        schema=INTEGER | rules("self > 0", "self > oldSelf", "self == 0 || self > oldSelf"),
        value=0,
        old="a",
        faults=(
            "root: Invalid value: 0: failed rule: self > 0",
            'root: Invalid value: "integer": invalid data, expected int, got string evaluating rule: self > oldSelf',
        ),
    ),
    Case(
        name="old-map-that-is-a-list",
        schema=mapping(INTEGER) | rules("self == oldSelf", "self.size() == 0"),
        value={"a": 1},
        old=[1],
        faults=(
            (
                'root: Invalid value: "object": invalid data, expected a map for the provided schema with type=object '
                "evaluating rule: self == oldSelf"
            ),
            "root: Invalid value: failed rule: self.size() == 0",
        ),
    ),
    Case(
        name="value-that-is-not-of-its-format",
        schema=STRING | {"format": "duration"} | rules("true", "self > duration('1s')"),
        value="x",
        faults=(
            (
                'root: Invalid value: "string": Invalid duration x: unable to parse x as duration evaluating rule: '
                "self > duration('1s')"
            ),
        ),
    ),
    Case(
        name="duplicate-of-an-object",
        schema=obj(a=INTEGER) | rules({"rule": "false", "reason": "FieldValueDuplicate", "fieldPath": ".a"}),
        value={},
        faults=("root.a: Duplicate value",),
    ),
)
