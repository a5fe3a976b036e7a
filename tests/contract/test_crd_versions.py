"""custom resource definitions: several versions of one kind."""

import pytest

from contract import Api, Object, Reply
from contract_crd import (
    CustomKind,
    Definitions,
    definition,
    integer,
    invalid,
    obj,
    spec,
    version,
    warning,
)
from polling import until

NOWHERE: Object = {
    "strategy": "Webhook",
    "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://127.0.0.1:1/convert"}},
}


def is_missing(reply: Reply) -> bool:
    return reply.status == 404


def store_second(spec: Object) -> None:
    spec["versions"][0]["storage"], spec["versions"][1]["storage"] = False, True


async def serve_two(crds: Definitions, **second: object) -> tuple[CustomKind, CustomKind]:
    """A kind stored as v1, with `a` in both versions, `old` in v1 and `new` in v2 alone."""
    first = version("v1", spec(a=integer(), old=integer()))
    other = version("v2", spec(a=integer(minimum=1), new=integer()), **{"storage": False, **second})
    widgets = await crds.serve_definition(definition(crds.group, first, other))
    return widgets, widgets.through("v2")


async def test_an_object_is_read_in_the_version_that_is_asked_for(api: Api, crds: Definitions) -> None:
    v1, v2 = await serve_two(crds)
    created = (await v1.create("a", spec={"a": 1})).ok()

    read = (await api.get(v2.at("a"))).ok()
    listed = (await api.get(v2.path)).ok()
    async with api.watch(v2.path) as events:
        watched = (await anext(events))["object"]

    assert read["apiVersion"] == listed["apiVersion"] == watched["apiVersion"] == f"{crds.group}/v2"
    assert listed["items"][0]["apiVersion"] == f"{crds.group}/v2"
    assert read["metadata"]["uid"] == created["metadata"]["uid"]
    assert read["metadata"]["resourceVersion"] == created["metadata"]["resourceVersion"]


async def test_an_object_is_sent_in_the_version_of_its_path(api: Api, crds: Definitions) -> None:
    v1, v2 = await serve_two(crds)

    assert (await v2.create("a", spec={"a": 1})).ok()["apiVersion"] == f"{crds.group}/v2"
    refused = (await api.create(v2.path, v1.object("b"))).refused(400, "BadRequest")
    assert refused["message"] == (
        f"the API version in the data ({crds.group}/v1) does not match the expected API version ({crds.group}/v2)"
    )


async def test_a_field_that_the_stored_version_lacks_is_lost(api: Api, crds: Definitions) -> None:
    _, v2 = await serve_two(crds)

    created = await v2.create("a", spec={"a": 1, "new": 1})

    assert created.warnings == ()
    assert created.ok()["spec"] == {"a": 1}
    assert (await api.get(v2.at("a"))).ok()["spec"] == {"a": 1}


async def test_a_field_of_the_stored_version_is_lost_by_a_write_through_another(
    api: Api, crds: Definitions
) -> None:
    v1, v2 = await serve_two(crds)
    (await v1.create("a", spec={"a": 1, "old": 1})).ok()
    assert (await api.get(v2.at("a"))).ok()["spec"] == {"a": 1}
    assert (await api.get(v1.at("a"))).ok()["spec"] == {"a": 1, "old": 1}

    (await api.patch(v2.at("a"), {"spec": {"a": 2}})).ok()

    assert (await api.get(v1.at("a"))).ok()["spec"] == {"a": 2}


async def test_each_version_is_validated_by_its_own_schema(crds: Definitions) -> None:
    v1, v2 = await serve_two(crds)

    assert (await v1.create("a", spec={"a": 0})).status == 201
    assert invalid(await v2.create("b", spec={"a": 0})) == {
        "spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 1"
    }


async def test_a_version_that_is_not_served_is_missing(api: Api, crds: Definitions) -> None:
    v1, v2 = await serve_two(crds, served=False)
    (await v1.create("a")).ok()

    for reply in (await api.get(v2.path), await api.get(v2.at("a")), await v2.create("b")):
        assert (reply.status, reply.body) == (404, "404 page not found\n")


async def test_a_version_may_stop_being_served(api: Api, crds: Definitions) -> None:
    v1, v2 = await serve_two(crds)
    (await v1.create("a")).ok()

    await crds.change(v1, lambda spec: spec["versions"][1].update(served=False))

    await until(lambda: api.get(v2.at("a")), is_missing)
    assert (await api.get(v1.at("a"))).status == 200


