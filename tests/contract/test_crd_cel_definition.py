"""CEL: rules that are refused in the definition."""

import pytest

from contract import Object
from contract_crd import (
    ATOMIC_MAP,
    PRESERVE,
    Definitions,
    array,
    integer,
    map_by,
    mapping,
    needs,
    number,
    obj,
    rules,
    spec,
    string,
)

ROOT = "spec.validation.openAPIV3Schema"
RULE = f"{ROOT}.properties[spec].x-kubernetes-validations[0]"
FIELDS = obj(
    a=integer(), s=string(), l=array(string()), o=obj(x=integer()), m=mapping(integer()), any=PRESERVE
)
BUDGET = (
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, "
    "and strings are declared)"
)


@pytest.mark.parametrize(
    ("rule", "faults"),
    [
        pytest.param("self.a >", ["1:9: Syntax error: mismatched input '<EOF>' expecting "], id="syntax"),
        pytest.param("self.zz == 1", ["1:5: undefined field 'zz'"], id="undefined-field"),
        pytest.param("self.o.zz == 1", ["1:7: undefined field 'zz'"], id="undefined-field-deeper"),
        pytest.param("has(self.any)", ["1:4: undefined field 'any'"], id="untyped-fields-do-not-exist"),
        pytest.param(
            "self.metadata.name == 'x'", ["1:5: undefined field 'metadata'"], id="metadata-below-the-root"
        ),
        pytest.param(
            "other == 1", ["1:1: undeclared reference to 'other' (in container '')"], id="unknown-variable"
        ),
        pytest.param(
            "rise(self.a)", ["1:5: undeclared reference to 'rise' (in container '')"], id="unknown-function"
        ),
        pytest.param(
            "self.a == 'x'",
            ["1:8: found no matching overload for '_==_' applied to '(int, string)'"],
            id="types-that-cannot-be-equal",
        ),
        pytest.param(
            "self.a + 1.0 > 2.0",
            ["1:8: found no matching overload for '_+_' applied to '(int, double)'"],
            id="types-that-cannot-be-added",
        ),
        pytest.param(
            "self.zz == 1 && self.yy == 2",
            ["1:5: undefined field 'zz'", "1:21: undefined field 'yy'"],
            id="two-faults",
        ),
        pytest.param("self.s.matches('([')", ["1:16: invalid matches argument"], id="constant-pattern"),
        pytest.param(
            "duration('x') > duration('1s')", ["1:10: invalid duration argument"], id="constant-duration"
        ),
    ],
)
async def test_a_rule_that_does_not_compile_is_refused(
    crds: Definitions, rule: str, faults: list[str]
) -> None:
    (complaint,) = await crds.refuse(obj(spec=FIELDS | rules(rule)))

    assert complaint.startswith(f'{RULE}.rule: Invalid value: {{"Rule":"')
    _, _, errors = complaint.partition(": compilation failed: ERROR: <input>:")
    found = errors.split("\nERROR: <input>:")
    assert len(found) == len(faults)
    assert all(got.startswith(fault) for got, fault in zip(found, faults, strict=True))
    assert f"\n | {rule}\n | " in errors


@pytest.mark.parametrize(
    ("rule", "field", "message"),
    [
        pytest.param({"rule": " "}, "rule", "Required value: rule is not specified", id="empty"),
        pytest.param(
            {"rule": "true", "message": " "},
            "message",
            'Invalid value: " ": must be non-empty if specified',
            id="blank-message",
        ),
        pytest.param(
            {"rule": "true", "message": "a\nb"},
            "message",
            'Invalid value: "a\\nb": must not contain line breaks',
            id="message-of-two-lines",
        ),
        pytest.param(
            {"rule": "self.a\n> 1"},
            "message",
            "Required value: message must be specified if rule contains line breaks",
            id="rule-of-two-lines-without-a-message",
        ),
        pytest.param(
            {"rule": "true", "reason": "Silly"},
            "reason",
            'Unsupported value: "Silly": supported values: "FieldValueDuplicate", "FieldValueForbidden", '
            '"FieldValueInvalid", "FieldValueRequired"',
            id="unknown-reason",
        ),
        pytest.param(
            {"rule": "true", "fieldPath": ".zz"},
            "fieldPath",
            'Invalid value: ".zz": must be a valid path',
            id="path-to-nowhere",
        ),
        pytest.param(
            {"rule": "true", "fieldPath": "a"},
            "fieldPath",
            'Invalid value: "a": must be a valid path',
            id="path-without-a-dot",
        ),
        pytest.param(
            {"rule": "true", "optionalOldSelf": True},
            "optionalOldSelf",
            "Invalid value: true: may not be set if oldSelf is not used in rule",
            id="optional-old-self-without-old-self",
        ),
    ],
)
async def test_a_faulty_rule_is_refused(crds: Definitions, rule: Object, field: str, message: str) -> None:
    assert await crds.refuse(obj(spec=FIELDS | rules(rule))) == {f"{RULE}.{field}: {message}"}


