"""pruning: what fieldValidation makes of unknown and repeated fields."""

import pytest

from contract import Api
from contract_crd import (
    Definitions,
    array,
    integer,
    invalid,
    obj,
    spec,
    unknown_fields,
    warning,
)

HANDLED = 'Widget in version "v1" cannot be handled as a Widget: strict decoding error: '


async def test_unknown_fields_are_warned_of_in_order_unless_told_otherwise(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve(spec(a=integer(), o=obj(), list=array(obj())))
    sent = widgets.object("a", {"y": 1}, spec={"x": 1, "o": {"x": 1}, "list": [{"x": 1}]}, top=1)

    warned = await api.create(widgets.path, sent, dryRun="All")
    explicit = await api.create(widgets.path, sent, dryRun="All", fieldValidation="Warn")
    silent = await api.create(widgets.path, sent, dryRun="All", fieldValidation="Ignore")

    expected = ["spec.list[0].x", "spec.o.x", "spec.x", "top"]
    assert sorted(unknown_fields(warned)) == sorted([*expected, "metadata.y"])
    assert [field for field in unknown_fields(warned) if field != "metadata.y"] == expected
    assert explicit.warnings == warned.warnings
    assert silent.warnings == ()
    assert warned.ok()["spec"] == explicit.ok()["spec"] == silent.ok()["spec"] == {"o": {}, "list": [{}]}


async def test_strict_creation_refuses_every_unknown_field_at_once(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer(), o=obj()))
    sent = widgets.object("a", spec={"x": 1, "o": {"x": 1}}, top=1)

    reply = await api.create(widgets.path, sent, fieldValidation="Strict")

    assert reply.refused(400, "BadRequest")["message"] == (
        HANDLED + 'unknown field "spec.o.x", unknown field "spec.x", unknown field "top"'
    )
    (await api.get(widgets.at("a"))).refused(404, "NotFound")


async def test_strict_creation_refuses_unknown_metadata(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec())

    reply = await api.create(widgets.path, widgets.object("a", {"colour": "red"}), fieldValidation="Strict")

    assert reply.refused(400, "BadRequest")["message"] == HANDLED + 'unknown field "metadata.colour"'


async def test_strict_creation_refuses_unknown_status_though_status_is_ignored(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve(obj(status=obj()), subresources={"status": {}})

    reply = await api.create(widgets.path, widgets.object("a", status={"x": 1}), fieldValidation="Strict")

    assert reply.refused(400, "BadRequest")["message"] == HANDLED + 'unknown field "status.x"'


@pytest.mark.parametrize(
    ("validation", "warnings"),
    [
        ("Ignore", ()),
        ("Warn", (warning('duplicate field "spec.a"'), warning('unknown field "spec.x"'))),
    ],
)
async def test_the_last_of_repeated_fields_counts(
    api: Api, crds: Definitions, validation: str, warnings: tuple[str, ...]
) -> None:
    widgets = await crds.serve(spec(a=integer()))
    group = crds.group
    body = f'{{"apiVersion":"{group}/v1","kind":"Widget","metadata":{{"name":"a"}},"spec":{{"a":1,"a":2,"x":1}}}}'

    reply = await api.create(widgets.path, body.encode(), fieldValidation=validation)

    assert reply.ok()["spec"] == {"a": 2}
    assert reply.warnings == warnings


async def test_strict_creation_refuses_repeated_fields(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    group = crds.group
    body = f'{{"apiVersion":"{group}/v1","kind":"Widget","metadata":{{"name":"a"}},"spec":{{"a":1,"a":2,"x":1}}}}'

    reply = await api.create(widgets.path, body.encode(), fieldValidation="Strict")

    assert reply.refused(400, "BadRequest")["message"] == (
        HANDLED + 'duplicate field "spec.a", unknown field "spec.x"'
    )


async def test_repeated_keys_in_yaml_are_warned_of_by_line(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    body = f"apiVersion: {crds.group}/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  a: 1\n  a: 2\n"

    reply = await api.send("POST", widgets.path, body.encode(), content_type="application/yaml")

    assert reply.ok()["spec"] == {"a": 2}
    assert reply.warnings == (warning('line 7: key "a" already set in map'),)


async def test_a_strict_patch_refuses_unknown_fields_of_the_outcome(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    (await widgets.create("a")).ok()

    reply = await api.patch(widgets.at("a"), {"spec": {"x": 1}}, fieldValidation="Strict")

    (complaint,) = invalid(reply)
    assert complaint.startswith("patch: Invalid value: ")
    assert complaint.endswith('strict decoding error: unknown field "spec.x"')


async def test_a_strict_update_refuses_unknown_fields(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    created = (await widgets.create("a")).ok()

    reply = await api.update(widgets.at("a"), {**created, "spec": {"x": 1}}, fieldValidation="Strict")

    assert reply.refused(400, "BadRequest")["message"] == HANDLED + 'unknown field "spec.x"'


@pytest.mark.parametrize("validation", ["Ignore", "Warn", "Strict"])
async def test_apply_refuses_unknown_fields_whatever_it_is_told(
    api: Api, crds: Definitions, validation: str
) -> None:
    widgets = await crds.serve(spec(a=integer()))

    reply = await api.apply(widgets.at("a"), widgets.object("a", spec={"x": 1}), fieldValidation=validation)

    assert reply.status == 500
    assert "reason" not in reply.body
    assert reply.body["message"] == (
        f"failed to create typed patch object (/a; {crds.group}/v1, Kind=Widget): "
        ".spec.x: field not declared in schema"
    )


async def test_an_unknown_field_validation_is_refused(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    reply = await api.create(widgets.path, widgets.object("a"), fieldValidation="Lenient")

    assert invalid(reply) == {
        'fieldValidation: Unsupported value: "Lenient": supported values: "", "Ignore", "Strict", "Warn"'
    }
