from __future__ import annotations

import pytest

from cel_rule_cases import rules
from schemas import INTEGER, PRESERVE, STRING, Schema, array, map_by, mapping, obj, said
from windlass.schema.cel.rule import CelEngine

RULE = "x-kubernetes-validations[0]"


def checked(schema: Schema, *broken: str) -> list[str]:
    """The fields that are wrong, without the place of the schema."""
    return [fault.field.removeprefix("at.") for fault in CelEngine().check(schema, "at", broken)]


@pytest.mark.parametrize(
    ("items", "most", "faults"),
    [
        pytest.param(array(INTEGER | rules("self == oldSelf")), 1, [f"items.{RULE}.rule"], id="atomic-list"),
        pytest.param(
            array(obj(k=STRING) | rules("self == oldSelf")) | map_by("k"), 1, [], id="list-with-keys"
        ),
        pytest.param(mapping(INTEGER | rules("self == oldSelf")), 1, [], id="map"),
    ],
)
def test_a_rule_may_speak_of_the_old_value_where_it_can_be_found(
    items: Schema, most: int, faults: list[str]
) -> None:
    assert checked(items | {"maxItems": most, "maxProperties": most}) == faults


def test_what_is_below_a_lost_value_is_lost_at_the_same_place() -> None:
    inner = array(array(INTEGER | rules("self == oldSelf"), maxItems=1), maxItems=1)
    (fault,) = CelEngine().check(obj(l=inner), "at")
    assert fault.message.endswith("uncorrelatable portion of the schema within at.properties[l]")


def test_a_rule_costs_as_often_as_its_value_can_be_there() -> None:
    item = STRING | {"maxLength": 1000} | rules("self.contains('abcdefghijklmnop')")
    assert checked(array(item, maxItems=10)) == []
    assert checked(array(array(item, maxItems=1000), maxItems=1000)) == [
        f"items.items.{RULE}.rule",
        f"items.items.{RULE}.rule",
        "at",
    ]
    assert checked(array(item))[0] == f"items.{RULE}.rule"
    assert checked(mapping(item, maxProperties=0)) == []


def test_only_the_four_dearest_rules_are_named() -> None:
    dear = array(STRING | {"maxLength": 10}, maxItems=800) | rules("self.all(x, self.all(y, x == y))")
    found = checked(obj(**{f"f{number}": dear for number in range(20)}))
    assert len(found) == 5
    assert found[-1] == "at"


def test_nodes_above_a_fault_are_left_out() -> None:
    wrong = rules("self.zz == 1")
    schema = obj(a=obj(b=INTEGER) | wrong, ab=obj(b=INTEGER) | wrong) | wrong
    assert checked(schema, "at.properties[a].properties[b].type") == [f"properties[ab].{RULE}.rule"]


def test_a_rule_is_shown_whole() -> None:
    rule = {"rule": "self", "message": "m", "reason": "FieldValueInvalid", "optionalOldSelf": False}
    assert said(CelEngine().check(INTEGER | rules(rule), "at")) == [
        (
            f'at.{RULE}.rule: Invalid value: {{"Rule":"self","Message":"m","MessageExpression":"",'
            '"Reason":"FieldValueInvalid","FieldPath":"","OptionalOldSelf":false}: '
            "cel expression must evaluate to a bool"
        ),
        f"at.{RULE}.optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule",
    ]


def test_what_has_no_type_can_have_no_rules() -> None:
    (fault,) = CelEngine().check(obj(a=PRESERVE | rules("true")), "at")
    assert fault.reason == "InternalError"
    assert fault.field == "at.properties[a].x-kubernetes-validations"
