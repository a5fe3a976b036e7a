"""metadata: what belongs to the server, what to the client, and owners."""

import pytest

from contract import Api, Object, config_map
from contract_objects import version_of, warning, with_metadata


def owner(uid: str = "u", **fields: object) -> Object:
    return {"apiVersion": "v1", "kind": "Pod", "name": "owner", "uid": uid, **fields}


async def test_create_sets_the_fields_of_the_server_itself(api: Api, config_maps: str) -> None:
    claimed = config_map(
        "a",
        uid="mine",
        creationTimestamp="2001-01-01T00:00:00Z",
        deletionTimestamp="2001-01-01T00:00:00Z",
        deletionGracePeriodSeconds=3,
        selfLink="/mine",
    )

    metadata = (await api.create(config_maps, claimed)).ok()["metadata"]

    assert metadata["uid"] != "mine"
    assert not metadata["creationTimestamp"].startswith("2001")
    assert {"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}.isdisjoint(metadata)


async def test_update_restores_the_creation_timestamp_and_uid(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()["metadata"]

    changed = config_map("a", {"key": "value"}, creationTimestamp="2001-01-01T00:00:00Z")
    updated = (await api.update(f"{config_maps}/a", changed)).ok()["metadata"]

    assert updated["creationTimestamp"] == created["creationTimestamp"]
    assert updated["uid"] == created["uid"]


async def test_update_cannot_mark_an_object_as_deleted(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    marked = config_map("a", deletionTimestamp="2001-01-01T00:00:00Z", deletionGracePeriodSeconds=5)

    reply = await api.update(f"{config_maps}/a", marked)

    assert reply.refused(422, "Invalid")["message"] == (
        'ConfigMap "a" is invalid: '
        '[metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable, '
        "metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable]"
    )
    assert set(reply.fields) == {"metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds"}


async def test_update_replaces_labels_and_annotations_as_a_whole(api: Api, config_maps: str) -> None:
    before = config_map("a", labels={"a": "1", "b": "2"}, annotations={"c": "3"})
    (await api.create(config_maps, before)).ok()

    updated = (await api.update(f"{config_maps}/a", config_map("a", labels={"b": "4"}))).ok()

    assert updated["metadata"]["labels"] == {"b": "4"}
    assert "annotations" not in updated["metadata"]


async def test_update_validates_labels_as_create_does(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.update(f"{config_maps}/a", config_map("a", labels={"a b": "x"}))

    reply.refused(422, "Invalid")
    assert set(reply.fields) == {"metadata.labels"}


async def test_a_label_must_be_a_string(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", labels={"a": 1}))).refused(400, "BadRequest")


async def test_an_owner_need_not_exist(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", ownerReferences=[owner()]))).ok()

    assert created["metadata"]["ownerReferences"] == [owner()]


async def test_an_owner_keeps_its_flags(api: Api, config_maps: str) -> None:
    flagged = owner(controller=False, blockOwnerDeletion=True)

    created = (await api.create(config_maps, config_map("a", ownerReferences=[flagged]))).ok()

    assert created["metadata"]["ownerReferences"] == [flagged]


@pytest.mark.parametrize("field", ["apiVersion", "kind", "name", "uid"])
async def test_an_owner_is_named_completely(api: Api, config_maps: str, field: str) -> None:
    reply = await api.create(config_maps, config_map("a", ownerReferences=[{**owner(), field: ""}]))

    reply.refused(422, "Invalid")
    assert reply.fields == [f"metadata.ownerReferences.{field}"]


async def test_only_one_owner_is_the_controller(api: Api, config_maps: str) -> None:
    owners = [owner("u", controller=True), owner("v", name="other", controller=True)]

    reply = await api.create(config_maps, config_map("a", ownerReferences=owners))

    assert reply.refused(422, "Invalid")["message"].endswith(
        'Only one reference can have Controller set to true. Found "true" in references for '
        "Pod/owner and Pod/other"
    )
    assert reply.fields == ["metadata.ownerReferences"]


async def test_an_event_owns_nothing(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", ownerReferences=[owner(kind="Event")]))

    assert reply.refused(422, "Invalid")["message"].endswith(
        "/v1, Kind=Event is disallowed from being an owner"
    )


async def test_a_repeated_owner_is_kept_once_with_a_warning(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", ownerReferences=[owner(), owner()]))

    assert reply.ok()["metadata"]["ownerReferences"] == [owner()]
    assert reply.warnings == (
        warning(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in "
            "1.20+, and may reject such requests as early as 1.24; please fix your requests; "
            "duplicate UID(s) observed: u"
        ),
    )


async def test_an_owner_may_be_added_and_removed(api: Api, config_maps: str) -> None:
    plain = (await api.create(config_maps, config_map("a"))).ok()

    owned = await api.update(f"{config_maps}/a", with_metadata(plain, ownerReferences=[owner()]))
    freed = await api.patch(f"{config_maps}/a", {"metadata": {"ownerReferences": None}})

    assert owned.ok()["metadata"]["ownerReferences"] == [owner()]
    assert "ownerReferences" not in freed.ok()["metadata"]


async def test_every_write_moves_the_resource_version_forward(api: Api, config_maps: str) -> None:
    versions = [int(version_of(await api.create(config_maps, config_map("a"))))]
    for value in ("1", "2", "3"):
        reply = await api.patch(f"{config_maps}/a", {"data": {"key": value}})
        versions.append(int(version_of(reply)))

    assert versions == sorted(set(versions))
