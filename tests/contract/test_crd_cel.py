"""CEL: what a rule sees, and how it is reported when it fails."""

from typing import Any

import pytest

from contract import Api, Object
from contract_crd import (
    EMBEDDED,
    INT_OR_STRING,
    PRESERVE,
    SET,
    Definitions,
    array,
    integer,
    invalid,
    mapping,
    number,
    obj,
    rules,
    spec,
    string,
)


async def test_a_failed_rule_is_quoted_with_the_value(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=integer() | rules("self > 0")))

    reply = await widgets.create("a", spec={"f": 0})

    assert invalid(reply) == {"spec.f: Invalid value: 0: failed rule: self > 0"}
    assert reply.body["details"]["causes"][0]["reason"] == "FieldValueInvalid"
    assert (await widgets.create("a", spec={"f": 1})).status == 201


async def test_the_value_of_an_object_or_a_list_is_not_quoted(crds: Definitions) -> None:
    lists = array(integer(), maxItems=3) | rules("self.size() > 1")
    widgets = await crds.serve(obj(spec=obj(a=integer(), list=lists) | rules("self.a > 0")))

    assert invalid(await widgets.create("a", spec={"a": 0, "list": []})) == {
        "spec: Invalid value: failed rule: self.a > 0",
        "spec.list: Invalid value: failed rule: self.size() > 1",
    }


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        pytest.param({"message": "be positive"}, "Invalid value: 0: be positive", id="message"),
        pytest.param(
            {"messageExpression": "self == 0 ? 'none' : 'less'"}, "Invalid value: 0: none", id="expression"
        ),
        pytest.param(
            {"message": "static", "messageExpression": "self == 0 ? 'none' : 'less'"},
            "Invalid value: 0: none",
            id="the-expression-wins",
        ),
        pytest.param(
            {"message": "static", "messageExpression": "''"},
            "Invalid value: 0: static",
            id="an-empty-expression-does-not",
        ),
        pytest.param(
            {"message": "static", "messageExpression": "string(1 / self)"},
            "Invalid value: 0: static",
            id="nor-one-that-fails",
        ),
        pytest.param(
            {"messageExpression": "string(1 / self)"},
            "Invalid value: 0: failed rule: self > 0",
            id="nor-one-that-fails-without-a-message",
        ),
        pytest.param({"reason": "FieldValueForbidden"}, "Forbidden: failed rule: self > 0", id="forbidden"),
        pytest.param(
            {"reason": "FieldValueRequired", "message": "needed"}, "Required value: needed", id="required"
        ),
        pytest.param(
            {"reason": "FieldValueDuplicate", "message": "twice"}, "Duplicate value: 0", id="duplicate"
        ),
    ],
)
async def test_a_rule_may_say_how_its_failure_is_reported(
    crds: Definitions, rule: Object, complaint: str
) -> None:
    widgets = await crds.serve(spec(f=integer() | rules({"rule": "self > 0", **rule})))

    assert invalid(await widgets.create("a", spec={"f": 0})) == {f"spec.f: {complaint}"}


async def test_a_rule_may_blame_a_field_below_even_one_that_is_absent(crds: Definitions) -> None:
    fields = obj(min=integer(), max=obj(value=integer()))
    rule = {"rule": "has(self.max)", "fieldPath": ".max.value", "message": "give a limit"}
    widgets = await crds.serve(obj(spec=fields | rules(rule)))

    assert invalid(await widgets.create("a", spec={"min": 3})) == {
        "spec.max.value: Invalid value: give a limit"
    }


async def test_a_rule_at_the_root_blames_no_field(crds: Definitions) -> None:
    rule = {"rule": "self.metadata.name.startsWith('w')", "message": "the name starts with w"}
    widgets = await crds.serve(spec() | rules(rule))

    assert (await widgets.create("wide")).status == 201
    assert invalid(await widgets.create("narrow")) == {"<nil>: Invalid value: the name starts with w"}


