"""pruning: which unknown fields of an object are dropped, and which are kept."""

import pytest

from contract import JSON_PATCH, MERGE, Api, Object, Reply
from contract_crd import (
    PRESERVE,
    Definitions,
    array,
    integer,
    invalid,
    mapping,
    obj,
    spec,
    string,
    unknown_fields,
)


@pytest.mark.parametrize(
    ("schema", "sent", "kept", "path"),
    [
        pytest.param(obj(a=integer()), {"a": 1, "x": 1}, {"a": 1}, "spec.f.x", id="in-an-object"),
        pytest.param(
            obj(o=obj(a=integer())), {"o": {"a": 1, "x": 1}}, {"o": {"a": 1}}, "spec.f.o.x", id="deeper"
        ),
        pytest.param(
            array(obj(a=integer())),
            [{"a": 1}, {"a": 1, "x": 1}],
            [{"a": 1}, {"a": 1}],
            "spec.f[1].x",
            id="in-a-list",
        ),
        pytest.param(
            array(array(obj(a=integer()))), [[{"x": 1}]], [[{}]], "spec.f[0][0].x", id="in-a-list-of-lists"
        ),
        pytest.param(
            mapping(obj(a=integer())), {"k": {"a": 1, "x": 1}}, {"k": {"a": 1}}, "spec.f.k.x", id="in-a-map"
        ),
        pytest.param({"type": "object"}, {"x": 1}, {}, "spec.f.x", id="in-an-object-without-properties"),
        pytest.param(
            {"type": "object", "additionalProperties": True},
            {"k": {"x": 1}},
            {"k": {}},
            "spec.f.k.x",
            id="below-any-additional-properties",
        ),
        pytest.param(
            obj(o=obj(a=integer())) | PRESERVE,
            {"free": {"y": [1]}, "o": {"a": 1, "x": 1}},
            {"free": {"y": [1]}, "o": {"a": 1}},
            "spec.f.o.x",
            id="in-a-known-field-of-an-object-that-keeps-unknown-ones",
        ),
    ],
)
async def test_an_unknown_field_is_dropped_with_a_warning(
    crds: Definitions, *, schema: Object, sent: Object, kept: Object, path: str
) -> None:
    widgets = await crds.serve(spec(f=schema))

    reply = await widgets.create("a", spec={"f": sent})

    assert reply.ok()["spec"]["f"] == kept
    assert unknown_fields(reply) == [path]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param({"type": "object"} | PRESERVE, {"x": [{"y": {"z": 1}}]}, id="object"),
        pytest.param(PRESERVE, {"x": [{"y": 1}]}, id="any-type-object"),
        pytest.param(PRESERVE, [1, "two", {"three": None}], id="any-type-list"),
        pytest.param(PRESERVE, "text", id="any-type-scalar"),
        pytest.param(
            {"type": "object", "additionalProperties": True}, {"k": 1, "l": "x"}, id="scalars-in-a-map"
        ),
    ],
)
async def test_a_field_that_keeps_unknown_fields_keeps_them_all(
    crds: Definitions, schema: Object, value: Object
) -> None:
    widgets = await crds.serve(spec(f=schema))

    reply = await widgets.create("a", spec={"f": value})

    assert reply.ok()["spec"]["f"] == value
    assert reply.warnings == ()


async def test_known_fields_of_an_object_that_keeps_unknown_ones_are_validated(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=obj(a=integer()) | PRESERVE))

    assert invalid(await widgets.create("a", spec={"f": {"a": "x", "free": "x"}})) == {
        'spec.f.a: Invalid value: "string": spec.f.a in body must be of type integer: "string"'
    }


async def test_unknown_fields_beside_spec_are_dropped(crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))

    reply = await widgets.create("a", spec={"a": 1}, status={"x": 1}, data={})

    assert sorted(reply.ok()) == ["apiVersion", "kind", "metadata", "spec"]
    assert unknown_fields(reply) == ["data", "status"]


