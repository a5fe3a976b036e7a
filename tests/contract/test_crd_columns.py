"""custom resources as a table: the columns of `kubectl get`."""

import re
from typing import Any

import pytest

from contract import Api, Object
from contract_crd import (
    TABLE,
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
    text=string(),
    count=integer(),
    share=number(),
    on=boolean(),
    tags=array(string()),
    map=mapping(string()),
    conditions=array(obj(type=string(), status=string())),
)
PARTIAL = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"


def column(name: str, path: str, kind: str = "string", **more: Any) -> Object:
    return {"name": name, "type": kind, "jsonPath": path, **more}


async def cells(kind: CustomKind) -> list[Any]:
    """The cells of the only row."""
    (row,) = (await kind.api.get(kind.path, accept=TABLE)).ok()["rows"]
    return list(row["cells"])


async def test_a_table_has_name_and_age_unless_told_otherwise(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    table = (await api.get(widgets.path, accept=TABLE)).ok()

    assert (table["apiVersion"], table["kind"]) == ("meta.k8s.io/v1", "Table")
    assert table["metadata"]["resourceVersion"]
    name, age = table["columnDefinitions"]
    assert (name["name"], name["type"], name["format"], name["priority"]) == ("Name", "string", "name", 0)
    assert (age["name"], age["type"], age["format"], age["priority"]) == ("Age", "date", "", 0)
    (row,) = table["rows"]
    assert row["cells"][0] == "a"
    assert re.fullmatch(r"\d+s", row["cells"][1])


async def test_columns_of_a_definition_stand_after_the_name_and_instead_of_the_age(
    api: Api, crds: Definitions
) -> None:
    columns = [
        column("Text", ".spec.text", priority=1, description="what it says"),
        column("Count", ".spec.count", "integer", format="int32"),
    ]
    widgets = await crds.serve(SCHEMA, additionalPrinterColumns=columns)

    defined = (await api.get(widgets.path, accept=TABLE)).ok()["columnDefinitions"]

    assert [each["name"] for each in defined] == ["Name", "Text", "Count"]
    assert defined[1:] == [
        {"name": "Text", "type": "string", "format": "", "description": "what it says", "priority": 1},
        {
            "name": "Count",
            "type": "integer",
            "format": "int32",
            "description": "Custom resource definition column (in JSONPath format): .spec.count",
            "priority": 0,
        },
    ]


@pytest.mark.parametrize(
    ("path", "kind", "cell"),
    [
        pytest.param(".spec.text", "string", "7", id="text"),
        pytest.param(".spec.count", "integer", 3, id="integer"),
        pytest.param(".spec.share", "number", 1.5, id="number"),
        pytest.param(".spec.on", "boolean", True, id="boolean"),
        pytest.param(".spec.count", "string", "3", id="integer-as-text"),
        pytest.param(".spec.on", "string", "true", id="boolean-as-text"),
        pytest.param(".spec.share", "integer", 1, id="number-as-integer"),
        pytest.param(".spec.text", "integer", None, id="text-is-no-integer"),
        pytest.param(".spec.text", "boolean", None, id="text-is-no-boolean"),
        pytest.param(".spec.tags", "string", '["x","y"]', id="list"),
        pytest.param(".spec.map", "string", '{"a.b/c":"1"}', id="object"),
        pytest.param(".spec.tags[1]", "string", "y", id="item"),
        pytest.param(".spec.tags[*]", "string", "x", id="the-first-of-all-items"),
        pytest.param(".spec.tags[7]", "string", None, id="no-such-item"),
        pytest.param(".spec.nowhere.at.all", "string", None, id="no-such-field"),
        pytest.param(r".spec.map.a\.b/c", "string", "1", id="escaped-key"),
        pytest.param('.spec.conditions[?(@.type=="Ready")].status', "string", "True", id="filter"),
        pytest.param(
            '.spec.conditions[?(@.type=="Other")].status', "string", None, id="filter-that-finds-nothing"
        ),
        pytest.param(".metadata.labels.app", "string", "web", id="label"),
        pytest.param(".kind", "string", "Widget", id="kind"),
    ],
)
async def test_a_cell_is_what_the_path_finds_in_the_type_of_the_column(
    crds: Definitions, path: str, kind: str, cell: Any
) -> None:
    widgets = await crds.serve(SCHEMA, additionalPrinterColumns=[column("X", path, kind)])
    conditions = [{"type": "Synced", "status": "False"}, {"type": "Ready", "status": "True"}]
    fields = {
        "text": "7",
        "count": 3,
        "share": 1.5,
        "on": True,
        "tags": ["x", "y"],
        "map": {"a.b/c": "1"},
        "conditions": conditions,
    }
    (await widgets.create("a", {"labels": {"app": "web"}}, spec=fields)).ok()

    assert await cells(widgets) == ["a", cell]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("2001-01-01T00:00:00Z", r"\d\dy"),
        ("2999-01-01T00:00:00Z", "<invalid>"),
        ("2001-01-01", "<invalid>"),
        ("yesterday", "<invalid>"),
    ],
    ids=["past", "future", "no-time", "no-date"],
)
async def test_a_date_is_shown_as_its_age(crds: Definitions, text: str, cell: str) -> None:
    widgets = await crds.serve(SCHEMA, additionalPrinterColumns=[column("X", ".spec.text", "date")])
    (await widgets.create("a", spec={"text": text})).ok()

    assert re.fullmatch(cell, (await cells(widgets))[1])


