"""custom resources: selection by fields that the definition names."""

import pytest

from contract import Api, Object
from contract_crd import (
    CustomKind,
    Definitions,
    array,
    boolean,
    integer,
    mapping,
    number,
    obj,
    spec,
    string,
)

SCHEMA = spec(
    colour=string(),
    size=integer(),
    on=boolean(),
    shape=string(default="round"),
    inner=obj(name=string()),
    share=number(),
    tags=array(string()),
    map=mapping(array(string())),
)


def fields(*paths: str) -> list[Object]:
    return [{"jsonPath": path} for path in paths]


async def serve(crds: Definitions) -> CustomKind:
    """Three widgets: a red one, a blue one, and one without a colour."""
    selectable = fields(".spec.colour", ".spec.size", ".spec.on", ".spec.shape", ".spec.inner.name")
    widgets = await crds.serve(SCHEMA, selectableFields=selectable)
    (await widgets.create("red", spec={"colour": "red", "size": 1, "on": True})).ok()
    (await widgets.create("blue", spec={"colour": "blue", "size": 2, "on": False, "shape": "flat"})).ok()
    (await widgets.create("plain", spec={"inner": {"name": "x"}})).ok()
    return widgets


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("spec.colour=red", ["red"]),
        ("spec.colour==red", ["red"]),
        ("spec.colour!=red", ["blue", "plain"]),
        ("spec.colour=", ["plain"]),
        ("spec.size=2", ["blue"]),
        ("spec.size=", ["plain"]),
        ("spec.on=true", ["red"]),
        ("spec.on=false", ["blue"]),
        ("spec.shape=round", ["plain", "red"]),
        ("spec.inner.name=x", ["plain"]),
        ("spec.colour=red,spec.size=1", ["red"]),
        ("spec.colour=red,spec.size=2", []),
        ("metadata.name=blue", ["blue"]),
        ("metadata.name!=blue,spec.colour=red", ["red"]),
    ],
)
async def test_a_list_may_be_narrowed_to_values_of_a_field(
    api: Api, crds: Definitions, selector: str, names: list[str]
) -> None:
    widgets = await serve(crds)

    listed = (await api.get(widgets.path, fieldSelector=selector)).ok()["items"]

    assert [item["metadata"]["name"] for item in listed] == names


@pytest.mark.parametrize("field", ["spec.share", "spec.nowhere", ".spec.colour", "metadata.uid", "status"])
async def test_a_field_that_the_definition_does_not_name_cannot_be_selected_by(
    api: Api, crds: Definitions, field: str
) -> None:
    widgets = await crds.serve(SCHEMA, selectableFields=fields(".spec.colour"))

    refused = (await api.get(widgets.path, fieldSelector=f"{field}=x")).refused(400, "BadRequest")

    assert refused["message"] == f"field label not supported: {field}"


async def test_an_object_enters_and_leaves_the_selection_of_a_watch(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)

    async with api.watch(widgets.path, fieldSelector="spec.colour=red") as events:
        first = await anext(events)
        (await api.patch(widgets.at("blue"), {"spec": {"colour": "red"}})).ok()
        entered = await anext(events)
        (await api.patch(widgets.at("blue"), {"spec": {"size": 7}})).ok()
        changed = await anext(events)
        final = (await api.patch(widgets.at("blue"), {"spec": {"colour": "green"}})).ok()
        left = await anext(events)

    assert [event["type"] for event in (first, entered, changed, left)] == [
        *("ADDED", "ADDED", "MODIFIED", "DELETED"),
    ]
    assert left["object"]["spec"]["colour"] == "red"
    assert left["object"]["metadata"]["resourceVersion"] == final["metadata"]["resourceVersion"]


async def test_a_collection_may_be_deleted_by_a_field(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)

    (await api.delete(widgets.path, fieldSelector="spec.colour=red")).ok()

    left = (await api.get(widgets.path)).ok()["items"]
    assert [item["metadata"]["name"] for item in left] == ["blue", "plain"]


@pytest.mark.parametrize(
    ("paths", "complaint"),
    [
        pytest.param(
            [".spec.x"],
            '[0].jsonPath: Invalid value: ".spec.x": is an invalid path: does not refer to a valid field',
            id="unknown-field",
        ),
        pytest.param(
            ["spec.colour"],
            '[0].jsonPath: Invalid value: "spec.colour": is an invalid path: expected [ or . but got: spec',
            id="without-a-dot",
        ),
        pytest.param(
            [".spec.tags[0]"],
            '[0].jsonPath: Invalid value: ".spec.tags[0]": is an invalid path: array notation is not allowed',
            id="item",
        ),
        pytest.param(
            [".spec.colour", ".spec.colour"], '[1].jsonPath: Duplicate value: ".spec.colour"', id="twice"
        ),
        pytest.param([""], "[0].jsonPath: Required value", id="empty"),
    ],
)
async def test_a_selectable_field_exists(crds: Definitions, paths: list[str], complaint: str) -> None:
    assert await crds.refuse(SCHEMA, selectableFields=fields(*paths)) == {f"spec.selectableFields{complaint}"}


@pytest.mark.parametrize("name", ["share", "tags", "inner", "map"])
async def test_a_selectable_field_is_text_a_boolean_or_an_integer(crds: Definitions, name: str) -> None:
    assert await crds.refuse(SCHEMA, selectableFields=fields(f".spec.{name}")) == {
        (
            f'spec.selectableFields[0].jsonPath: Invalid value: ".spec.{name}": must point to a field of type string, '
            "boolean or integer. Enum string fields and strings with formats are allowed."
        )
    }


async def test_selectable_fields_are_eight_at_most(crds: Definitions) -> None:
    names = [f"f{index}" for index in range(9)]
    schema = spec({name: string() for name in names})

    assert await crds.refuse(schema, selectableFields=fields(*(f".spec.{name}" for name in names))) == {
        "spec.selectableFields: Too many: 9: must have at most 8 items"
    }


async def test_metadata_is_not_selectable_even_if_the_schema_has_it(crds: Definitions) -> None:
    schema = obj(metadata=obj(name=string()), spec=obj())

    assert await crds.refuse(schema, selectableFields=fields(".metadata.name")) == {
        'spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata'
    }
