"""A configuration laid over an object, and parts taken away."""

from __future__ import annotations

from typing import Any

import pytest

from ownership_samples import (
    ATOMIC,
    INTEGER,
    MAP,
    PORTS,
    SET,
    TEXT,
    UNKNOWN,
    Object,
    array,
    list_map,
    obj,
    shape,
)
from windlass.schema.ownership.atom import Atom, Grammar
from windlass.schema.ownership.combination import is_full, merged, removed
from windlass.schema.value import copied

NAMED = list_map("name", name=TEXT, value=TEXT)


def atom(schema: Object) -> Atom:
    return Grammar().atom(shape(schema))


@pytest.mark.parametrize(
    ("schema", "live", "config", "result"),
    [
        pytest.param(TEXT, "a", "b", "b", id="scalar"),
        pytest.param(TEXT, "a", None, None, id="null"),
        pytest.param(
            MAP, {"a": "1", "b": "1"}, {"b": "2", "c": "2"}, {"a": "1", "b": "2", "c": "2"}, id="map"
        ),
        pytest.param(MAP, {"a": "1"}, None, {"a": "1"}, id="a null map says nothing of its members"),
        pytest.param(MAP, {"a": "1"}, {}, {"a": "1"}, id="nor does an empty one"),
        pytest.param(MAP, {}, None, None, id="null wins over empty"),
        pytest.param(MAP, None, {}, {}, id="empty wins over null"),
        pytest.param({**MAP, **ATOMIC}, {"a": "1"}, {"b": "2"}, {"b": "2"}, id="atomic map"),
        pytest.param(array(INTEGER), [1, 2], [3], [3], id="atomic list"),
        pytest.param(SET, ["a", "b"], ["b", "c"], ["a", "b", "c"], id="set"),
        pytest.param(SET, ["a"], [], ["a"], id="empty set"),
        pytest.param(SET, None, ["a"], ["a"], id="null set"),
        pytest.param(UNKNOWN, {"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}, id="unknown maps"),
        pytest.param(UNKNOWN, {"a": 1}, [1], [1], id="another form"),
        pytest.param(UNKNOWN, "x", {"a": 1}, {"a": 1}, id="another form again"),
        pytest.param(
            PORTS,
            [{"port": 80, "protocol": "TCP", "name": "a"}],
            [{"port": 80, "name": "b"}, {"port": 80, "protocol": "UDP"}],
            [{"port": 80, "protocol": "TCP", "name": "b"}, {"port": 80, "protocol": "UDP"}],
            id="items by key, with defaults",
        ),
        pytest.param(
            NAMED,
            [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}, {"name": "b"}],
            [{"name": "a", "value": "3"}],
            [{"name": "a", "value": "3"}, {"name": "b"}],
            id="doubles give way as a whole",
        ),
        pytest.param(
            NAMED,
            [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}],
            [{"name": "b"}],
            [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}, {"name": "b"}],
            id="doubles that nobody mentions stay",
        ),
    ],
)
def test_a_configuration_is_laid_over_an_object(
    schema: Object, *, live: Any, config: Any, result: Any
) -> None:
    assert merged(live, config, atom(schema)) == result


@pytest.mark.parametrize(
    ("live", "config", "result"),
    [
        ("abc", "cab", "cab"),
        ("abc", "abc", "abc"),
        ("abc", "b", "abc"),
        ("abc", "xb", "axbc"),
        ("abc", "bx", "abcx"),
        ("abc", "cx", "abcx"),
        ("abcd", "db", "acdb"),
        ("abcd", "dxb", "acdxb"),
        ("ab", "xy", "abxy"),
        ("", "xy", "xy"),
        ("abcde", "ec", "abdec"),
    ],
)
def test_items_stand_as_applied_and_the_others_keep_their_places(live: str, config: str, result: str) -> None:
    assert merged(list(live), list(config), atom(SET)) == list(result)


def test_the_result_shares_nothing_with_what_it_was_made_of() -> None:
    schema = obj(a=MAP, b=UNKNOWN, c=NAMED, d=array(MAP), e={**MAP, **ATOMIC})
    live = {"a": {"x": "1"}, "b": {"x": {"y": [1]}}, "c": [{"name": "a"}], "d": [{"a": "1"}]}
    config = {"b": {"z": {"y": [1]}}, "c": [{"name": "b"}], "d": [{"b": "1"}], "e": {"x": "1"}}
    before = copied([live, config])

    result = merged(live, config, atom(schema))
    for part in (result["a"], result["b"]["x"], result["b"]["z"], *result["c"], *result["d"], result["e"]):
        part["changed"] = True
    result["b"]["x"]["y"].append(2)

    assert [live, config] == before


@pytest.mark.parametrize(
    ("schema", "value", "tree", "result"),
    [
        pytest.param(obj(a=TEXT, b=TEXT), {"a": "1", "b": "1"}, {"f:a": {}}, {"b": "1"}, id="field"),
        pytest.param(obj(a=MAP), {"a": {"x": "1"}}, {"f:a": {"f:x": {}}}, {"a": None}, id="last member"),
        pytest.param(obj(a=MAP), {"a": {"x": "1"}}, {"f:a": {".": {}, "f:x": {}}}, None, id="with its map"),
        pytest.param(obj(a=MAP), {"a": {"x": "1"}}, {"f:a": {"f:y": {}}}, {"a": {"x": "1"}}, id="absent"),
        pytest.param(SET, ["a", "b", "a"], {'v:"a"': {}}, ["b"], id="items of a set"),
        pytest.param(
            NAMED, [{"name": "a"}, {"name": "b"}], {'k:{"name":"a"}': {}}, [{"name": "b"}], id="item"
        ),
        pytest.param(
            NAMED,
            [{"name": "a", "value": "1"}],
            {'k:{"name":"a"}': {"f:value": {}}},
            [{"name": "a"}],
            id="part of an item",
        ),
        pytest.param(
            obj(a={**MAP, **ATOMIC}),
            {"a": {"x": "1"}},
            {"f:a": {"f:x": {}}},
            {"a": None},
            id="part of what has none",
        ),
        pytest.param(obj(a=TEXT), {"a": "1"}, {"f:a": {"f:x": {}}}, {"a": "1"}, id="part of a scalar"),
    ],
)
def test_items_and_members_are_taken_away(schema: Object, *, value: Any, tree: Object, result: Any) -> None:
    assert removed(value, tree, atom(schema)) == result


@pytest.mark.parametrize(
    ("value", "full"),
    [
        ({"a": [{"b": 0}, []]}, True),
        ({"a": ""}, True),
        ({}, False),
        ({"a": {}}, False),
        ({"a": [None]}, False),
        ({"a": [{"b": None}]}, False),
    ],
)
def test_an_object_is_full_without_nulls_and_empty_maps(value: Object, *, full: bool) -> None:
    assert is_full(value) is full
