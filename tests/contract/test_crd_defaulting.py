"""defaulting: when the defaults of a schema are filled in, and where."""

import pytest

from contract import JSON_PATCH, Api, Object
from contract_crd import (
    PRESERVE,
    Definitions,
    array,
    definition,
    integer,
    invalid,
    mapping,
    needs,
    obj,
    rules,
    spec,
    string,
    version,
)


@pytest.mark.parametrize(
    ("schema", "sent", "filled"),
    [
        pytest.param(integer(default=5), {}, {"f": 5}, id="absent"),
        pytest.param(integer(default=5), {"f": 0}, {"f": 0}, id="zero-is-kept"),
        pytest.param(string(default="x"), {"f": ""}, {"f": ""}, id="empty-text-is-kept"),
        pytest.param(array(string(), default=["x"]), {"f": []}, {"f": []}, id="empty-list-is-kept"),
        pytest.param(array(string(), default=["x"]), {}, {"f": ["x"]}, id="list"),
        pytest.param(obj(a=integer(default=1)), {}, {}, id="not-below-an-absent-object"),
        pytest.param(obj(a=integer(default=1)), {"f": {}}, {"f": {"a": 1}}, id="below-an-empty-object"),
        pytest.param(
            obj(a=integer(default=1)) | {"default": {}}, {}, {"f": {"a": 1}}, id="below-a-defaulted-object"
        ),
        pytest.param(
            obj(a=integer(default=1), b=integer()) | {"default": {"b": 2}},
            {},
            {"f": {"a": 1, "b": 2}},
            id="into-a-default",
        ),
        pytest.param(
            obj(a=integer(default=1), b=integer()) | {"default": {"b": 2}},
            {"f": {}},
            {"f": {"a": 1}},
            id="a-default-is-not-merged-into-a-given-object",
        ),
        pytest.param(
            array(obj(a=integer(default=1))),
            {"f": [{}, {"a": 2}]},
            {"f": [{"a": 1}, {"a": 2}]},
            id="in-a-list",
        ),
        pytest.param(
            mapping(obj(a=integer(default=1))), {"f": {"k": {}}}, {"f": {"k": {"a": 1}}}, id="in-a-map"
        ),
        pytest.param(
            obj(a=integer(default=1)) | PRESERVE,
            {"f": {"x": 2}},
            {"f": {"a": 1, "x": 2}},
            id="beside-kept-unknown-fields",
        ),
    ],
)
async def test_a_default_is_filled_in_on_creation(
    crds: Definitions, schema: Object, sent: Object, filled: Object
) -> None:
    widgets = await crds.serve(spec(f=schema))

    assert (await widgets.create("a", spec=sent)).ok()["spec"] == filled


@pytest.mark.parametrize(
    ("schema", "sent", "stored"),
    [
        pytest.param(integer(), {"f": None}, {}, id="dropped"),
        pytest.param(integer(default=5), {"f": None}, {"f": 5}, id="dropped-then-defaulted"),
        pytest.param(integer(nullable=True), {"f": None}, {"f": None}, id="kept-where-nullable"),
        pytest.param(
            integer(nullable=True, default=5), {"f": None}, {"f": None}, id="nullable-not-defaulted"
        ),
        pytest.param(integer(nullable=True, default=5), {}, {"f": 5}, id="absent-is-not-null"),
        pytest.param(mapping(integer()), {"f": {"k": None}}, {"f": {}}, id="dropped-from-a-map"),
        pytest.param(
            array(integer(nullable=True)), {"f": [None]}, {"f": [None]}, id="kept-in-a-list-of-nullable"
        ),
        pytest.param(array(integer(default=1)), {"f": [None, 2]}, {"f": [1, 2]}, id="defaulted-in-a-list"),
        pytest.param(
            mapping(integer(default=1)), {"f": {"k": None}}, {"f": {"k": 1}}, id="defaulted-in-a-map"
        ),
        pytest.param(PRESERVE, {"f": {"x": None}}, {"f": {"x": None}}, id="kept-in-unknown-fields"),
    ],
)
async def test_what_becomes_of_null(crds: Definitions, schema: Object, sent: Object, stored: Object) -> None:
    widgets = await crds.serve(spec(f=schema))

    assert (await widgets.create("a", spec=sent)).ok()["spec"] == stored


async def test_null_in_a_list_is_refused_where_it_is_neither_nullable_nor_defaulted(
    crds: Definitions,
) -> None:
    widgets = await crds.serve(spec(f=array(integer())))

    assert invalid(await widgets.create("a", spec={"f": [None]})) == {
        'spec.f[0]: Invalid value: "null": spec.f[0] in body must be of type integer: "null"'
    }


async def test_a_null_spec_is_an_absent_one(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=integer(default=1)))

    assert "spec" not in (await widgets.create("null", spec=None)).ok()
    assert "spec" not in (await widgets.create("absent")).ok()


