from __future__ import annotations

from typing import Any

import pytest

from schemas import BOOLEAN, EMBEDDED, INTEGER, PRESERVE, STRING, Schema, array, mapping, obj
from windlass.schema.custom.prune import drop_nulls, prune
from windlass.schema.shape import Shape


@pytest.mark.parametrize(
    ("schema", "sent", "kept", "paths"),
    [
        pytest.param(obj(a=INTEGER), {"a": 1, "x": 1}, {"a": 1}, ["x"], id="in-an-object"),
        pytest.param(obj(o=obj(a=INTEGER)), {"o": {"a": 1, "x": 1}}, {"o": {"a": 1}}, ["o.x"], id="deeper"),
        pytest.param(array(obj(a=INTEGER)), [{"a": 1}, {"x": 1}], [{"a": 1}, {}], ["[1].x"], id="in-a-list"),
        pytest.param(
            obj(l=array(array(obj()))), {"l": [[{"x": 1}]]}, {"l": [[{}]]}, ["l[0][0].x"], id="in-lists"
        ),
        pytest.param(
            mapping(obj(a=INTEGER)), {"k": {"a": 1, "x": 1}}, {"k": {"a": 1}}, ["k.x"], id="in-a-map"
        ),
        pytest.param({"type": "object"}, {"x": 1}, {}, ["x"], id="in-an-object-without-properties"),
        pytest.param(
            {"type": "object", "additionalProperties": True},
            {"k": {"x": {"y": 1}}, "l": [{"z": 1}], "s": 1},
            {"k": {}, "l": [{}], "s": 1},
            ["k.x", "l[0].z"],
            id="below-any-additional-properties",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": False}, {"k": 1}, {"k": 1}, [], id="refused-later"
        ),
        pytest.param(
            obj(o=obj(a=INTEGER)) | PRESERVE,
            {"free": {"y": [1]}, "o": {"a": 1, "x": 1}},
            {"free": {"y": [1]}, "o": {"a": 1}},
            ["o.x"],
            id="in-a-known-field-of-an-object-that-keeps-unknown-ones",
        ),
        pytest.param(
            array(obj(o=obj())) | PRESERVE,
            [{"x": 1, "o": {"x": 1}}],
            [{"x": 1, "o": {}}],
            ["[0].o.x"],
            id="in-the-items-of-a-list-that-keeps-unknown-ones",
        ),
        pytest.param(
            obj(a=BOOLEAN) | EMBEDDED,
            {"apiVersion": "v1", "kind": "K", "metadata": {"x": 1}, "a": True, "b": 1},
            {"apiVersion": "v1", "kind": "K", "metadata": {"x": 1}, "a": True},
            ["b"],
            id="in-an-embedded-object",
        ),
        pytest.param(obj(a=INTEGER), [{"x": 1}], [{}], ["[0].x"], id="of-another-type-than-the-schema-wants"),
    ],
)
def test_unknown_fields_are_dropped_and_told(schema: Schema, sent: Any, kept: Any, paths: list[str]) -> None:
    assert prune(sent, Shape(schema), root=False) == paths
    assert sent == kept


@pytest.mark.parametrize(
    "value", [{"x": [{"y": {"z": 1}}]}, [1, "two", {"three": None}], "text"], ids=["object", "list", "text"]
)
def test_what_keeps_unknown_fields_keeps_them_all(value: Any) -> None:
    sent = {"f": value}

    assert prune(sent, Shape(obj(f=PRESERVE))) == []
    assert sent == {"f": value}


def test_the_type_and_metadata_of_the_root_are_kept() -> None:
    sent = {"apiVersion": "v1", "kind": "K", "metadata": {"labels": {}}, "top": 1, "spec": {"b": 1, "a": 1}}

    assert prune(sent, Shape(obj(spec=obj(a=INTEGER)))) == ["spec.b", "top"]
    assert sent == {"apiVersion": "v1", "kind": "K", "metadata": {"labels": {}}, "spec": {"a": 1}}


@pytest.mark.parametrize(
    ("schema", "sent", "kept"),
    [
        pytest.param(obj(f=INTEGER), {"f": None}, {}, id="dropped"),
        pytest.param(obj(f=INTEGER | {"default": 5}), {"f": None}, {"f": None}, id="left-to-its-default"),
        pytest.param(obj(f=INTEGER | {"nullable": True}), {"f": None}, {"f": None}, id="nullable"),
        pytest.param(mapping(INTEGER), {"k": None, "l": 1}, {"l": 1}, id="in-a-map"),
        pytest.param(array(INTEGER), [None, 1], [None, 1], id="kept-in-a-list"),
        pytest.param(array(obj(f=STRING)), [{"f": None}], [{}], id="inside-a-list"),
        pytest.param(obj(f=PRESERVE), {"f": {"x": None}}, {"f": {"x": None}}, id="in-unknown-fields"),
        pytest.param(
            {"type": "object", "additionalProperties": True}, {"k": None}, {"k": None}, id="in-any-map"
        ),
    ],
)
def test_nulls_are_dropped_where_they_are_no_values(schema: Schema, sent: Any, kept: Any) -> None:
    drop_nulls(sent, Shape(schema))

    assert sent == kept
