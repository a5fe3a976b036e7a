"""Which fields a value gives, and which come and go with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ownership_samples import (
    ATOMIC,
    CONTAINERS,
    INTEGER,
    MAP,
    PORTS,
    SET,
    TEXT,
    UNKNOWN,
    Object,
    array,
    obj,
    shape,
)
from windlass.schema.ownership.atom import Grammar, Unfit
from windlass.schema.ownership.extent import given, whole


@pytest.mark.parametrize(
    ("schema", "value", "fields"),
    [
        pytest.param(TEXT, "x", {"f:f": {}}, id="scalar"),
        pytest.param(TEXT, None, {"f:f": {}}, id="null"),
        pytest.param(array(TEXT), [], {"f:f": {}}, id="empty atomic list"),
        pytest.param(array(TEXT), ["x"], {"f:f": {}}, id="atomic list"),
        pytest.param({**MAP, **ATOMIC}, {"a": "1"}, {"f:f": {}}, id="atomic map"),
        pytest.param(MAP, {}, {"f:f": {}}, id="empty map"),
        pytest.param(MAP, None, {"f:f": {}}, id="null map"),
        pytest.param(MAP, {"b": "1", "a": None}, {"f:f": {"f:a": {}, "f:b": {}}}, id="members are owned"),
        pytest.param(
            obj(a=obj(b=TEXT)), {"a": {"b": "1"}}, {"f:f": {"f:a": {"f:b": {}}}}, id="named fields are not"
        ),
        pytest.param(SET, [], None, id="empty set"),
        pytest.param(obj(a=SET), {"a": []}, None, id="nothing but an empty set"),
        pytest.param(
            {"type": "object", "additionalProperties": SET},
            {"a": []},
            {"f:f": {"f:a": {}}},
            id="member that is an empty set",
        ),
        pytest.param(SET, ["b", "a"], {"f:f": {'v:"a"': {}, 'v:"b"': {}}}, id="set"),
        pytest.param(SET, ["a", "b", "a"], {"f:f": {'v:"a"': {}, 'v:"b"': {}}}, id="set with doubles"),
        pytest.param(
            PORTS,
            [{"port": 80, "name": "x"}],
            {"f:f": {'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:name": {}, "f:port": {}}}},
            id="items are owned",
        ),
        pytest.param(
            PORTS,
            [{"port": 80}, {"port": 80, "protocol": "TCP", "name": "x"}],
            {"f:f": {'k:{"port":80,"protocol":"TCP"}': {}}},
            id="of doubles only that they are there",
        ),
        pytest.param(
            UNKNOWN,
            {"a": {"b": [1]}, "c": {}},
            {"f:f": {"f:a": {".": {}, "f:b": {}}, "f:c": {}}},
            id="unknown",
        ),
    ],
)
def test_a_manager_owns_the_fields_that_it_gives(schema: Object, value: Any, fields: Any) -> None:
    atom = Grammar().atom(shape(obj(f=schema)))

    assert given({"f": value}, atom) == fields


@pytest.mark.parametrize(
    ("schema", "value", "fields"),
    [
        pytest.param(TEXT, "x", {}, id="scalar"),
        pytest.param(MAP, {}, {}, id="empty map"),
        pytest.param(MAP, None, {}, id="null"),
        pytest.param(SET, [], {}, id="empty set"),
        pytest.param(array(obj(a=TEXT)), [{"a": "1"}], {}, id="atomic list"),
        pytest.param(
            obj(a=obj(b=TEXT)),
            {"a": {"b": "1"}},
            {".": {}, "f:a": {".": {}, "f:b": {}}},
            id="named fields too",
        ),
        pytest.param(SET, ["a", "a", "b"], {".": {}, 'v:"a"': {}, 'v:"b"': {}}, id="set"),
        pytest.param(
            PORTS,
            [{"port": 9}, {"port": 80}, {"port": 9}],
            {
                ".": {},
                'k:{"port":9,"protocol":"TCP"}': {},
                'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:port": {}},
            },
            id="items",
        ),
    ],
)
def test_everything_comes_and_goes_with_what_it_is_in(schema: Object, value: Any, fields: Any) -> None:
    assert whole(value, Grammar().atom(shape(schema))) == fields


def test_fields_stand_in_their_order_from_the_start() -> None:
    atom = Grammar().atom(shape(CONTAINERS))
    ports = [{"port": 443}, {"port": 80, "name": "z"}, {"port": 9}]
    value = [{"ports": ports, "name": "b", "image": "x"}, {"name": "a"}]

    tree: dict[str, Any] = {
        'k:{"name":"a"}': {".": {}, "f:name": {}},
        'k:{"name":"b"}': {
            ".": {},
            "f:image": {},
            "f:name": {},
            "f:ports": {
                ".": {},
                'k:{"port":9,"protocol":"TCP"}': {".": {}, "f:port": {}},
                'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:name": {}, "f:port": {}},
                'k:{"port":443,"protocol":"TCP"}': {".": {}, "f:port": {}},
            },
        },
    }
    assert json.dumps(whole(value, atom)) == json.dumps({".": {}, **tree})
    del tree['k:{"name":"b"}']["f:ports"]["."]
    assert json.dumps(given(value, atom)) == json.dumps(tree)


def test_a_field_that_cannot_be_there_is_unfit() -> None:
    atom = Grammar().atom(shape(obj(a=INTEGER)))

    for walk in (given, whole):
        with pytest.raises(Unfit):
            walk({"b": 1}, atom)
