from typing import Any

import pytest

from windlass.apiserver.crd.naming import judge

Names = dict[str, Any]

WIDGETS: Names = {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"}
GADGETS: Names = {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"}


def asking(names: Names, has: Names | None = None) -> dict[str, Any]:
    return {"spec": {"names": names}, "status": {"acceptedNames": has or {"plural": "", "kind": ""}}}


def test_free_names_are_all_accepted() -> None:
    accepted, condition = judge(asking(GADGETS | {"categories": ["all"]}), [WIDGETS])

    assert accepted == GADGETS | {"categories": ["all"]}
    assert (condition.status, condition.reason) == ("True", "NoConflicts")


def test_a_definition_may_keep_its_own_names() -> None:
    names = WIDGETS | {"shortNames": ["wd"]}

    assert judge(asking(names, names), [names])[0] == names


def test_of_several_conflicts_the_last_is_told() -> None:
    wanted = GADGETS | {"singular": "widget", "kind": "Widget"}

    accepted, condition = judge(asking(wanted), [WIDGETS])

    assert (condition.reason, condition.message) == ("KindConflict", '"Widget" is already in use')
    assert accepted == {"plural": "gadgets", "kind": "", "listKind": "GadgetList"}


def test_all_short_names_that_are_taken_are_told() -> None:
    _, condition = judge(asking(GADGETS | {"shortNames": ["widgets", "g", "widget"]}), [WIDGETS])

    assert condition.message == '["widgets" is already in use, "widget" is already in use]'


def test_one_short_name_that_is_taken_keeps_the_others_from_being_accepted() -> None:
    accepted, _ = judge(asking(GADGETS | {"shortNames": ["g", "widgets"]}), [WIDGETS])

    assert "shortNames" not in accepted


def test_an_own_name_cannot_be_taken_again_in_another_place() -> None:
    _, condition = judge(asking(WIDGETS | {"shortNames": ["widget"]}, WIDGETS), [WIDGETS])

    assert condition.reason == "ShortNamesConflict"


def test_a_refused_name_leaves_the_one_before_it() -> None:
    accepted, condition = judge(asking(GADGETS | {"singular": "widget"}, GADGETS), [WIDGETS, GADGETS])

    assert condition.status == "False"
    assert accepted["singular"] == "gadget"


@pytest.mark.parametrize("field", ["shortNames", "categories"])
def test_a_name_that_is_not_asked_for_any_more_is_given_up(field: str) -> None:
    had = WIDGETS | {field: ["x"]}

    assert judge(asking(WIDGETS, had), [had])[0] == WIDGETS
