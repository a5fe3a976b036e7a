"""custom resources: the status subresource, and what moves the generation."""

import pytest

from contract import Api, Object
from contract_crd import CustomKind, Definitions, integer, invalid, obj, unknown_fields

SCHEMA = obj(spec=obj(a=integer()), status=obj(b=integer()), data=obj(c=integer()))


async def with_status(crds: Definitions) -> CustomKind:
    return await crds.serve(SCHEMA, subresources={"status": {}})


def generation(body: Object) -> int:
    return int(body["metadata"]["generation"])


async def test_creation_drops_status_where_it_is_a_subresource(crds: Definitions) -> None:
    widgets = await with_status(crds)

    created = (await widgets.create("a", spec={"a": 1}, status={"b": 1})).ok()

    assert "status" not in created


async def test_creation_keeps_status_where_it_is_a_field_like_others(crds: Definitions) -> None:
    widgets = await crds.serve(SCHEMA)

    assert (await widgets.create("a", spec={"a": 1}, status={"b": 1})).ok()["status"] == {"b": 1}


async def test_the_main_path_leaves_status_alone(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    (await widgets.create("a", spec={"a": 1})).ok()
    (await api.patch(widgets.at("a") + "/status", {"status": {"b": 1}})).ok()

    patched = (await api.patch(widgets.at("a"), {"spec": {"a": 2}, "status": {"b": 2}})).ok()
    assert (patched["spec"], patched["status"]) == ({"a": 2}, {"b": 1})

    patched.pop("status")
    updated = (await api.update(widgets.at("a"), patched)).ok()
    assert updated["status"] == {"b": 1}
    assert updated["metadata"]["resourceVersion"] == patched["metadata"]["resourceVersion"]


async def test_the_status_path_leaves_all_but_status_alone(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    created = (await widgets.create("a", {"labels": {"x": "y"}}, spec={"a": 1}, data={"c": 1})).ok()

    changed: Object = {
        **created,
        "metadata": {**created["metadata"], "labels": {"x": "z"}, "finalizers": ["example.com/f"]},
        "spec": {"a": 2},
        "data": {},
        "status": {"b": 1},
    }
    updated = (await api.update(widgets.at("a") + "/status", changed)).ok()

    assert updated["status"] == {"b": 1}
    assert (updated["spec"], updated["data"]) == ({"a": 1}, {"c": 1})
    assert updated["metadata"]["labels"] == {"x": "y"}
    assert "finalizers" not in updated["metadata"]


async def test_the_status_path_reads_the_whole_object(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    created = (await widgets.create("a", spec={"a": 1})).ok()

    assert (await api.get(widgets.at("a") + "/status")).ok() == created


async def test_status_can_be_removed_through_its_path(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    (await widgets.create("a")).ok()
    full = (await api.patch(widgets.at("a") + "/status", {"status": {"b": 1}})).ok()
    full.pop("status")

    assert "status" not in (await api.update(widgets.at("a") + "/status", full)).ok()


async def test_generation_counts_changes_of_all_but_metadata_and_status(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    created = (await widgets.create("a", {"generation": 7}, spec={"a": 1})).ok()
    assert generation(created) == 1

    status = (await api.patch(widgets.at("a") + "/status", {"status": {"b": 1}})).ok()
    labels = (await api.patch(widgets.at("a"), {"metadata": {"labels": {"x": "y"}, "generation": 7}})).ok()
    same = (await api.patch(widgets.at("a"), {"spec": {"a": 1}})).ok()
    changed = (await api.patch(widgets.at("a"), {"spec": {"a": 2}})).ok()
    data = (await api.patch(widgets.at("a"), {"data": {"c": 1}})).ok()

    assert [generation(each) for each in (status, labels, same, changed, data)] == [1, 1, 1, 2, 3]


async def test_generation_counts_changes_of_status_where_it_is_no_subresource(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve(SCHEMA)
    (await widgets.create("a")).ok()

    status = (await api.patch(widgets.at("a"), {"status": {"b": 1}})).ok()
    labels = (await api.patch(widgets.at("a"), {"metadata": {"labels": {"x": "y"}}})).ok()

    assert [generation(each) for each in (status, labels)] == [2, 2]


@pytest.mark.parametrize("subresource", ["status", "scale", "log"])
async def test_a_subresource_that_is_not_defined_is_missing(
    api: Api, crds: Definitions, subresource: str
) -> None:
    widgets = await crds.serve(SCHEMA)
    (await widgets.create("a")).ok()

    for reply in (
        await api.get(f"{widgets.at('a')}/{subresource}"),
        await api.patch(f"{widgets.at('a')}/{subresource}", {}),
    ):
        assert reply.refused(404, "NotFound")["message"] == f'widgets.{crds.group} "a" not found'


async def test_status_is_neither_created_nor_deleted(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    (await widgets.create("a")).ok()

    created = await api.create(widgets.at("a") + "/status", widgets.object("a"))
    deleted = await api.delete(widgets.at("a") + "/status")

    assert created.refused(405, "MethodNotAllowed")["message"] == (
        f'create is not supported on resources of kind "widgets.{crds.group}"'
    )
    deleted.refused(405, "MethodNotAllowed")


async def test_each_path_validates_what_it_writes(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    (await widgets.create("a", spec={"a": 1})).ok()

    assert invalid(await api.patch(widgets.at("a") + "/status", {"status": {"b": "x"}})) == {
        'status.b: Invalid value: "string": b in body must be of type integer: "string"'
    }
    assert (await api.patch(widgets.at("a") + "/status", {"spec": {"a": "x"}})).ok()["spec"] == {"a": 1}
    assert (await api.patch(widgets.at("a"), {"status": {"b": "x"}})).status == 200
    assert (await widgets.create("b", status={"b": "x"})).status == 201


async def test_unknown_fields_of_status_are_dropped_with_a_warning(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    (await widgets.create("a")).ok()

    reply = await api.patch(widgets.at("a") + "/status", {"status": {"b": 1, "x": 1}})

    assert reply.ok()["status"] == {"b": 1}
    assert unknown_fields(reply) == ["status.x"]


async def test_an_update_of_status_from_an_old_copy_is_a_conflict(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    old = (await widgets.create("a", spec={"a": 1})).ok()
    (await api.patch(widgets.at("a"), {"spec": {"a": 2}})).ok()

    reply = await api.update(widgets.at("a") + "/status", {**old, "status": {"b": 1}})

    reply.refused(409, "Conflict")


async def test_fields_of_status_are_managed_apart_from_the_others(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    (await api.apply(widgets.at("a"), widgets.object("a", spec={"a": 1}, status={"b": 9}), "tool")).ok()

    applied = await api.apply(widgets.at("a") + "/status", widgets.object("a", status={"b": 1}), "tool")

    assert applied.ok()["status"] == {"b": 1}
    entries = {entry.get("subresource"): entry for entry in applied.body["metadata"]["managedFields"]}
    assert entries[None]["fieldsV1"] == {"f:spec": {"f:a": {}}}
    assert entries["status"]["fieldsV1"] == {"f:status": {"f:b": {}}}
    assert {entry["manager"] for entry in entries.values()} == {"tool"}


async def test_a_manager_of_status_keeps_it_when_another_applies_the_rest(
    api: Api, crds: Definitions
) -> None:
    widgets = await with_status(crds)
    (await api.apply(widgets.at("a"), widgets.object("a", spec={"a": 1}), "user")).ok()
    (await api.apply(widgets.at("a") + "/status", widgets.object("a", status={"b": 1}), "operator")).ok()

    again = (await api.apply(widgets.at("a"), widgets.object("a", spec={"a": 2}), "user")).ok()
    rival = await api.apply(widgets.at("a") + "/status", widgets.object("a", status={"b": 2}), "rival")

    assert (again["spec"], again["status"]) == ({"a": 2}, {"b": 1})
    rival.refused(409, "Conflict")
    assert rival.fields == [".status.b"]


async def test_events_of_a_status_write_show_the_whole_object(api: Api, crds: Definitions) -> None:
    widgets = await with_status(crds)
    created = (await widgets.create("a", spec={"a": 1})).ok()

    start = created["metadata"]["resourceVersion"]
    async with api.watch(widgets.path, resourceVersion=start) as events:
        (await api.patch(widgets.at("a") + "/status", {"status": {"b": 1}})).ok()
        event = await anext(events)

    assert event["type"] == "MODIFIED"
    assert (event["object"]["spec"], event["object"]["status"]) == ({"a": 1}, {"b": 1})


async def test_a_deletion_that_is_proposed_shows_nothing_of_what_a_finalizer_of_a_policy_held(
    api: Api, crds: Definitions
) -> None:
    widgets = await with_status(crds)
    (await widgets.create("a", spec={"a": 1})).ok()
    (await api.delete(widgets.at("a"), propagationPolicy="Foreground")).ok()

    proposed = (await api.delete(widgets.at("a"), propagationPolicy="Background", dryRun="All")).ok()

    assert proposed.keys() == {"apiVersion", "kind"}
