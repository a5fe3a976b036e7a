"""update: locking, identity, what a replacement replaces."""

import pytest

import broken_storage
from contract import Api, Object, config_map, deployment
from contract_objects import (
    disruption_budget,
    job,
    lease,
    role,
    secret,
    service,
    version_of,
    with_metadata,
)

MODIFIED = "the object has been modified; please apply your changes to the latest version and try again"


async def test_update_answers_200_with_the_stored_object(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "old"}))).ok()

    reply = await api.update(f"{config_maps}/a", {**created, "data": {"key": "new"}})

    assert reply.status == 200
    assert reply.body["data"] == {"key": "new"}
    assert reply.body["metadata"]["resourceVersion"] != created["metadata"]["resourceVersion"]
    assert (await api.get(f"{config_maps}/a")).ok() == reply.body


async def test_update_with_a_stale_resource_version_is_a_conflict(api: Api, config_maps: str) -> None:
    stale = (await api.create(config_maps, config_map("a"))).ok()
    (await api.update(f"{config_maps}/a", {**stale, "data": {"key": "first"}})).ok()

    reply = await api.update(f"{config_maps}/a", {**stale, "data": {"key": "second"}})

    refused = reply.refused(409, "Conflict")
    assert refused["message"] == f'Operation cannot be fulfilled on configmaps "a": {MODIFIED}'
    assert refused["details"] == {"name": "a", "kind": "configmaps"}
    assert (await api.get(f"{config_maps}/a")).ok()["data"] == {"key": "first"}


async def test_update_with_a_stale_resource_version_conflicts_even_without_a_change(
    api: Api, config_maps: str
) -> None:
    stale = version_of(await api.create(config_maps, config_map("a")))
    (await api.update(f"{config_maps}/a", config_map("a", {"key": "value"}))).ok()

    same = config_map("a", {"key": "value"}, resourceVersion=stale)

    (await api.update(f"{config_maps}/a", same)).refused(409, "Conflict")


async def test_update_without_a_resource_version_is_unconditional(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", {"key": "old"}))).ok()

    updated = (await api.update(f"{config_maps}/a", config_map("a", {"key": "new"}))).ok()

    assert updated["data"] == {"key": "new"}


async def test_versions_are_compared_as_numbers(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()
    version = f"00{created['metadata']['resourceVersion']}"

    same = await api.update(f"{config_maps}/a", config_map("a", resourceVersion=version))
    reply = await api.update(f"{config_maps}/a", config_map("a", {"key": "new"}, resourceVersion=version))

    assert version_of(same) == created["metadata"]["resourceVersion"]
    assert reply.ok()["data"] == {"key": "new"}


async def test_update_with_resource_version_zero_is_unconditional(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.update(f"{config_maps}/a", config_map("a", {"key": "new"}, resourceVersion="0"))

    assert reply.ok()["data"] == {"key": "new"}


async def test_some_kinds_cannot_be_updated_unconditionally(api: Api, namespace: str) -> None:
    budgets = f"/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets"
    created = (await api.create(budgets, disruption_budget("a", "web"))).ok()

    reply = await api.update(f"{budgets}/a", disruption_budget("a", "other"))

    reply.refused(422, "Invalid")
    assert reply.fields == ["metadata.resourceVersion"]
    assert (await api.update(f"{budgets}/a", with_metadata(created, labels={"a": "b"}))).status == 200


async def test_update_without_a_change_keeps_the_resource_version(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "value"}))).ok()

    same = await api.update(f"{config_maps}/a", created)
    same_without_version = await api.update(f"{config_maps}/a", config_map("a", {"key": "value"}))

    assert version_of(same) == created["metadata"]["resourceVersion"]
    assert version_of(same_without_version) == created["metadata"]["resourceVersion"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/namespaces/{}/persistentvolumeclaims", broken_storage.PERSISTENT_VOLUME_CLAIM.valid),
        ("/apis/batch/v1/namespaces/{}/jobs", job("a")),
    ],
)
async def test_the_first_update_stores_what_creation_left_to_the_reader(
    api: Api, namespace: str, path: str, body: Object
) -> None:
    """The phase of a claim, the labels of a job: both are shown at once, but stored by the next write."""
    path = path.format(namespace)
    created = (await api.create(path, body)).ok()

    first = (await api.update(f"{path}/a", created)).ok()
    second = (await api.patch(f"{path}/a", {})).ok()

    version = first["metadata"]["resourceVersion"]
    assert version != created["metadata"]["resourceVersion"]
    assert first == second == with_metadata(created, resourceVersion=version)