@pytest.mark.parametrize(
    ("rule", "field", "ending"),
    [
        ({"rule": "self.a"}, "rule", ": cel expression must evaluate to a bool"),
        (
            {"rule": "true", "messageExpression": "self.a"},
            "messageExpression",
            ": messageExpression must evaluate to a string",
        ),
    ],
    ids=["rule", "message-expression"],
)
async def test_an_expression_of_a_wrong_type_is_refused(
    crds: Definitions, rule: Object, field: str, ending: str
) -> None:
    (complaint,) = await crds.refuse(obj(spec=FIELDS | rules(rule)))

    assert complaint.startswith(f"{RULE}.{field}: Invalid value: ")
    assert complaint.endswith(ending)


async def test_a_rule_that_may_cost_too_much_is_refused(crds: Definitions) -> None:
    unlimited = array(string())
    rule = rules("self.all(x, self.all(y, x == y))")
    field = f"{ROOT}.properties[spec].properties[f].x-kubernetes-validations[0].rule"
    factor = "exceeds budget by factor of more than 100x"

    assert await crds.refuse(spec(f=unlimited | rule)) == {
        f"{field}: Forbidden: estimated rule cost {factor} {BUDGET}",
        (
            f"{field}: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire "
            "OpenAPIv3 schema"
        ),
        (
            f"{ROOT}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema "
            f"{factor} {BUDGET}"
        ),
    }


async def test_limits_in_the_schema_make_a_rule_cheap_enough(crds: Definitions) -> None:
    limited = array(string(maxLength=10), maxItems=10)

    reply = await crds.create(crds.new(spec(f=limited | rules("self.all(x, self.all(y, x == y))"))))

    assert reply.status == 201


async def test_a_cheap_rule_on_items_without_limits_costs_too_much(crds: Definitions) -> None:
    complaints = await crds.refuse(spec(f=array(obj(x=string() | rules("self.contains('a')")))))

    field = f"{ROOT}.properties[spec].properties[f].items.properties[x].x-kubernetes-validations[0].rule"
    assert f"{field}: Forbidden: estimated rule cost exceeds budget by factor of more than 100x {BUDGET}" in (
        complaints
    )


async def test_an_item_of_an_atomic_list_has_no_old_self(crds: Definitions) -> None:
    schema = array(string(maxLength=5) | rules("self == oldSelf"), maxItems=5)

    assert await crds.refuse(spec(f=schema)) == {
        (
            f"{ROOT}.properties[spec].properties[f].items.x-kubernetes-validations[0].rule: "
            'Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the '
            f"schema within {ROOT}.properties[spec].properties[f]"
        )
    }


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(
            array(obj(k=string(), v=integer() | rules("self == oldSelf")) | needs("k"), maxItems=5)
            | map_by("k"),
            id="old-self-of-an-item-found-by-its-keys",
        ),
        pytest.param(
            obj(a=integer() | rules("self == oldSelf")) | ATOMIC_MAP, id="old-self-in-an-atomic-object"
        ),
        pytest.param(
            obj(n=number(), i=integer()) | rules("self.n > self.i", "self.n > 1"),
            id="numbers-of-two-types-are-compared",
        ),
        pytest.param(
            obj(a=integer()) | rules({"rule": "self.a\n> 1", "message": "too small"}),
            id="rule-of-two-lines-with-a-message",
        ),
        pytest.param(
            obj(o=obj(x=integer())) | rules({"rule": "true", "fieldPath": ".o.x"}), id="path-to-a-field"
        ),
    ],
)
async def test_a_good_rule_is_taken(crds: Definitions, schema: Object) -> None:
    assert (await crds.create(crds.new(spec(f=schema)))).status == 201


async def test_a_rule_at_the_root_sees_the_name_but_no_labels(crds: Definitions) -> None:
    known = "self.metadata.name != '' && self.metadata.generateName == '' && self.kind == 'Widget'"
    assert (await crds.create(crds.new(obj(spec=FIELDS) | rules(known)))).status == 201

    (complaint,) = await crds.refuse(obj(spec=FIELDS) | rules("size(self.metadata.labels) > 0"))

    assert "undefined field 'labels'" in complaint


