from __future__ import annotations

from windlass.schema.cel.cost.trail import Trail


def test_a_path_grows_by_steps() -> None:
    assert Trail().plus("self").plus("spec").plus("@items").steps() == ("self", "spec", "@items")


def test_a_path_changes_when_another_one_grows_from_where_there_is_room_as_slices_do_in_go() -> None:
    element = Trail().plus("self").plus("list").plus("@items")
    one = element.plus("a")

    other = element.plus("b")

    assert other.steps() == ("self", "list", "@items", "b")
    assert one.steps() == ("self", "list", "@items", "b")


def test_a_path_stays_when_another_one_grows_from_where_there_is_no_room() -> None:
    root = Trail().plus("self")
    one = root.plus("a")

    other = root.plus("b")

    assert (one.steps(), other.steps()) == (("self", "a"), ("self", "b"))
