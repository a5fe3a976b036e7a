"""A patch makes one document of another, and is as short as can be."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver.patch import carried_out, json_operations
from windlass.webhook import json_patch

pytestmark = pytest.mark.property

_scalar = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "b/c", "d~e"])
_name = st.sampled_from(["a", "b", "c/d", "e~f", "name"])
_value = st.recursive(
    _scalar,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_name, inner, max_size=4),
    max_leaves=25,
)
_document = st.dictionaries(_name, _value, max_size=5)


def _applied(before: dict[str, Any], patch: list[dict[str, Any]]) -> Any:
    return carried_out(
        orjson.loads(orjson.dumps(before)), json_operations(orjson.dumps(patch), checked=False)
    )


@given(_document, _document)
def test_a_patch_carried_out_by_the_api_server_gives_the_other_document(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert orjson.dumps(
        _applied(before, json_patch(before, after)), option=orjson.OPT_SORT_KEYS
    ) == orjson.dumps(after, option=orjson.OPT_SORT_KEYS)


@given(_document)
def test_equal_documents_need_no_patch(document: dict[str, Any]) -> None:
    assert json_patch(document, orjson.loads(orjson.dumps(document))) == []


@given(st.lists(_value, max_size=8), st.integers(0, 8), _value)
def test_an_item_put_into_a_list_is_one_operation(items: list[Any], place: int, value: Any) -> None:
    after = [*items[:place], value, *items[place:]]

    assert len(json_patch({"items": items}, {"items": after})) == 1


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
        ({}, {"a/b~": {}}, [{"op": "add", "path": "/a~1b~0", "value": {}}]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2}}, [{"op": "remove", "path": "/a/b"}]),
        (
            {"c": [{"name": "web", "image": "a"}, {"name": "side", "image": "b"}]},
            {"c": [{"name": "first"}, {"name": "web", "image": "a"}, {"name": "side", "image": "c"}]},
            [
                {"op": "add", "path": "/c/0", "value": {"name": "first"}},
                {"op": "replace", "path": "/c/2/image", "value": "c"},
            ],
        ),
        ({"a": [1, 2, 3]}, {"a": [7, 8, 9]}, [{"op": "replace", "path": "/a", "value": [7, 8, 9]}]),
    ],
)
def test_only_what_differs_is_touched(
    before: dict[str, Any], after: dict[str, Any], patch: list[dict[str, Any]]
) -> None:
    assert json_patch(before, after) == patch


def test_long_lists_are_compared_by_position() -> None:
    before = {"items": [{"n": number, "text": "x" * 20} for number in range(400)]}
    after = {"items": [{"n": number, "text": "x" * 20} for number in range(1, 399)]}

    assert _applied(before, json_patch(before, after)) == after


def _nested(depth: int, leaf: dict[str, Any]) -> dict[str, Any]:
    return {"items": [_nested(depth - 1, {**leaf, f"at{depth}": at}) for at in range(4)]} if depth else leaf


def test_each_level_of_lists_in_lists_adds_to_the_work_and_does_not_multiply_it() -> None:
    """With a table for each pair of a table, this takes minutes."""
    before, after = _nested(6, {"color": "red"}), _nested(6, {"color": "green"})

    assert _applied(before, json_patch(before, after)) == after
