from __future__ import annotations

from typing import Any

import pytest

from schemas import (
    INTEGER,
    METADATA,
    PRESERVE,
    SET,
    STRING,
    Schema,
    array,
    map_by,
    mapping,
    needs,
    obj,
    said,
    updated,
)
from windlass.schema.custom import CustomSchema

STRICT: Schema = STRING | {"enum": ["good"]}
UNSUPPORTED = 'Unsupported value: "bad": supported values: "good"'
ITEMS = array(obj(key=STRING, value=STRICT, other=STRING) | needs("key")) | map_by("key")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param(STRICT, "bad", id="enum"),
        pytest.param(INTEGER, "bad", id="type"),
        pytest.param(array(STRICT), ["bad"], id="items"),
        pytest.param(obj(a=STRING, b=STRING) | needs("b"), {"a": "x"}, id="required"),
        pytest.param(array(STRING) | SET, ["x", "x"], id="repetitions"),
        pytest.param(STRING | {"nullable": False}, None, id="null"),
    ],
)
def test_what_does_not_change_may_stay_invalid(schema: Schema, value: Any) -> None:
    assert updated(schema, value, value) == []


@pytest.mark.parametrize(
    ("schema", "old", "new", "faults"),
    [
        pytest.param(STRICT, "worse", "bad", [f"spec.f: {UNSUPPORTED}"], id="value"),
        pytest.param(array(STRICT), ["bad"], ["bad", "good"], [f"spec.f[0]: {UNSUPPORTED}"], id="list"),
        pytest.param(
            obj(a=STRING, b=STRING) | needs("b"),
            {"a": "x"},
            {"a": "y"},
            ["spec.f.b: Required value"],
            id="required-beside-a-change",
        ),
        pytest.param(
            mapping(STRICT),
            {"k": "bad"},
            {"k": "bad", "l": "bad"},
            [f"spec.f.l: {UNSUPPORTED}"],
            id="new-key",
        ),
        pytest.param(
            mapping(STRICT),
            {"k": "bad", "l": "good"},
            {"k": "bad", "l": "better"},
            ['spec.f.l: Unsupported value: "better": supported values: "good"'],
            id="other-key",
        ),
        pytest.param(
            ITEMS,
            [{"key": "k", "value": "bad"}],
            [{"key": "l", "value": "bad"}],
            [f"spec.f[0].value: {UNSUPPORTED}"],
            id="item-with-a-new-key",
        ),
        pytest.param(
            ITEMS,
            [{"key": "k", "value": "bad"}, {"key": "l", "value": "bad"}],
            [{"key": "l", "value": "bad", "other": "x"}, {"key": "k", "value": "bad"}],
            [],
            id="items-are-found-by-their-keys",
        ),
        pytest.param(
            array(STRING) | SET, ["x", "x"], ["x", "x", "y", "y"], [], id="a-set-that-had-repetitions"
        ),
        pytest.param(
            array(STRING) | SET,
            ["x"],
            ["x", "x"],
            ['spec.f[1]: Duplicate value: "x"'],
            id="a-set-that-had-none",
        ),
        pytest.param(
            obj(a=STRICT) | PRESERVE | needs("b"),
            {"a": "good", "free": 1},
            {"a": "good", "free": 1},
            ["spec.f.b: Required value"],
            id="unknown-fields-count-as-changed",
        ),
        pytest.param(
            obj(a=STRING) | {"allOf": [{"properties": {"a": {"enum": ["good"]}}}]} | PRESERVE,
            {"a": "bad", "free": 1},
            {"a": "bad", "free": 1},
            [
                f"spec.f.a: {UNSUPPORTED}",
                '<nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf). None validated',
            ],
            id="conditions-hold-for-what-is-left-alone",
        ),
    ],
)
def test_what_changes_is_judged(schema: Schema, old: Any, new: Any, faults: list[str]) -> None:
    assert updated(schema, old, new) == faults


def test_the_status_is_judged_by_itself() -> None:
    kind = CustomSchema(obj(status=obj(phase=STRICT, other=STRICT) | needs("count")), METADATA)
    old = {"status": {"phase": "bad", "other": "good"}}
    new = {"status": {"phase": "bad", "other": "worse"}, "spec": {"never": "mind"}}

    assert said(kind.status_faults(new, old)) == [
        'status.other: Unsupported value: "worse": supported values: "good"',
        "status.count: Required value",
    ]
    assert said(kind.status_faults(old, old)) == []
