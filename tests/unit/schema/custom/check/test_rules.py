from __future__ import annotations

import pytest

from schemas import INTEGER, Schema, obj, said
from windlass.schema.custom.check.rules import rule_faults

BROKEN = "must not contain line breaks"
EMPTY = "must be non-empty if specified"


@pytest.mark.parametrize(
    ("rule", "faults"),
    [
        ({"rule": "self.a > 0", "message": "m", "reason": "FieldValueRequired", "fieldPath": ".a"}, []),
        ({"rule": " "}, ["rule: Required value: rule is not specified"]),
        ({"rule": "", "message": " "}, ["rule: Required value: rule is not specified"]),
        ({"rule": "true", "message": " "}, [f'message: Invalid value: " ": {EMPTY}']),
        ({"rule": "true", "message": "a\rb"}, [f'message: Invalid value: "a\\rb": {BROKEN}']),
        ({"rule": "true", "message": "a\n"}, []),
        (
            {"rule": "true\n&& true"},
            ["message: Required value: message must be specified if rule contains line breaks"],
        ),
        ({"rule": "true\n"}, []),
        (
            {"rule": "true", "messageExpression": " "},
            [f"messageExpression: Required value: messageExpression {EMPTY}"],
        ),
        (
            {"rule": "true", "fieldPath": "\n"},
            [
                f'fieldPath: Invalid value: "\\n": {EMPTY}',
                f'fieldPath: Invalid value: "\\n": {BROKEN}',
                'fieldPath: Invalid value: "\\n": must be a valid path',
            ],
        ),
    ],
)
def test_what_a_rule_must_look_like(rule: Schema, faults: list[str]) -> None:
    schema = obj(a=INTEGER) | {"x-kubernetes-validations": [{"rule": "true"}, rule]}
    at = "at.x-kubernetes-validations[1]."
    assert said(rule_faults(schema, "at")) == [at + fault for fault in faults]
