"""apply: creating, changing, preconditions, and whose object it is."""

import pytest

from contract import APPLY, Api, Object, config_map
from contract_writes import resource, version


async def test_apply_creates_what_is_absent_and_changes_what_is_there(api: Api, config_maps: str) -> None:
    created = await api.apply(f"{config_maps}/a", config_map("a", {"key": "1"}))
    changed = await api.apply(f"{config_maps}/a", config_map("a", {"key": "2"}))

    assert created.status == 201
    assert changed.status == 200
    assert changed.body["data"] == {"key": "2"}
    assert changed.body["metadata"]["uid"] == created.body["metadata"]["uid"]
    assert version(changed.body) != version(created.body)


async def test_applying_the_same_again_changes_nothing(api: Api, config_maps: str) -> None:
    body = config_map("a", {"key": "1"}, labels={"app": "x"})
    first = (await api.apply(f"{config_maps}/a", body)).ok()

    again = await api.apply(f"{config_maps}/a", body)

    assert again.status == 200
    assert again.body == first


@pytest.mark.parametrize("query", [{}, {"fieldManager": ""}], ids=["absent", "empty"])
async def test_apply_needs_a_field_manager(api: Api, config_maps: str, query: dict[str, str]) -> None:
    reply = await api.patch(f"{config_maps}/a", config_map("a"), APPLY, **query)

    refused = reply.refused(422, "Invalid")
    assert refused["message"] == (
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'
    )
    assert reply.fields == ["fieldManager"]


async def test_apply_into_an_absent_namespace_is_not_found(api: Api, namespace: str) -> None:
    absent = f"{namespace}-absent"

    refused = (await api.apply(f"/api/v1/namespaces/{absent}/configmaps/a", config_map("a"))).refused(
        404, "NotFound"
    )

    assert refused["message"] == f'namespaces "{absent}" not found'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (resource("v2", "ConfigMap"), "invalid object type: /v2, Kind=ConfigMap"),
        (resource("v1", "Secret"), "invalid object type: /v1, Kind=Secret"),
        ({"apiVersion": "v1", "metadata": {"name": "a"}}, "invalid object type: /v1, Kind="),
        ({"kind": "ConfigMap", "metadata": {"name": "a"}}, "invalid object type: /, Kind=ConfigMap"),
        (config_map("b"), "the name of the object (b) does not match the name on the URL (a)"),
        (
            config_map(),
            "the name of the object (a based on URL) was undeterminable: name must be provided",
        ),
        (
            config_map(generateName="a-"),
            "the name of the object (a based on URL) was undeterminable: name must be provided",
        ),
        (
            config_map("a", namespace="other"),
            "the namespace of the provided object does not match the namespace sent on the request",
        ),
        (config_map("a", managedFields=[{"manager": "x"}]), "metadata.managedFields must be nil"),
        (config_map("a", managedFields=[]), "metadata.managedFields must be nil"),
    ],
    ids=[
        "another version",
        "another kind",
        "no kind",
        "no version",
        "another name",
        "no name",
        "a generated name",
        "another namespace",
        "managedFields",
        "empty managedFields",
    ],
)
async def test_an_object_that_does_not_fit_its_path_is_a_bad_request(
    api: Api, config_maps: str, body: Object, message: str
) -> None:
    reply = await api.apply(f"{config_maps}/a", body)

    assert reply.refused(400, "BadRequest")["message"] == message
    assert (await api.get(f"{config_maps}/a")).status == 404


async def test_a_resource_version_is_a_precondition(api: Api, config_maps: str) -> None:
    first = version((await api.apply(f"{config_maps}/a", config_map("a", {"key": "1"}))).ok())
    body = config_map("a", {"key": "2"}, resourceVersion=first)
    assert (await api.apply(f"{config_maps}/a", body)).status == 200

    body = config_map("a", {"key": "3"}, resourceVersion=first)
    refused = (await api.apply(f"{config_maps}/a", body, force=True)).refused(409, "Conflict")

    assert refused["details"] == {"name": "a", "kind": "configmaps"}
    assert "the object has been modified" in refused["message"]


async def test_a_resource_version_does_not_keep_an_absent_object_from_being_created(
    api: Api, config_maps: str
) -> None:
    reply = await api.apply(f"{config_maps}/a", config_map("a", resourceVersion="12345"))

    assert reply.status == 201
    assert version(reply.body) != "12345"


@pytest.mark.parametrize("name", ["a", ""])
async def test_a_uid_keeps_an_absent_object_from_being_created(api: Api, config_maps: str, name: str) -> None:
    reply = await api.apply(f"{config_maps}/a", config_map(name, uid="some-uid"))

    assert reply.refused(409, "Conflict")["message"] == (
        'Operation cannot be fulfilled on configmaps "a": uid mismatch: '
        "the provided object specified uid some-uid, and no existing object was found"
    )


async def test_another_uid_is_invalid(api: Api, config_maps: str) -> None:
    (await api.apply(f"{config_maps}/a", config_map("a"))).ok()

    reply = await api.apply(f"{config_maps}/a", config_map("a", uid="some-uid"))

    reply.refused(422, "Invalid")
    assert set(reply.fields) == {"metadata.uid"}


async def test_a_creation_time_is_passed_over(api: Api, config_maps: str) -> None:
    first = (await api.apply(f"{config_maps}/a", config_map("a", {"key": "1"}))).ok()

    body = config_map("a", {"key": "1"}, creationTimestamp="2020-01-01T00:00:00Z")

    assert (await api.apply(f"{config_maps}/a", body)).ok() == first


async def test_a_dry_run_that_would_create_stores_nothing(api: Api, config_maps: str) -> None:
    reply = await api.apply(f"{config_maps}/a", config_map("a", {"key": "1"}), dryRun="All")

    assert reply.status == 201
    assert reply.body["metadata"]["uid"]
    assert "resourceVersion" not in reply.body["metadata"]
    assert (await api.get(f"{config_maps}/a")).status == 404


async def test_a_dry_run_shows_the_result_and_stores_nothing(api: Api, config_maps: str) -> None:
    before = (await api.apply(f"{config_maps}/a", config_map("a", {"key": "1"}))).ok()

    reply = await api.apply(f"{config_maps}/a", config_map("a", {"other": "2"}), dryRun="All")

    assert reply.ok()["data"] == {"other": "2"}
    assert reply.body["metadata"]["managedFields"][0]["fieldsV1"] == {"f:data": {"f:other": {}}}
    assert (await api.get(f"{config_maps}/a")).ok() == before


async def test_an_invalid_result_is_refused_and_nothing_is_stored(api: Api, config_maps: str) -> None:
    reply = await api.apply(f"{config_maps}/a", config_map("a", {"not a key": "1"}))

    reply.refused(422, "Invalid")
    assert reply.fields == ["data[not a key]"]
    assert (await api.get(f"{config_maps}/a")).status == 404
