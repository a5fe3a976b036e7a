from __future__ import annotations

import pytest

from schemas import INT_OR_STRING, INTEGER, NUMBER, Schema, judged
from windlass.schema.custom.judge.number import is_whole

TYPE = 'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"'
CHECKED = '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f'


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (1.0, True),
        (-3.0, True),
        (0.0, True),
        (1.5, False),
        (0.1, False),
        (-0.1, False),
        (1.0000000000001, True),
        (0.9999999999999, False),
        (-1.0000000000001, False),
        (2.0**53, False),
        (2.0**53 - 1, True),
        (float("inf"), False),
    ],
)
def test_some_doubles_pass_for_integers(value: float, *, whole: bool) -> None:
    assert is_whole(value) is whole


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        (2**63 - 1, []),
        (-(2**63), []),
        (2**63, [TYPE, CHECKED]),
        (1.5, [TYPE, CHECKED]),
        (1e19, [TYPE, CHECKED]),
        (-(2.0**63), [TYPE, CHECKED]),
        (2.0**62, [TYPE]),
        (1e16, [TYPE]),
        (1.0000000000001, [CHECKED]),
    ],
)
def test_an_integer_has_64_bits_and_no_fraction(value: float, faults: list[str]) -> None:
    assert judged(INTEGER, value) == faults


def limit(value: str, text: str) -> str:
    return f"spec.f: Invalid value: {value}: spec.f in body should be {text}"


def general(text: str) -> str:
    return f'<nil>: Invalid value: "": {text} in spec.f'


@pytest.mark.parametrize(
    ("schema", "value", "faults"),
    [
        (INTEGER | {"minimum": 3}, 3, []),
        (INTEGER | {"minimum": 3}, 2, [limit("2", "greater than or equal to 3")]),
        (INTEGER | {"minimum": 3, "exclusiveMinimum": True}, 3, [limit("3", "greater than 3")]),
        (NUMBER | {"maximum": 3}, 3.5, [limit("3.5", "less than or equal to 3")]),
        (NUMBER | {"maximum": 3, "exclusiveMaximum": True}, 3, [limit("3", "less than 3")]),
        (NUMBER | {"maximum": 3.7}, 4, [limit("4", "less than or equal to 3")]),
        (NUMBER | {"maximum": 2000000}, 2e6 + 0.5, [limit("2.0000005e+06", "less than or equal to 2e+06")]),
        (NUMBER | {"maximum": 1e19}, 5, [limit("5", "less than or equal to -9223372036854775808")]),
        (INTEGER | {"multipleOf": 3}, 6, []),
        (INTEGER | {"multipleOf": 3}, -4, [limit("-4", "a multiple of 3")]),
        (NUMBER | {"multipleOf": 0.1}, 0.3, []),
        (NUMBER | {"multipleOf": 0.1}, 0.35, [limit("0.35", "a multiple of 0.1")]),
        (
            NUMBER | {"multipleOf": 0.5},
            3,
            ["spec.f: Invalid value: 0: factor MultipleOf declared for spec.f must be positive: 0"],
        ),
        (
            INTEGER | {"minimum": 1.5},
            1000000,
            [general("Minimum boundary value must be of type integer (default format)")],
        ),
        (
            INTEGER | {"maximum": 2.5},
            1000000,
            [
                general("Maximum boundary value must be of type integer (default format)"),
                limit("1e+06", "less than or equal to 2.5"),
            ],
        ),
        (
            INTEGER | {"format": "int32"},
            2**31,
            [general("Checked value must be of type integer with format int32")],
        ),
        (INTEGER | {"format": "int32"}, 2**31 - 1, []),
        (
            NUMBER | {"format": "float"},
            4e38,
            [general("Checked value must be of type number with format float")],
        ),
        (NUMBER | {"format": "float"}, 3e38, []),
        (INT_OR_STRING | {"minimum": 3}, 1, [limit("1", "greater than or equal to 3")]),
    ],
    ids=str,
)
def test_the_limits_of_numbers(schema: Schema, value: float, faults: list[str]) -> None:
    assert judged(schema, value) == faults