async def test_every_item_and_every_value_that_fails_is_named(crds: Definitions) -> None:
    item = string(maxLength=5) | rules({"rule": "self != 'bad'", "message": "no"})
    widgets = await crds.serve(
        spec(list=array(item, maxItems=5), map=mapping(integer() | rules("self > 0"), maxProperties=5))
    )

    reply = await widgets.create(
        "a", spec={"list": ["bad", "good", "bad"], "map": {"a": 0, "b.c": -1, "d": 1}}
    )

    assert invalid(reply) == {
        'spec.list[0]: Invalid value: "bad": no',
        'spec.list[2]: Invalid value: "bad": no',
        "spec.map[a]: Invalid value: 0: failed rule: self > 0",
        "spec.map[b.c]: Invalid value: -1: failed rule: self > 0",
    }


async def test_a_rule_that_cannot_be_evaluated_fails(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=integer() | rules("10 / self > 1")))

    assert invalid(await widgets.create("a", spec={"f": 0})) == {
        'spec.f: Invalid value: "integer": division by zero evaluating rule: 10 / self > 1'
    }


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ([2.0, 2], "'no such overload: isSorted(list)'"),
        ([2, 2.0], "invalid data, expected int, got float64"),
    ],
    ids=["first", "later"],
)
async def test_an_item_that_is_no_integer_to_rules_is_of_no_type(
    crds: Definitions, sent: list[float], why: str
) -> None:
    widgets = await crds.serve(spec(f=array(integer()) | rules("self.isSorted()")))

    (said,) = invalid(await widgets.create("a", spec={"f": sent}))

    assert why in said


async def test_a_rule_that_reads_an_absent_field_fails(crds: Definitions) -> None:
    widgets = await crds.serve(obj(spec=obj(a=integer()) | rules("self.a > 0")))

    assert invalid(await widgets.create("a", spec={})) == {
        'spec: Invalid value: "object": no such key: a evaluating rule: self.a > 0'
    }


async def test_rules_are_not_asked_about_absent_or_null_values(crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer() | rules("false"), b=integer(nullable=True) | rules("false")))

    assert (await widgets.create("a", spec={"b": None})).status == 201


async def test_rules_see_defaults(crds: Definitions) -> None:
    widgets = await crds.serve(obj(spec=obj(a=integer(default=3)) | rules("self.a == 3")))

    assert (await widgets.create("a", spec={})).ok()["spec"] == {"a": 3}


async def test_rules_wait_until_the_schema_is_satisfied(crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer(), b=integer() | rules("self > 0")))

    assert invalid(await widgets.create("a", spec={"a": "x", "b": 0})) == {
        'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
        (
            "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; "
            "correct the existing errors to complete validation"
        ),
    }


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("if", "__if__"),
        ("namespace", "__namespace__"),
        ("true", "__true__"),
        ("a-b", "a__dash__b"),
        ("a.b", "a__dot__b"),
        ("a/b", "a__slash__b"),
        ("a__b", "a__underscores__b"),
        ("self", "self"),
        ("int", "int"),
    ],
)
async def test_names_that_cel_cannot_spell_are_escaped(crds: Definitions, name: str, escaped: str) -> None:
    widgets = await crds.serve(obj(spec=obj({name: integer()}) | rules(f"self.{escaped} > 0")))

    assert (await widgets.create("good", spec={name: 1})).status == 201
    assert invalid(await widgets.create("bad", spec={name: 0})) == {
        f"spec: Invalid value: failed rule: self.{escaped} > 0"
    }