async def test_metadata_needs_no_schema_and_loses_unknown_fields(crds: Definitions) -> None:
    widgets = await crds.serve(spec())

    reply = await widgets.create("a", {"labels": {"a": "b"}, "colour": "red"})

    assert reply.ok()["metadata"]["labels"] == {"a": "b"}
    assert "colour" not in reply.body["metadata"]
    assert unknown_fields(reply) == ["metadata.colour"]


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (
            {"labels": {"a": 1}},
            "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
        ),
        (
            {"labels": "x"},
            "json: cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string",
        ),
        (
            {"finalizers": "x"},
            "json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string",
        ),
    ],
    ids=["label-number", "labels-string", "finalizers-string"],
)
async def test_metadata_of_a_wrong_type_is_refused(crds: Definitions, metadata: Object, message: str) -> None:
    widgets = await crds.serve(spec())

    refused = (await widgets.create("a", metadata)).refused(400, "BadRequest")

    assert refused["message"] == f'Widget in version "v1" cannot be handled as a Widget: {message}'


async def test_null_in_metadata_is_an_absent_value(crds: Definitions) -> None:
    widgets = await crds.serve(spec())

    created = (await widgets.create("a", {"labels": None, "annotations": {"a": None}})).ok()

    assert "labels" not in created["metadata"]
    assert created["metadata"]["annotations"] == {"a": ""}


async def test_a_field_that_leaves_the_schema_is_not_seen_any_more(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer(), b=integer()))
    created = (await widgets.create("a", spec={"a": 1, "b": 2})).ok()

    await crds.change_schema(widgets, spec(a=integer()))

    read = (await api.get(widgets.at("a"))).ok()
    assert read["spec"] == {"a": 1}
    assert read["metadata"]["resourceVersion"] == created["metadata"]["resourceVersion"]


async def test_a_field_that_leaves_the_schema_comes_back_with_it_unless_the_object_was_written(
    api: Api, crds: Definitions
) -> None:
    both = spec(a=integer(), b=integer())
    widgets = await crds.serve(both)
    for name in ("left", "written"):
        (await widgets.create(name, spec={"a": 1, "b": 2})).ok()
    await crds.change_schema(widgets, spec(a=integer()))
    (await api.patch(widgets.at("written"), {"spec": {"a": 2}})).ok()

    await crds.change_schema(widgets, both)

    assert (await api.get(widgets.at("left"))).ok()["spec"] == {"a": 1, "b": 2}
    assert (await api.get(widgets.at("written"))).ok()["spec"] == {"a": 2}


@pytest.mark.parametrize(
    ("content_type", "patch"),
    [
        (MERGE, {"spec": {"x": 1}}),
        (JSON_PATCH, [{"op": "add", "path": "/spec/x", "value": 1}]),
    ],
    ids=["merge", "json"],
)
async def test_a_patch_that_only_adds_unknown_fields_changes_nothing(
    api: Api, crds: Definitions, content_type: str, patch: Object
) -> None:
    widgets = await crds.serve(spec(a=integer()))
    created = (await widgets.create("a", spec={"a": 1})).ok()

    reply = await api.patch(widgets.at("a"), patch, content_type)

    assert reply.ok()["metadata"]["resourceVersion"] == created["metadata"]["resourceVersion"]
    assert unknown_fields(reply) == ["spec.x"]


async def test_yaml_is_read_as_yaml_1_1(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(s=string(), count=integer(), n=integer()))

    async def send(fields: str) -> Reply:
        body = f"apiVersion: {crds.group}/v1\nkind: Widget\nmetadata: {{name: a}}\nspec: {{{fields}}}\n"
        return await api.send("POST", widgets.path, body.encode(), content_type="application/yaml")

    bare_word = await send("s: on")
    bare_key = await send("n: 1, count: 0x10")

    assert invalid(bare_word) == {
        'spec.s: Invalid value: "boolean": spec.s in body must be of type string: "boolean"'
    }
    assert bare_key.ok()["spec"] == {"count": 16}
    assert unknown_fields(bare_key) == ["spec.false"]