async def test_an_absent_date_is_an_empty_cell(crds: Definitions) -> None:
    widgets = await crds.serve(SCHEMA, additionalPrinterColumns=[column("X", ".spec.text", "date")])
    (await widgets.create("a")).ok()

    assert await cells(widgets) == ["a", None]


async def test_a_row_holds_the_metadata_or_more_or_less(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(SCHEMA)
    (await widgets.create("a", spec={"count": 1})).ok()

    metadata = (await api.get(widgets.at("a"), accept=TABLE)).ok()["rows"][0]["object"]
    whole = (await api.get(widgets.at("a"), accept=TABLE, includeObject="Object")).ok()["rows"][0]["object"]
    nothing = (await api.get(widgets.at("a"), accept=TABLE, includeObject="None")).ok()["rows"][0]["object"]

    assert (metadata["kind"], metadata["apiVersion"]) == ("PartialObjectMetadata", "meta.k8s.io/v1")
    assert metadata["metadata"]["name"] == "a"
    assert "spec" not in metadata
    assert (whole["kind"], whole["spec"]) == ("Widget", {"count": 1})
    assert nothing is None


async def test_a_watch_sends_tables_and_the_columns_once(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(SCHEMA, additionalPrinterColumns=[column("Count", ".spec.count", "integer")])
    for index, name in enumerate(("a", "b")):
        (await widgets.create(name, spec={"count": index})).ok()

    async with api.watch(widgets.path, accept=TABLE) as events:
        first, second = await anext(events), await anext(events)

    assert [each["name"] for each in first["object"]["columnDefinitions"]] == ["Name", "Count"]
    assert second["object"]["columnDefinitions"] is None
    assert [event["object"]["rows"][0]["cells"] for event in (first, second)] == [["a", 0], ["b", 1]]


async def test_a_list_may_be_of_metadata_only(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(SCHEMA)
    (await widgets.create("a", {"labels": {"x": "y"}}, spec={"count": 1})).ok()

    partial = (await api.get(widgets.path, accept=PARTIAL)).ok()

    assert (partial["kind"], partial["apiVersion"]) == ("PartialObjectMetadataList", "meta.k8s.io/v1")
    (item,) = partial["items"]
    assert (item["kind"], item["apiVersion"]) == ("PartialObjectMetadata", "meta.k8s.io/v1")
    assert item["metadata"]["labels"] == {"x": "y"}
    assert "spec" not in item


@pytest.mark.parametrize(
    ("faulty", "complaint"),
    [
        ({"name": ""}, "name: Required value"),
        ({"type": ""}, "type: Required value: must be one of boolean,date,integer,number,string"),
        (
            {"type": "float"},
            'type: Invalid value: "float": must be one of boolean,date,integer,number,string',
        ),
        ({"jsonPath": ""}, "JSONPath: Required value"),
        ({"jsonPath": "a"}, 'JSONPath: Invalid value: "a": must be a simple json path starting with .'),
        ({"jsonPath": "{.a}"}, 'JSONPath: Invalid value: "{.a}": must be a simple json path starting with .'),
        (
            {"format": "money"},
            'format: Invalid value: "money": must be one of byte,date,date-time,double,float,int32,int64,password',
        ),
    ],
    ids=["name", "type", "unknown-type", "path", "path-without-a-dot", "path-in-braces", "format"],
)
async def test_a_faulty_column_is_refused(crds: Definitions, faulty: Object, complaint: str) -> None:
    columns = [column("X", ".spec.a") | faulty]

    assert await crds.refuse(SCHEMA, additionalPrinterColumns=columns) == {
        f"spec.additionalPrinterColumns[0].{complaint}"
    }