@pytest.mark.parametrize(
    ("schema", "rule", "good", "bad"),
    [
        pytest.param(
            INT_OR_STRING, "type(self) == int ? self > 1 : self == 'all'", "all", 1, id="int-or-string"
        ),
        pytest.param(number(), "self > 0.5", 1, 0.5, id="a-whole-number-is-still-a-double"),
        pytest.param(
            string(format="date-time"),
            "self > timestamp('2020-01-01T00:00:00Z')",
            "2020-01-01T00:00:00.001Z",
            "2020-01-01T01:00:00+02:00",
            id="date-time-is-a-timestamp",
        ),
        pytest.param(
            string(format="duration"), "self > duration('1m')", "61s", "1m", id="duration-is-a-duration"
        ),
        pytest.param(string(format="byte"), "self == b'hi'", "aGk=", "aGE=", id="byte-is-bytes"),
        pytest.param(
            array(string(maxLength=3), maxItems=3) | SET,
            "self == ['a', 'b']",
            ["b", "a"],
            ["a"],
            id="the-order-of-a-set-does-not-matter",
        ),
        pytest.param(
            array(string(maxLength=3), maxItems=3),
            "self == ['a', 'b']",
            ["a", "b"],
            ["b", "a"],
            id="the-order-of-a-list-does",
        ),
        pytest.param(
            mapping(integer(), maxProperties=3),
            "'a' in self && self.all(key, self[key] > 0)",
            {"a": 1, "b": 1},
            {"b": 1},
            id="keys-of-a-map",
        ),
        pytest.param(
            {"type": "object"} | EMBEDDED | PRESERVE,
            "self.kind == 'Pod' && self.metadata.name == 'a'",
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}},
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b"}},
            id="type-and-name-of-an-embedded-object",
        ),
    ],
)
async def test_a_rule_sees_a_value_as_its_schema_types_it(
    crds: Definitions, *, schema: Object, rule: str, good: Any, bad: Any
) -> None:
    widgets = await crds.serve(spec(f=schema | rules(rule)))

    assert (await widgets.create("good", spec={"f": good})).status == 201
    (complaint,) = invalid(await widgets.create("bad", spec={"f": bad}))
    assert complaint.startswith("spec.f: Invalid value: ")
    assert complaint.endswith(f"failed rule: {rule}")


async def test_rules_guard_status_too(api: Api, crds: Definitions) -> None:
    schema = obj(spec=obj(max=integer()), status=obj(now=integer() | rules("self > 0")))
    rule = {"rule": "!has(self.status) || self.status.now <= self.spec.max", "message": "too much"}
    widgets = await crds.serve(schema | rules(rule), subresources={"status": {}})
    (await widgets.create("a", spec={"max": 3})).ok()
    status = widgets.at("a") + "/status"

    assert invalid(await api.patch(status, {"status": {"now": 0}})) == {
        "status.now: Invalid value: 0: failed rule: self > 0"
    }
    assert invalid(await api.patch(status, {"status": {"now": 4}})) == {"<nil>: Invalid value: too much"}
    assert (await api.patch(status, {"status": {"now": 3}})).status == 200
    assert invalid(await api.patch(widgets.at("a"), {"spec": {"max": 2}})) == {
        "<nil>: Invalid value: too much"
    }


async def test_rules_are_not_checked_for_an_object_without_a_name(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=integer() | rules("self > 0")))

    complaints = invalid(await widgets.create("", spec={"f": 0}))

    (unchecked,) = complaints - {"metadata.name: Required value: name or generateName is required"}
    assert unchecked.startswith("<nil>: Invalid value: null: some validation rules were not checked")


async def test_rules_are_checked_for_an_object_that_says_to_be_of_another_kind(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve(spec(f=integer(maximum=5) | rules("self < 7"), g=array(string()) | SET))
    (await widgets.create("a", spec={"f": 1})).ok()

    reply = await api.patch(widgets.at("a"), {"kind": "Gadget", "spec": {"f": 8, "g": ["x", "x"]}})

    assert invalid(reply) == {
        'kind: Invalid value: "Gadget": must be Widget',
        "spec.f: Invalid value: 8: failed rule: self < 7",
        'spec.g[1]: Duplicate value: "x"',
    }
