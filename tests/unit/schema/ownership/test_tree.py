"""Sets of fields: what each operation keeps, checked against plain sets of paths."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.schema.ownership.tree import (
    LEAF,
    alone,
    difference,
    holds,
    intersection,
    is_member,
    ordered,
    paths,
    read,
    union,
    within,
    without,
)

if TYPE_CHECKING:
    from windlass.schema.ownership.tree import Tree

Path = tuple[str, ...]
STEPS = ("f:a", "f:b", 'k:{"name":"x"}', "v:1", "v:10")


def tree_of(*members: Path) -> Tree:
    tree: Tree = {}
    for path in members:
        tree = union(tree, alone(path))
    return tree


def members(tree: Tree, prefix: Path = ()) -> set[Path]:
    found = set()
    for step, node in tree.items():
        if step == ".":
            continue
        if is_member(node):
            found.add((*prefix, step))
        found |= members(node, (*prefix, step))
    return found


path_sets = st.sets(st.lists(st.sampled_from(STEPS), min_size=1, max_size=3).map(tuple), max_size=8)


@pytest.mark.property
@given(path_sets)
def test_a_tree_holds_the_paths_that_it_was_made_of_and_no_others(of: set[Path]) -> None:
    tree = tree_of(*of)

    assert members(tree) == of
    assert all(holds(tree, path) for path in of)
    assert not any(holds(tree, (*path, "f:z")) for path in of)


@pytest.mark.property
@given(path_sets, path_sets)
def test_the_algebra_is_that_of_sets_of_paths(one: set[Path], other: set[Path]) -> None:
    left, right = tree_of(*one), tree_of(*other)

    assert members(union(left, right)) == one | other
    assert members(intersection(left, right)) == one & other
    assert members(difference(left, right)) == one - other
    assert members(without(left, right)) == {
        path for path in one if not any(path[: len(cut)] == cut for cut in other)
    }


@pytest.mark.property
@given(path_sets, path_sets)
def test_one_set_has_one_tree(one: set[Path], other: set[Path]) -> None:
    left, right = tree_of(*one), tree_of(*other)
    both = difference(union(left, right), difference(right, left))

    assert ordered(both) == ordered(left)
    assert json.dumps(ordered(both)) == json.dumps(ordered(left))


@pytest.mark.property
@given(path_sets, path_sets)
def test_operands_stay_as_they_were(one: set[Path], other: set[Path]) -> None:
    left, right = tree_of(*one), tree_of(*other)
    before = json.dumps([left, right])

    for operation in (union, difference, intersection, without, within):
        operation(left, right)
    ordered(left)

    assert json.dumps([left, right]) == before
    assert LEAF == {}


@pytest.mark.property
@given(path_sets)
def test_what_nothing_is_taken_from_is_the_same_object(of: set[Path]) -> None:
    tree = tree_of(*of)

    assert difference(tree, {"f:z": {}}) is tree
    assert difference(tree, {step: {"f:z": {}} for step in STEPS}) is tree


@pytest.mark.property
@given(path_sets)
def test_a_set_survives_being_sent(of: set[Path]) -> None:
    tree = ordered(tree_of(*of))

    assert read(json.loads(json.dumps(tree))) == tree


@pytest.mark.property
@given(path_sets)
def test_every_path_is_listed_once(of: set[Path]) -> None:
    assert len(list(paths(tree_of(*of)))) == len(of)


def test_paths_are_listed_members_first_and_then_level_by_level() -> None:
    tree: Tree = {"f:b": {".": {}, "f:d": {}}, "f:a": {"f:c": {}}, 'k:{"n":1}': {}}

    assert list(paths(tree)) == [".b", "[n=1]", ".a.c", ".b.d"]


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        ({}, {"f:s": {".": {}, "f:c": {"k:{}": {".": {}, "f:r": {"f:x": {}}, "f:i": {}}}}, "f:m": {}}),
        ({"f:m": {}}, {"f:m": {}}),
        ({"f:z": {}}, {}),
        (
            {"f:s": {"f:c": {"*": {"f:r": {}}}}},
            {"f:s": {".": {}, "f:c": {"k:{}": {".": {}, "f:r": {"f:x": {}}}}}},
        ),
        ({"f:s": {"f:c": {"*": {"f:q": {}}}}}, {"f:s": {".": {}, "f:c": {"k:{}": {}}}}),
        ({"f:s": {"f:q": {}}}, {"f:s": {}}),
    ],
)
def test_a_pattern_keeps_what_lies_on_and_below_its_paths(pattern: Tree, kept: Tree) -> None:
    tree: Tree = {
        "f:s": {".": {}, "f:c": {"k:{}": {".": {}, "f:r": {"f:x": {}}, "f:i": {}}}},
        "f:m": {},
    }

    assert within(tree, pattern) == kept


@pytest.mark.parametrize(
    ("fields", "tree"),
    [
        (None, {}),
        ({}, {}),
        ({".": {}}, {}),
        ({"f:a": None}, {"f:a": {}}),
        ({"f:a": {".": {}}}, {"f:a": {}}),
        ({"f:a": {"x:later": {}}}, {"f:a": {}}),
        ({"x:later": {"f:a": {}}, "f:b": {}}, {"f:b": {}}),
        ({'k:{"b":1,"a":2}': {}}, {'k:{"a":2,"b":1}': {}}),
    ],
)
def test_what_clients_send_is_put_into_our_form(fields: Any, tree: Tree) -> None:
    assert read(fields) == tree


@pytest.mark.parametrize("fields", [1, "text", [], {"nonsense": {}}, {"f:a": 1}, {"f:a": {"v:{": {}}}])
def test_what_is_no_set_of_fields_is_refused(fields: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(fields)


def test_the_order_of_what_clients_send_is_not_kept() -> None:
    fields: dict[str, Any] = {"v:10": {}, "v:9": {}, "f:b": {"f:d": {}, "f:c": {}}, "f:a": {}}

    assert json.dumps(read(fields)) == json.dumps(
        {"f:a": {}, "f:b": {"f:c": {}, "f:d": {}}, "v:9": {}, "v:10": {}}
    )
