from __future__ import annotations

from typing import Any

import pytest

from schemas import INTEGER, PRESERVE, STRING, Schema, array, mapping, obj
from windlass.schema.custom.fill import Defaults
from windlass.schema.shape import Shape

ONE: Schema = INTEGER | {"default": 1}
NULLABLE: Schema = {"nullable": True}


@pytest.mark.parametrize(
    ("schema", "sent", "filled"),
    [
        pytest.param(ONE, {}, {"f": 1}, id="absent"),
        pytest.param(ONE, {"f": 0}, {"f": 0}, id="zero-is-kept"),
        pytest.param(ONE, {"f": None}, {"f": 1}, id="null"),
        pytest.param(ONE | NULLABLE, {"f": None}, {"f": None}, id="null-where-it-is-a-value"),
        pytest.param(ONE | NULLABLE, {}, {"f": 1}, id="absent-is-not-null"),
        pytest.param(STRING | {"default": "x"}, {"f": ""}, {"f": ""}, id="empty-text-is-kept"),
        pytest.param(array(STRING, default=["x"]), {"f": []}, {"f": []}, id="empty-list-is-kept"),
        pytest.param(obj(a=ONE), {}, {}, id="not-below-an-absent-object"),
        pytest.param(obj(a=ONE), {"f": {}}, {"f": {"a": 1}}, id="below-an-empty-object"),
        pytest.param(obj(a=ONE) | {"default": {}}, {}, {"f": {"a": 1}}, id="below-a-defaulted-object"),
        pytest.param(
            obj(a=ONE, b=INTEGER) | {"default": {"b": 2}}, {}, {"f": {"a": 1, "b": 2}}, id="into-a-default"
        ),
        pytest.param(
            obj(a=ONE, b=INTEGER) | {"default": {"b": 2}},
            {"f": {}},
            {"f": {"a": 1}},
            id="not-merged-into-a-given-object",
        ),
        pytest.param(array(obj(a=ONE)), {"f": [{}, {"a": 2}]}, {"f": [{"a": 1}, {"a": 2}]}, id="in-a-list"),
        pytest.param(array(ONE), {"f": [None, 2]}, {"f": [1, 2]}, id="null-in-a-list"),
        pytest.param(array(INTEGER), {"f": [None]}, {"f": [None]}, id="null-in-a-list-without-default"),
        pytest.param(mapping(obj(a=ONE)), {"f": {"k": {}}}, {"f": {"k": {"a": 1}}}, id="in-a-map"),
        pytest.param(mapping(ONE), {"f": {"k": None}}, {"f": {"k": 1}}, id="null-in-a-map"),
        pytest.param(
            obj(a=ONE) | PRESERVE, {"f": {"x": 2}}, {"f": {"a": 1, "x": 2}}, id="beside-unknown-fields"
        ),
        pytest.param(obj(a=ONE), {"f": "text"}, {"f": "text"}, id="not-into-another-type"),
        pytest.param(INTEGER | {"default": None}, {}, {}, id="null-is-no-default"),
    ],
)
def test_defaults_are_filled_in(schema: Schema, sent: Any, filled: Any) -> None:
    Defaults(Shape(obj(f=schema))).fill(sent)

    assert sent == filled


def test_a_default_is_copied_for_each_object() -> None:
    defaults = Defaults(Shape(obj(f=array(array(STRING)) | {"default": [["x"]]})))
    one: dict[str, Any] = {}
    other: dict[str, Any] = {}
    defaults.fill(one)

    one["f"][0].append("y")
    defaults.fill(other)

    assert other == {"f": [["x"]]}
