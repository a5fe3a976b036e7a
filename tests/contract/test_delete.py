"""delete: the answer, preconditions, options."""

import pytest

from contract import Api, config_map, deployment


async def test_delete_answers_with_a_status_that_names_the_object(api: Api, config_maps: str) -> None:
    uid = (await api.create(config_maps, config_map("a"))).ok()["metadata"]["uid"]

    reply = await api.delete(f"{config_maps}/a")

    assert reply.status == 200
    assert reply.body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "details": {"name": "a", "kind": "configmaps", "uid": uid},
    }
    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


async def test_delete_names_the_group_of_the_kind(api: Api, deployments: str) -> None:
    uid = (await api.create(deployments, deployment("a"))).ok()["metadata"]["uid"]

    details = (await api.delete(f"{deployments}/a")).ok()["details"]

    assert details == {"name": "a", "group": "apps", "kind": "deployments", "uid": uid}


@pytest.mark.parametrize(
    ("resource", "kind", "fields"),
    [
        ("serviceaccounts", "ServiceAccount", {}),
        ("services", "Service", {"spec": {"ports": [{"port": 80}]}}),
        ("resourcequotas", "ResourceQuota", {}),
    ],
)
async def test_delete_answers_with_the_object_for_some_kinds(
    api: Api, namespace: str, resource: str, kind: str, fields: dict[str, object]
) -> None:
    path = f"/api/v1/namespaces/{namespace}/{resource}"
    uid = (await api.create(path, {"metadata": {"name": "a"}, **fields})).ok()["metadata"]["uid"]

    deleted = (await api.delete(f"{path}/a")).ok()

    assert (deleted["kind"], deleted["metadata"]["uid"]) == (kind, uid)
    assert "deletionTimestamp" not in deleted["metadata"]
    (await api.get(f"{path}/a")).refused(404, "NotFound")


async def test_delete_of_a_missing_object_finds_nothing(api: Api, deployments: str) -> None:
    refused = (await api.delete(f"{deployments}/a")).refused(404, "NotFound")

    assert refused["message"] == 'deployments.apps "a" not found'
    assert refused["details"] == {"name": "a", "group": "apps", "kind": "deployments"}


async def test_delete_of_a_missing_object_finds_nothing_whatever_is_expected_of_it(
    api: Api, config_maps: str
) -> None:
    reply = await api.delete(f"{config_maps}/a", {"preconditions": {"uid": "other"}})

    reply.refused(404, "NotFound")


async def test_delete_in_a_missing_namespace_finds_no_object(api: Api, namespace: str) -> None:
    refused = (await api.delete(f"/api/v1/namespaces/{namespace}-missing/configmaps/a")).refused(
        404, "NotFound"
    )

    assert refused["message"] == 'configmaps "a" not found'


async def test_delete_of_another_uid_is_a_conflict(api: Api, config_maps: str) -> None:
    uid = (await api.create(config_maps, config_map("a"))).ok()["metadata"]["uid"]

    reply = await api.delete(f"{config_maps}/a", {"preconditions": {"uid": "other"}})

    refused = reply.refused(409, "Conflict")
    assert refused["message"] == (
        'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match '
        f"the UID in record ({uid}). The object might have been deleted and then recreated"
    )
    assert (await api.get(f"{config_maps}/a")).status == 200


async def test_delete_of_another_resource_version_is_a_conflict(api: Api, config_maps: str) -> None:
    stale = (await api.create(config_maps, config_map("a"))).ok()["metadata"]["resourceVersion"]
    changed = (await api.patch(f"{config_maps}/a", {"data": {"key": "value"}})).ok()
    current = changed["metadata"]["resourceVersion"]

    reply = await api.delete(f"{config_maps}/a", {"preconditions": {"resourceVersion": stale}})

    assert reply.refused(409, "Conflict")["message"] == (
        'Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition '
        f"({stale}) does not match the ResourceVersion in record ({current}). "
        "The object might have been modified"
    )
    assert (await api.get(f"{config_maps}/a")).status == 200


async def test_delete_with_preconditions_that_hold_succeeds(api: Api, config_maps: str) -> None:
    metadata = (await api.create(config_maps, config_map("a"))).ok()["metadata"]
    preconditions = {key: metadata[key] for key in ("uid", "resourceVersion")}

    (await api.delete(f"{config_maps}/a", {"preconditions": preconditions})).ok()

    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


@pytest.mark.parametrize("api_version", ["v1", "meta.k8s.io/v1"])
async def test_delete_options_may_name_their_kind(api: Api, config_maps: str, api_version: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    options = {"apiVersion": api_version, "kind": "DeleteOptions", "propagationPolicy": "Background"}

    assert (await api.delete(f"{config_maps}/a", options)).status == 200


async def test_delete_with_a_body_of_another_kind_is_a_bad_request(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.delete(f"{config_maps}/a", config_map("a"))).refused(400, "BadRequest")

    assert (await api.get(f"{config_maps}/a")).status == 200


async def test_delete_with_a_malformed_body_is_a_bad_request(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.delete(f"{config_maps}/a", b"{")).refused(400, "BadRequest")

    assert (await api.get(f"{config_maps}/a")).status == 200


async def test_delete_ignores_unknown_options(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    assert (await api.delete(f"{config_maps}/a", {"colour": "blue"})).status == 200


async def test_delete_with_a_grace_period_that_is_no_number_is_a_bad_request(
    api: Api, config_maps: str
) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.delete(f"{config_maps}/a", gracePeriodSeconds="soon")).refused(400, "BadRequest")


async def test_delete_grants_no_grace_to_kinds_that_know_none(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.delete(f"{config_maps}/a", gracePeriodSeconds=30)).ok()

    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


async def test_delete_of_a_protected_namespace_is_forbidden(api: Api) -> None:
    refused = (await api.delete("/api/v1/namespaces/default", dryRun="All")).refused(403, "Forbidden")

    assert refused["message"] == 'namespaces "default" is forbidden: this namespace may not be deleted'
