"""What changed between two states of an object."""

from __future__ import annotations

from typing import Any

import pytest

from ownership_samples import ATOMIC, INTEGER, MAP, PORTS, SET, TEXT, UNKNOWN, Object, array, obj, shape
from windlass.schema.ownership.atom import Grammar, Unfit
from windlass.schema.ownership.comparison import compared, same

PORT = 'k:{"port":80,"protocol":"TCP"}'


@pytest.mark.parametrize(
    ("schema", "old", "new", "gained", "removed"),
    [
        pytest.param(TEXT, "a", "a", {}, {}, id="nothing"),
        pytest.param(TEXT, "a", "b", {"f:f": {}}, {}, id="another value"),
        pytest.param(TEXT, "a", None, {"f:f": {}}, {}, id="null"),
        pytest.param(array(TEXT), ["a", "b"], ["b", "a"], {"f:f": {}}, {}, id="order of an atomic list"),
        pytest.param({**MAP, **ATOMIC}, {"a": "1"}, {"a": "2"}, {"f:f": {}}, {}, id="atomic map"),
        pytest.param(
            MAP,
            {"a": "1", "b": "1"},
            {"b": "2", "c": "1"},
            {"f:f": {"f:b": {}, "f:c": {}}},
            {"f:f": {"f:a": {}}},
            id="map",
        ),
        pytest.param(MAP, {}, None, {"f:f": {}}, {}, id="empty and null are not the same"),
        pytest.param(MAP, None, {"a": "1"}, {"f:f": {"f:a": {}}}, {}, id="null filled"),
        pytest.param(MAP, {"a": "1"}, {}, {}, {"f:f": {"f:a": {}}}, id="emptied"),
        pytest.param(SET, ["a", "b"], ["b", "a"], {}, {}, id="order of a set"),
        pytest.param(SET, ["a", "b"], ["b", "c"], {"f:f": {'v:"c"': {}}}, {"f:f": {'v:"a"': {}}}, id="set"),
        pytest.param(
            PORTS,
            [{"port": 80, "name": "a"}],
            [{"port": 80, "protocol": "TCP"}],
            {"f:f": {PORT: {"f:protocol": {}}}},
            {"f:f": {PORT: {"f:name": {}}}},
            id="item",
        ),
        pytest.param(
            PORTS,
            [{"port": 80}],
            [{"port": 80}, {"port": 80}],
            {"f:f": {PORT: {}}},
            {"f:f": {PORT: {".": {}, "f:port": {}}}},
            id="item becomes double",
        ),
        pytest.param(
            PORTS,
            [{"port": 80}, {"port": 80}],
            [{"port": 80}],
            {"f:f": {PORT: {".": {}, "f:port": {}}}},
            {"f:f": {PORT: {}}},
            id="double becomes one",
        ),
        pytest.param(
            PORTS, [{"port": 80}] * 2, [{"port": 80}] * 3, {"f:f": {PORT: {}}}, {}, id="doubles become more"
        ),
        pytest.param(PORTS, [{"port": 80}] * 2, [{"port": 80}] * 2, {}, {}, id="doubles stay"),
        pytest.param(PORTS, [{"port": 80}] * 2, [], {}, {"f:f": {PORT: {}}}, id="doubles go"),
        pytest.param(UNKNOWN, 1, True, {"f:f": {}}, {}, id="true is not 1"),
        pytest.param(UNKNOWN, 1, 1.0, {}, {}, id="1.0 is 1"),
        pytest.param(
            UNKNOWN, {"a": [1]}, {"a": [True]}, {"f:f": {"f:a": {}}}, {}, id="nor is it further down"
        ),
        pytest.param(UNKNOWN, {"a": 1}, "x", {"f:f": {}}, {"f:f": {"f:a": {}}}, id="map becomes a value"),
        pytest.param(UNKNOWN, "x", {"a": 1}, {"f:f": {".": {}, "f:a": {}}}, {}, id="value becomes a map"),
        pytest.param(UNKNOWN, [1], {"a": 1}, {"f:f": {".": {}, "f:a": {}}}, {}, id="list becomes a map"),
    ],
)
def test_a_change_is_told_field_by_field(
    schema: Object, *, old: Any, new: Any, gained: Object, removed: Object
) -> None:
    atom = Grammar().atom(shape(obj(f=schema)))

    assert compared({"f": old}, {"f": new}, atom) == (gained, removed)


def test_what_comes_and_goes_does_so_with_everything_in_it() -> None:
    atom = Grammar().atom(shape(obj(f=obj(g=MAP))))
    one: Object = {"f": {"g": {"a": "1"}}}
    none: Object = {}
    fields: Object = {"f:f": {".": {}, "f:g": {".": {}, "f:a": {}}}}

    assert compared(none, one, atom) == (fields, {})
    assert compared(one, none, atom) == ({}, fields)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"a": [1, {"b": True}]}, {"a": [1, {"b": True}]}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": [1, {"b": True}]}, {"a": [1.0, {"b": True}]}, True),
        ({"a": [1, {"b": True}]}, {"a": [1, {"b": 1}]}, False),
        (0, False, False),
        (None, False, False),
        ("a", "a", True),
        ([], {}, False),
    ],
)
def test_values_are_equal_as_json_is(one: Any, other: Any, *, equal: bool) -> None:
    assert same(one, other) is equal


def test_an_object_that_does_not_fit_cannot_be_compared() -> None:
    atom = Grammar().atom(shape(obj(a=INTEGER, list=PORTS)))

    for unfit in ({"b": 1}, {"list": [{"port": 1}, None]}):
        with pytest.raises(Unfit):
            compared({}, unfit, atom)
        with pytest.raises(Unfit):
            compared(unfit, {}, atom)
