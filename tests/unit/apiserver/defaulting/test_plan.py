from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting.plan import Planner
from windlass.schema import Library

TEXT, POINTER = {"type": "string", "x-go": "string"}, {"type": "string", "x-go": "*string"}
PART = {"$ref": "Part", "x-go": "*Part"}
LIBRARY = Library(
    {
        "Whole": {
            "type": "object",
            "properties": {
                "text": TEXT,
                "pointer": POINTER,
                "part": PART,
                "always": {"$ref": "Part", "default": {}, "x-go": "Part"},
                "parts": {"type": "array", "items": PART, "x-go": "[]Part"},
                "names": {"type": "array", "items": TEXT, "x-go": "[]string"},
                "bare": {"$ref": "Bare", "default": {}, "x-go": "Bare"},
            },
        },
        "Part": {
            "type": "object",
            "properties": {"size": POINTER, "inner": {"$ref": "Part", "x-go": "*Part"}},
        },
        "Bare": {"type": "object", "properties": {"again": {"$ref": "Bare", "x-go": "*Bare"}}},
    }
)


def filled(obj: dict[str, Any], table: dict[str, Any], **rules: Any) -> dict[str, Any]:
    plan = Planner(LIBRARY, table, {name: (rule,) for name, rule in rules.items()}).plan("Whole")
    assert plan is not None
    plan.apply(obj)
    return obj


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, "x"), ({"text": ""}, "x"), ({"text": "y"}, "y")],
    ids=["absent", "zero", "given"],
)
def test_the_zero_value_of_a_plain_field_is_no_value(given: dict[str, Any], expected: str) -> None:
    assert filled(given, {"Whole": {"text": "x"}}) == {"text": expected}


@pytest.mark.parametrize(("given", "expected"), [({}, "x"), ({"pointer": ""}, "")], ids=["absent", "zero"])
def test_the_zero_value_of_a_pointer_is_a_value(given: dict[str, Any], expected: str) -> None:
    assert filled(given, {"Whole": {"pointer": "x"}}) == {"pointer": expected}


def test_a_list_is_a_new_one_each_time() -> None:
    table = {"Whole": {"names": [{"a": 1}]}}
    one, other = filled({}, table), filled({}, table)

    one["names"][0]["a"] = 2

    assert other["names"] == table["Whole"]["names"] == [{"a": 1}]


def test_a_structure_is_filled_wherever_it_stands() -> None:
    obj = filled({"part": {}, "parts": [{}, {"inner": {}}]}, {"Part": {"size": "x"}})

    assert obj == {
        "always": {"size": "x"},
        "part": {"size": "x"},
        "parts": [{"size": "x"}, {"size": "x", "inner": {"size": "x"}}],
    }


def test_a_structure_that_is_not_given_is_made_only_if_it_always_exists() -> None:
    assert filled({}, {"Part": {"size": "x"}}) == {"always": {"size": "x"}}


def test_a_dotted_default_holds_in_its_place_alone() -> None:
    obj = filled({"part": {}, "parts": [{}]}, {"Whole": {"part.size": "x"}, "Part": {}})

    assert obj == {"always": {}, "part": {"size": "x"}, "parts": [{}]}


def test_a_rule_sees_what_was_given_and_not_the_defaults() -> None:
    seen: list[dict[str, Any]] = []

    filled({"part": {"inner": {}}}, {"Whole": {"text": "x"}}, Whole=lambda obj: seen.append(dict(obj)))

    assert seen == [{"part": {"inner": {}}}]


def test_what_a_rule_makes_is_filled_too() -> None:
    obj = filled({}, {"Part": {"size": "x"}}, Whole=lambda obj: obj.setdefault("part", {}))

    assert obj["part"] == {"size": "x"}


def test_a_rule_for_the_whole_object_does_not_touch_its_parts() -> None:
    planner = Planner(LIBRARY, {"Part": {"size": "x"}}, {})
    plan = planner.plan("Part", (lambda obj: obj.setdefault("whole", True),))
    assert plan is not None
    obj: dict[str, Any] = {"inner": {}}

    plan.apply(obj)

    assert obj == {"whole": True, "size": "x", "inner": {"size": "x"}}
    assert planner.plan("Part") is not plan


def test_there_is_no_plan_for_a_structure_without_defaults() -> None:
    assert Planner(LIBRARY, {"Part": {"size": "x"}}, {}).plan("Bare") is None
