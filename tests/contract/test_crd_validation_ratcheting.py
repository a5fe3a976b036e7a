"""validation: what an update need not mend after the schema was tightened."""

from typing import Any

import pytest

from contract import Api, Object
from contract_crd import (
    SET,
    Definitions,
    array,
    integer,
    invalid,
    map_by,
    mapping,
    needs,
    obj,
    rules,
    spec,
    string,
    warning,
)

STRICT = string(enum=["good"])
UNSUPPORTED = 'Unsupported value: "bad": supported values: "good"'


def items(value: Object) -> Object:
    return array(obj(key=string(), value=value, other=string()) | needs("key")) | map_by("key")


async def test_a_tightened_schema_refuses_new_objects(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=string()))

    await crds.change_schema(widgets, spec(f=STRICT))

    assert invalid(await widgets.create("a", spec={"f": "bad"})) == {f"spec.f: {UNSUPPORTED}"}


@pytest.mark.parametrize(
    ("loose", "tight", "value"),
    [
        pytest.param(string(), STRICT, "bad", id="enum"),
        pytest.param(string(), string(maxLength=2), "bad", id="length"),
        pytest.param(string(), integer(), "bad", id="type"),
        pytest.param(array(string()), array(STRICT), ["bad"], id="items"),
        pytest.param(obj(a=string()), obj(a=string(), b=string()) | needs("b"), {"a": "x"}, id="required"),
        pytest.param(array(string()), array(string()) | SET, ["x", "x"], id="list-type"),
    ],
)
async def test_a_field_that_does_not_change_may_stay_invalid(
    api: Api, crds: Definitions, *, loose: Object, tight: Object, value: Any
) -> None:
    widgets = await crds.serve(spec(f=loose, g=integer()))
    (await widgets.create("a", spec={"f": value})).ok()

    await crds.change_schema(widgets, spec(f=tight, g=integer()))

    changed = await api.patch(widgets.at("a"), {"spec": {"g": 1}})
    assert changed.ok()["spec"] == {"f": value, "g": 1}


@pytest.mark.parametrize(
    ("loose", "tight", "old", "new", "complaint"),
    [
        pytest.param(string(), STRICT, "worse", "bad", f"spec.f: {UNSUPPORTED}", id="value"),
        pytest.param(
            array(string()), array(STRICT), ["bad"], ["bad", "good"], f"spec.f[0]: {UNSUPPORTED}", id="list"
        ),
        pytest.param(
            obj(a=string()),
            obj(a=string(), b=string()) | needs("b"),
            {"a": "x"},
            {"a": "y"},
            "spec.f.b: Required value",
            id="required-beside-a-change",
        ),
        pytest.param(
            mapping(string()),
            mapping(STRICT),
            {"k": "bad"},
            {"k": "bad", "l": "bad"},
            f"spec.f.l: {UNSUPPORTED}",
            id="new-key-of-a-map",
        ),
        pytest.param(
            items(string()),
            items(STRICT),
            [{"key": "k", "value": "bad"}],
            [{"key": "l", "value": "bad"}],
            f"spec.f[0].value: {UNSUPPORTED}",
            id="new-key-of-a-list",
        ),
    ],
)
async def test_a_field_that_changes_is_validated(
    api: Api, crds: Definitions, *, loose: Object, tight: Object, old: Any, new: Any, complaint: str
) -> None:
    widgets = await crds.serve(spec(f=loose))
    (await widgets.create("a", spec={"f": old})).ok()

    await crds.change_schema(widgets, spec(f=tight))

    assert invalid(await api.patch(widgets.at("a"), {"spec": {"f": new}})) == {complaint}


@pytest.mark.parametrize(
    ("loose", "tight", "old", "new"),
    [
        pytest.param(
            mapping(string()),
            mapping(STRICT),
            {"k": "bad"},
            {"k": "bad", "l": "good"},
            id="other-key-of-a-map",
        ),
        pytest.param(
            items(string()),
            items(STRICT),
            [{"key": "k", "value": "bad"}, {"key": "l", "value": "bad"}],
            [{"key": "l", "value": "bad", "other": "x"}, {"key": "k", "value": "bad"}],
            id="items-are-found-by-their-keys",
        ),
        pytest.param(
            array(string()),
            array(string()) | SET,
            ["x", "x"],
            ["x", "x", "y"],
            id="a-set-that-had-duplicates",
        ),
    ],
)
async def test_what_does_not_change_is_found_beside_what_does(
    api: Api, crds: Definitions, *, loose: Object, tight: Object, old: Any, new: Any
) -> None:
    widgets = await crds.serve(spec(f=loose))
    (await widgets.create("a", spec={"f": old})).ok()

    await crds.change_schema(widgets, spec(f=tight))

    assert (await api.patch(widgets.at("a"), {"spec": {"f": new}})).ok()["spec"] == {"f": new}


async def test_a_rule_that_an_unchanged_field_breaks_is_a_warning(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=string(), g=integer()))
    (await widgets.create("a", spec={"f": "bad"})).ok()
    await crds.change_schema(
        widgets, spec(f=string(maxLength=9) | rules("self.startsWith('good')"), g=integer())
    )

    elsewhere = await api.patch(widgets.at("a"), {"spec": {"g": 1}})
    there = await api.patch(widgets.at("a"), {"spec": {"f": "worse"}})

    assert elsewhere.status == 200
    complaint = "spec.f: Invalid value: \"%s\": failed rule: self.startsWith('good')"
    assert elsewhere.warnings == (warning(complaint % "bad"),)
    assert invalid(there) == {complaint % "worse"}


async def test_a_rule_about_the_change_is_checked_though_nothing_changes(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=string(), g=integer()))
    (await widgets.create("a", spec={"f": "bad"})).ok()
    await crds.change_schema(
        widgets, spec(f=string(maxLength=9) | rules("self == 'good' || oldSelf == 'good'"), g=integer())
    )

    assert invalid(await api.patch(widgets.at("a"), {"spec": {"g": 1}})) == {
        "spec.f: Invalid value: \"bad\": failed rule: self == 'good' || oldSelf == 'good'"
    }


async def test_an_invalid_field_may_be_removed(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=string()))
    (await widgets.create("a", spec={"f": "bad"})).ok()

    await crds.change_schema(widgets, spec(f=STRICT))

    assert (await api.patch(widgets.at("a"), {"spec": {"f": None}})).ok()["spec"] == {}


async def test_a_rule_that_is_broken_already_is_a_warning_of_every_write(api: Api, crds: Definitions) -> None:
    loose, tight = string(), string(maxLength=9) | rules("self.startsWith('good')")

    def schema(f: Object) -> Object:
        return obj(spec=obj(f=f, g=integer(maximum=5)), status=obj(h=integer()))

    widgets = await crds.serve(schema(loose), subresources={"status": {}})
    (await widgets.create("a", spec={"f": "bad"})).ok()
    await crds.change_schema(widgets, schema(tight))

    of_status = await api.patch(f"{widgets.at('a')}/status", {"status": {"h": 1}})
    refused = await api.patch(widgets.at("a"), {"spec": {"g": 6}})

    told = (warning("spec.f: Invalid value: \"bad\": failed rule: self.startsWith('good')"),)
    assert (of_status.status, of_status.warnings) == (200, told)
    assert (refused.status, refused.warnings) == (422, told)