async def test_update_that_leaves_out_the_defaults_is_no_change(api: Api, deployments: str) -> None:
    created = await api.create(deployments, deployment("a"))

    updated = await api.update(f"{deployments}/a", deployment("a"))

    assert version_of(updated) == version_of(created)


async def test_update_that_leaves_out_a_field_brings_its_default_back(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a", replicas=3))).ok()
    without = deployment("a")
    del without["spec"]["replicas"]

    updated = (await api.update(f"{deployments}/a", without)).ok()

    assert updated["spec"]["replicas"] == 1


async def test_update_with_the_uid_of_another_object_is_a_conflict(api: Api, config_maps: str) -> None:
    uid = (await api.create(config_maps, config_map("a"))).ok()["metadata"]["uid"]

    refused = (await api.update(f"{config_maps}/a", config_map("a", uid="other"))).refused(409, "Conflict")

    assert refused["details"] == {"name": "a", "kind": "configmaps"}
    assert refused["message"].endswith(
        f"Precondition failed: UID in precondition: other, UID in object meta: {uid}"
    )


async def test_update_of_an_object_that_was_deleted_and_made_again_is_a_conflict(
    api: Api, config_maps: str
) -> None:
    former = (await api.create(config_maps, config_map("a"))).ok()["metadata"]["uid"]
    (await api.delete(f"{config_maps}/a")).ok()
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.update(f"{config_maps}/a", config_map("a", uid=former))).refused(409, "Conflict")


async def test_update_with_another_name_than_the_path_is_a_bad_request(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    refused = (await api.update(f"{config_maps}/a", config_map("b"))).refused(400, "BadRequest")

    assert refused["message"] == "the name of the object (b) does not match the name on the URL (a)"


async def test_update_without_a_name_is_a_bad_request(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    refused = (await api.update(f"{config_maps}/a", config_map())).refused(400, "BadRequest")

    assert refused["message"] == (
        "the name of the object (a based on URL) was undeterminable: name must be provided"
    )


async def test_update_with_another_namespace_in_the_body_is_a_bad_request(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.update(f"{config_maps}/a", config_map("a", namespace="elsewhere"))

    assert reply.refused(400, "BadRequest")["message"] == (
        "the namespace of the provided object does not match the namespace sent on the request"
    )


async def test_update_of_another_kind_is_a_bad_request(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.update(f"{config_maps}/a", secret("a"))).refused(400, "BadRequest")


async def test_update_of_a_missing_object_finds_nothing(api: Api, deployments: str) -> None:
    refused = (await api.update(f"{deployments}/a", deployment("a"))).refused(404, "NotFound")

    assert refused["message"] == 'deployments.apps "a" not found'
    assert refused["details"] == {"name": "a", "group": "apps", "kind": "deployments"}


async def test_update_of_a_missing_object_finds_nothing_whatever_version_is_expected(
    api: Api, config_maps: str
) -> None:
    body = config_map("a", resourceVersion="1", uid="other")

    (await api.update(f"{config_maps}/a", body)).refused(404, "NotFound")


async def test_update_of_a_collection_is_not_allowed(api: Api, config_maps: str) -> None:
    (await api.update(config_maps, config_map("a"))).refused(405, "MethodNotAllowed")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/apis/coordination.k8s.io/v1/namespaces/{}/leases", lease("a")),
        ("/apis/rbac.authorization.k8s.io/v1/namespaces/{}/roles", role("a")),
        ("/api/v1/namespaces/{}/services", service("a")),
        ("/api/v1/namespaces/{}/limitranges", {"metadata": {"name": "a"}, "spec": {"limits": []}}),
    ],
    ids=["leases", "roles", "services", "limitranges"],
)
async def test_update_creates_missing_objects_of_some_kinds(
    api: Api, namespace: str, path: str, body: Object
) -> None:
    url = f"{path.format(namespace)}/a"

    reply = await api.update(url, body)

    assert reply.status == 201
    assert (await api.get(url)).ok()["metadata"]["uid"] == reply.body["metadata"]["uid"]


async def test_patch_never_creates_what_update_would(api: Api, namespace: str) -> None:
    path = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/a"

    (await api.patch(path, {"spec": {"holderIdentity": "me"}})).refused(404, "NotFound")