@pytest.mark.parametrize(
    ("limits", "factor"),
    [
        pytest.param({"maxItems": 2000}, "5.2x", id="much"),
        pytest.param({"maxItems": 1000}, "1.300500x", id="little"),
    ],
)
async def test_how_much_too_dear_a_rule_is(crds: Definitions, limits: Object, factor: str) -> None:
    complaints = await crds.refuse(
        spec(f=array(string(maxLength=20), **limits) | rules("self.all(x, self.all(y, x == y))"))
    )

    field = f"{ROOT}.properties[spec].properties[f].x-kubernetes-validations[0].rule"
    assert complaints == {
        f"{field}: Forbidden: estimated rule cost exceeds budget by factor of {factor} {BUDGET}"
    }


async def test_a_message_may_cost_too_much_too(crds: Definitions) -> None:
    rule = {"rule": "true", "messageExpression": "self.map(x, self.map(y, x + y).join()).join()"}

    complaints = await crds.refuse(spec(f=array(string(maxLength=100), maxItems=100) | rules(rule)))

    field = f"{ROOT}.properties[spec].properties[f].x-kubernetes-validations[0].messageExpression"
    assert (
        f"{field}: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x {BUDGET}"
        in (complaints)
    )


async def test_the_dearest_rules_are_named_when_all_together_cost_too_much(crds: Definitions) -> None:
    dear = array(string(maxLength=10), maxItems=800) | rules("self.all(x, self.all(y, x == y))")

    complaints = await crds.refuse(spec(**{f"f{number}": dear for number in range(20)}))

    total = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget"
    assert len([each for each in complaints if "contributed to estimated rule cost total" in each]) == 4
    assert (
        len([each for each in complaints if each.startswith(f"{ROOT}: Forbidden: {total} by factor of 1.")])
        == 1
    )
    assert len(complaints) == 5


async def test_a_message_that_does_not_compile_is_refused(crds: Definitions) -> None:
    (complaint,) = await crds.refuse(
        obj(spec=FIELDS | rules({"rule": "self.a > 1", "messageExpression": "self.zz"}))
    )

    assert complaint.startswith(f'{RULE}.messageExpression: Invalid value: {{"Rule":"self.a')
    assert ": messageExpression compilation failed: ERROR: <input>:1:5: undefined field 'zz'\n" in complaint


async def test_rules_are_judged_even_if_another_part_of_the_schema_is_wrong(crds: Definitions) -> None:
    good = obj(a=integer()) | rules("self.zz == 1")
    bad = obj(a=integer()) | rules({"rule": "self.zz == 1", "fieldPath": ".yy"})

    complaints = await crds.refuse(spec(good=good, bad=bad))

    at = f"{ROOT}.properties[spec].properties"
    assert {each.partition(": ")[0] for each in complaints} == {
        f"{at}[good].x-kubernetes-validations[0].rule",
        f"{at}[bad].x-kubernetes-validations[0].fieldPath",
    }


async def test_rules_on_an_item_are_judged_even_if_its_list_is_wrong(crds: Definitions) -> None:
    items = obj(a=integer() | rules("self.zz == 1"))

    complaints = await crds.refuse(spec(f=array(items) | map_by("a")))

    at = f"{ROOT}.properties[spec].properties[f].items.properties[a]"
    assert {each.partition(": ")[0] for each in complaints} == {
        f"{at}.default",
        f"{at}.x-kubernetes-validations[0].rule",
    }


async def test_where_a_schema_cannot_be_read_every_path_is_taken(crds: Definitions) -> None:
    unreadable = obj(a=integer(), b={"type": "string", "id": "x"})

    complaints = await crds.refuse(
        obj(spec=unreadable | rules({"rule": "true", "fieldPath": ".zz", "reason": "Silly"}))
    )

    assert {each.partition(": ")[0] for each in complaints} == {
        f"{ROOT}.properties[spec].properties[b].id",
        f"{RULE}.reason",
    }


async def test_an_optional_old_value_is_not_needed_by_a_rule_that_does_not_compile(crds: Definitions) -> None:
    complaints = await crds.refuse(
        obj(spec=FIELDS | rules({"rule": "oldSelf.hasValue() || self.zz", "optionalOldSelf": True}))
    )

    assert {each.partition(": ")[0] for each in complaints} == {f"{RULE}.rule", f"{RULE}.optionalOldSelf"}


async def test_a_rule_cannot_be_on_what_has_no_type(crds: Definitions) -> None:
    assert await crds.refuse(spec(f=PRESERVE | rules("true"))) == {
        (
            f"{ROOT}.properties[spec].properties[f].x-kubernetes-validations: Internal error: internal error: "
            "failed to construct type information for x-kubernetes-validations rules: unable to convert "
            "structural schema to CEL declarations"
        )
    }