async def test_a_required_field_may_be_filled_in(crds: Definitions) -> None:
    widgets = await crds.serve(obj(spec=obj(f=integer(default=1)) | needs("f")))

    assert (await widgets.create("a", spec={})).ok()["spec"] == {"f": 1}


async def test_removing_a_field_brings_its_default_back(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=integer(default=1)))
    (await widgets.create("a", spec={"f": 2})).ok()

    merged = (await api.patch(widgets.at("a"), {"spec": {"f": None}})).ok()
    assert merged["spec"] == {"f": 1}

    patched = await api.patch(widgets.at("a"), [{"op": "remove", "path": "/spec/f"}], JSON_PATCH)
    assert patched.ok()["spec"] == {"f": 1}
    assert patched.body["metadata"]["resourceVersion"] == merged["metadata"]["resourceVersion"]


async def test_a_new_default_shows_in_old_objects_without_a_write(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    created = (await widgets.create("a", spec={"a": 1})).ok()

    await crds.change_schema(widgets, spec(a=integer(), fresh=string(default="new")))

    expected = {"a": 1, "fresh": "new"}
    read = (await api.get(widgets.at("a"))).ok()
    (listed,) = (await api.get(widgets.path)).ok()["items"]
    async with api.watch(widgets.path) as events:
        watched = (await anext(events))["object"]
    assert read["spec"] == listed["spec"] == watched["spec"] == expected
    assert read["metadata"]["resourceVersion"] == created["metadata"]["resourceVersion"]
    assert read["metadata"]["generation"] == 1


async def test_a_changed_default_leaves_values_that_were_filled_in_before(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve(spec(a=integer(default=1)))
    (await widgets.create("old", spec={})).ok()

    await crds.change_schema(widgets, spec(a=integer(default=2)))

    assert (await api.get(widgets.at("old"))).ok()["spec"] == {"a": 1}
    assert (await widgets.create("new", spec={})).ok()["spec"] == {"a": 2}


async def test_a_write_that_only_brings_a_new_default_does_not_count_as_a_change_of_spec(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve(spec(a=integer()))
    (await widgets.create("a", spec={"a": 1})).ok()
    await crds.change_schema(widgets, spec(a=integer(), fresh=string(default="new")))

    written = (await api.patch(widgets.at("a"), {"metadata": {"labels": {"b": "c"}}})).ok()

    assert written["spec"] == {"a": 1, "fresh": "new"}
    assert written["metadata"]["generation"] == 1


async def test_defaults_of_status_are_filled_in_by_a_write_of_status(api: Api, crds: Definitions) -> None:
    schema = obj(spec=obj(), status=obj(phase=string(default="Pending"), ready=integer()))
    widgets = await crds.serve(schema, subresources={"status": {}})
    assert "status" not in (await widgets.create("a", spec={}, status={})).ok()

    reply = await api.patch(widgets.at("a") + "/status", {"status": {"ready": 1}})

    assert reply.ok()["status"] == {"phase": "Pending", "ready": 1}


async def test_a_default_status_is_shown_of_a_new_object_and_stored_by_the_next_write(
    api: Api, crds: Definitions
) -> None:
    schema = obj(spec=obj(), status=obj(phase=string(default="Pending")) | {"default": {}})
    widgets = await crds.serve(schema | rules("!has(self.status)"), subresources={"status": {}})

    created = (await widgets.create("a", spec={}, status={"phase": "Up"})).ok()
    assert created["status"] == {"phase": "Pending"}
    assert (await api.get(widgets.at("a"))).ok() == created

    await crds.change_schema(widgets, schema)
    same = (await api.update(widgets.at("a"), created)).ok()
    assert same["metadata"]["resourceVersion"] != created["metadata"]["resourceVersion"]
    again = (await api.update(widgets.at("a"), same)).ok()
    assert again["metadata"]["resourceVersion"] == same["metadata"]["resourceVersion"]


async def test_a_default_status_is_that_of_the_version_that_is_stored(api: Api, crds: Definitions) -> None:
    def schema(phase: str) -> Object:
        return obj(spec=obj(), status=obj(phase=string()) | {"default": {"phase": phase}})

    status: Object = {"status": {}}
    versions = [
        version("v1", schema("Old"), subresources=status),
        version("v2", schema("New"), subresources=status, storage=False),
    ]
    widgets = (await crds.serve_definition(definition(crds.group, *versions))).through("v2")

    assert (await widgets.create("a", spec={})).ok()["status"] == {"phase": "Old"}
    assert (await api.get(widgets.at("a"))).ok()["status"] == {"phase": "Old"}


async def test_defaults_on_reading_are_those_of_the_version_that_is_stored(
    api: Api, crds: Definitions
) -> None:
    versions = [
        version("v1", spec(a=integer())),
        version("v2", spec(a=integer(), b=integer(default=7)), storage=False),
    ]
    widgets = await crds.serve_definition(definition(crds.group, *versions))
    (await widgets.create("a", spec={"a": 1})).ok()

    assert (await api.get(widgets.through("v2").at("a"))).ok()["spec"] == {"a": 1}