async def test_a_deprecated_version_warns_in_every_answer(api: Api, crds: Definitions) -> None:
    old = version("v1beta1", obj(), storage=False, deprecated=True)
    said = version("v1alpha1", obj(spec=obj()), storage=False, deprecated=True, deprecationWarning="do not")
    widgets = await crds.serve_definition(definition(crds.group, version("v1"), old, said))
    beta, alpha = widgets.through("v1beta1"), widgets.through("v1alpha1")
    deprecated = f"{crds.group}/v1beta1 Widget is deprecated; use {crds.group}/v1 Widget"

    assert (await beta.create("a")).warnings == (warning(deprecated),)
    assert (await api.get(beta.path)).warnings == (warning(deprecated),)
    assert (await api.get(beta.at("missing"))).warnings == (warning(deprecated),)
    assert (await api.get(alpha.at("a"))).warnings == (warning("do not"),)
    assert (await api.get(widgets.at("a"))).warnings == ()


async def test_a_deprecated_version_warns_before_it_looks_at_media_types(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(deprecated=True)

    unread = await api.patch(widgets.at("absent"), {}, "application/json", accept="text/plain")
    unwritten = await api.get(widgets.path, accept="text/plain")

    assert (unread.status, len(unread.warnings)) == (415, 1)
    assert (unwritten.status, len(unwritten.warnings)) == (406, 1)


async def test_unknown_fields_are_warned_of_in_the_body_of_another_version_too(
    api: Api, crds: Definitions
) -> None:
    v1, v2 = await serve_two(crds)
    body = {**v2.object("a"), "unknown": 1}

    reply = await api.create(v1.path, body)
    strict = await api.create(v1.path, body, fieldValidation="Strict")

    assert reply.refused(400, "BadRequest")["message"] == (
        f"the API version in the data ({crds.group}/v2) "
        f"does not match the expected API version ({crds.group}/v1)"
    )
    assert reply.warnings == (warning('unknown field "unknown"'),)
    assert "strict decoding error" in strict.refused(400, "BadRequest")["message"]


async def test_a_patch_that_leaves_no_version_is_read_before_it_is_refused(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve(obj(spec=obj()))
    (await widgets.create("a")).ok()

    plain = await api.patch(widgets.at("a"), {"apiVersion": ""})
    odd = await api.patch(widgets.at("a"), {"apiVersion": "", "metadata": {"labels": 1}})
    unknown = await api.patch(widgets.at("a"), {"apiVersion": "", "metadata": {"unknown": 1}})

    assert plain.refused(500, "InternalError")["message"].endswith("object has no apiVersion field'")
    odd.refused(422, "Invalid")
    unknown.refused(500, "InternalError")
    assert unknown.warnings == (warning('unknown field "metadata.unknown"'),)


@pytest.mark.parametrize("said", [{"apiVersion": "a.b/v1"}, {"kind": "Other"}])
async def test_a_schema_says_nothing_about_another_kind(api: Api, crds: Definitions, said: Object) -> None:
    widgets = await crds.serve(obj(spec=obj(a=integer())))
    (await widgets.create("a")).ok()
    odd = {**said, "unknown": 1, "spec": {"a": None}}

    patched = await api.patch(widgets.at("a"), odd, fieldValidation="Strict")
    updated = await api.update(widgets.at("a"), {**widgets.object("a"), **odd}, fieldValidation="Strict")
    created = await api.create(widgets.path, {**widgets.object("b"), **odd}, fieldValidation="Strict")

    for reply in (patched, updated, created):
        assert "strict decoding" not in reply.body["message"]
        assert 400 <= reply.status < 500


async def test_a_body_is_known_by_what_it_says_itself(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(obj(spec=obj()))
    plain = widgets.object("a")

    async def told(**changes: object) -> str:
        refused = await api.create(widgets.path, {**plain, **changes}, fieldValidation="Strict")
        return str(refused.refused(400, "BadRequest")["message"])

    labels = "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string"
    unread = {"name": "a", "labels": 1}
    unknown = {"name": "a", "b": 1}
    strict = 'strict decoding error: unknown field "metadata.b"'
    assert await told(apiVersion="", metadata=unread) == (
        f'Widget in version "" cannot be handled as a Widget: {labels}'
    )
    assert await told(kind="Other", metadata=unread) == (
        f'Other in version "v1" cannot be handled as a Widget: {labels}'
    )
    assert await told(kind="Other", metadata=unknown) == (
        f'Other in version "v1" cannot be handled as a Other: {strict}'
    )
    assert await told(apiVersion="", metadata=unknown) == (
        "Object 'apiVersion' is missing in 'object has no apiVersion field'"
    )


async def test_everything_is_unknown_in_a_version_that_there_is_not(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(obj(spec=obj(a=integer())))
    (await widgets.create("a")).ok()
    other = {"apiVersion": f"{crds.group}/v9", "spec": {"a": 1}}

    created = await api.create(widgets.path, {**widgets.object("b"), **other})
    patched = await api.patch(widgets.at("a"), other)

    created.refused(400, "BadRequest")
    assert invalid(patched) == {f'apiVersion: Invalid value: "{crds.group}/v9": must be {crds.group}/v1'}
    assert created.warnings == patched.warnings == (warning('unknown field "spec"'),)


async def test_a_patch_to_no_version_at_all_cannot_be_read(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    refused = (await api.patch(widgets.at("a"), {"apiVersion": "a/b/c"})).refused(422, "Invalid")

    assert refused["message"].endswith(": unexpected GroupVersion string: a/b/c")


async def test_a_deprecated_version_without_a_better_one_names_none(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(deprecated=True)

    assert (await api.get(widgets.path)).warnings == (warning(f"{crds.group}/v1 Widget is deprecated"),)


async def test_a_new_storage_version_is_added_to_those_that_were_stored(api: Api, crds: Definitions) -> None:
    v1, _ = await serve_two(crds)

    await crds.change(v1, store_second)

    assert (await api.get(v1.definition)).ok()["status"]["storedVersions"] == ["v1", "v2"]


async def test_a_version_that_was_stored_stays_until_its_objects_are_said_to_be_gone(
    api: Api, crds: Definitions
) -> None:
    v1, _ = await serve_two(crds)
    crd = (await api.get(v1.definition)).ok()
    crd["spec"]["versions"] = [{**crd["spec"]["versions"][1], "storage": True}]

    assert invalid(await api.update(v1.definition, crd)) == {
        (
            'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage '
            "version, and must remain in spec.versions until a storage migration ensures no data remains persisted "
            "in v1 and removes v1 from status.storedVersions"
        )
    }


async def test_a_version_may_go_once_it_is_not_stored_any_more(api: Api, crds: Definitions) -> None:
    v1, v2 = await serve_two(crds)

    await crds.change(v1, store_second)
    (await api.patch(f"{v1.definition}/status", {"status": {"storedVersions": ["v2"]}})).ok()

    await crds.change(v2, lambda spec: spec["versions"].pop(0))

    assert (await api.get(v1.path)).status == 404
    assert (await api.get(v2.path)).status == 200
    assert (await api.get(v2.definition)).ok()["status"]["storedVersions"] == ["v2"]


async def test_storage_follows_the_definition_with_the_next_write(api: Api, crds: Definitions) -> None:
    v1, v2 = await serve_two(crds)
    (await v1.create("a", spec={"a": 1, "old": 1})).ok()

    await crds.change(v1, store_second)
    assert (await api.get(v1.at("a"))).ok()["spec"] == {"a": 1, "old": 1}

    (await api.patch(v1.at("a"), {"metadata": {"labels": {"b": "c"}}})).ok()

    assert (await api.get(v1.at("a"))).ok()["spec"] == {"a": 1}
    assert (await api.patch(v2.at("a"), {"spec": {"new": 2}})).ok()["spec"] == {"a": 1, "new": 2}


async def test_what_the_stored_version_says_anew_shows_in_the_others_too(api: Api, crds: Definitions) -> None:
    both = spec(a=integer(), b=integer())
    v1 = await crds.serve_definition(
        definition(crds.group, version("v1", both), version("v2", both, storage=False))
    )
    v2 = v1.through("v2")
    (await v1.create("a", spec={"a": 1})).ok()
    assert (await api.get(v2.at("a"))).ok()["spec"] == {"a": 1}

    await crds.change_schema(v1, spec(b=integer(default=2)))
    assert (await api.get(v2.at("a"))).ok()["spec"] == {"b": 2}
    await crds.change(v1, store_second)
    assert (await api.get(v2.at("a"))).ok()["spec"] == {"b": 2}


async def test_a_webhook_that_comes_later_converts_what_was_read_before(api: Api, crds: Definitions) -> None:
    versions = [version("v1", spec(a=integer())), version("v2", spec(a=integer()), storage=False)]
    v1 = await crds.serve_definition(definition(crds.group, *versions))
    (await v1.create("a", spec={"a": 1})).ok()
    assert (await api.get(v1.through("v2").at("a"))).ok()["spec"] == {"a": 1}

    crd = (await api.get(v1.definition)).ok()
    crd["spec"]["conversion"] = NOWHERE
    (await api.update(v1.definition, crd)).ok()

    await until(lambda: api.get(v1.through("v2").at("a")), lambda reply: reply.status == 500)


async def test_a_write_that_stores_another_version_shows_the_defaults_of_that(
    api: Api, crds: Definitions
) -> None:
    schemas = [
        obj(spec=obj(a=integer(default=each)) | {"default": {}}, status=obj(b=integer())) for each in (1, 2)
    ]
    del schemas[0]["properties"]["spec"]["default"]
    status: Object = {"status": {}}
    versions = [
        version("v1", schemas[0], subresources=status),
        version("v2", schemas[1], subresources=status),
    ]
    versions[1]["storage"] = False
    v1 = await crds.serve_definition(definition(crds.group, *versions))
    v2 = v1.through("v2")
    (await v1.create("a")).ok()
    await crds.change(v1, store_second)
    assert "spec" not in (await api.get(v2.at("a"))).ok()

    written = (await api.patch(f"{v2.at('a')}/status", {"status": {"b": 1}})).ok()

    assert (written["spec"], written["status"]) == ({"a": 2}, {"b": 1})


async def test_an_apply_that_changes_nothing_fills_in_no_defaults_of_its_version(
    api: Api, crds: Definitions
) -> None:
    other = version("v2", spec(a=integer(), b=integer(default=2)), storage=False)
    v1 = await crds.serve_definition(
        definition(crds.group, version("v1", spec(a=integer(), b=integer())), other)
    )
    v2 = v1.through("v2")
    created = (await v1.create("a", spec={"a": 1})).ok()

    same = (await api.apply(v2.at("a"), v2.object("a"))).ok()
    assert same["spec"] == {"a": 1}
    assert same["metadata"]["resourceVersion"] == created["metadata"]["resourceVersion"]
    shared = (await api.apply(v2.at("a"), v2.object("a", spec={"a": 1}))).ok()
    assert (shared["spec"], shared["metadata"]["generation"]) == ({"a": 1}, 1)
    changed = (await api.apply(v2.at("a"), v2.object("a", spec={"a": 3}), force=True)).ok()
    assert changed["spec"] == {"a": 3, "b": 2}


async def test_fields_are_managed_in_the_version_of_the_request(api: Api, crds: Definitions) -> None:
    v1, v2 = await serve_two(crds)

    (await api.apply(v1.at("a"), v1.object("a", spec={"old": 1}), "one")).ok()
    applied = (await api.apply(v2.at("a"), v2.object("a", spec={"a": 1}), "two")).ok()

    entries = {entry["manager"]: entry for entry in applied["metadata"]["managedFields"]}
    assert entries["one"]["apiVersion"] == f"{crds.group}/v1"
    assert entries["two"]["apiVersion"] == f"{crds.group}/v2"


async def test_a_webhook_that_cannot_be_reached_matters_to_other_versions_only(
    api: Api, crds: Definitions
) -> None:
    versions = [version("v1", spec(a=integer())), version("v2", spec(), storage=False)]
    crd = definition(crds.group, *versions)
    crd["spec"]["conversion"] = NOWHERE
    v1 = await crds.serve_definition(crd)
    (await v1.create("a", spec={"a": 1})).ok()

    refused = await api.get(v1.through("v2").at("a"))

    assert refused.status == 500
    assert refused.body["message"].startswith(
        f"conversion webhook for {crds.group}/v1, Kind=Widget failed: Post "
    )
    assert (await api.get(v1.at("a"))).ok()["spec"] == {"a": 1}
