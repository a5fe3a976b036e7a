"""dry run: everything but the storing."""

import pytest

from contract import Api, config_map, deployment, pod
from contract_objects import lease, namespace_object, service, version_of, with_metadata


async def test_a_dry_create_answers_as_if_and_stores_nothing(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", {"key": "value"}), dryRun="All")

    assert reply.status == 201
    assert reply.body["data"] == {"key": "value"}
    assert reply.body["metadata"]["uid"]
    assert reply.body["metadata"]["creationTimestamp"]
    assert "resourceVersion" not in reply.body["metadata"]
    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


async def test_a_dry_create_generates_a_name(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map(generateName="web-"), dryRun="All")).ok()

    assert created["metadata"]["name"].startswith("web-")
    assert len(created["metadata"]["name"]) == len("web-") + 5
    assert (await api.get(config_maps)).ok()["items"] == []


async def test_a_dry_create_shows_defaults_and_admission(api: Api, deployments: str, pods: str) -> None:
    made = (await api.create(deployments, deployment("a"), dryRun="All")).ok()
    admitted = (await api.create(pods, pod("a"), dryRun="All")).ok()

    assert made["metadata"]["generation"] == 1
    assert made["spec"]["strategy"]["type"] == "RollingUpdate"
    assert len(admitted["spec"]["tolerations"]) == 2


async def test_a_dry_create_is_validated(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("A"), dryRun="All")

    reply.refused(422, "Invalid")
    assert reply.fields == ["metadata.name"]


async def test_a_dry_create_of_a_taken_name_is_a_conflict(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.create(config_maps, config_map("a"), dryRun="All")

    assert reply.refused(409, "AlreadyExists")["message"] == 'configmaps "a" already exists'


async def test_a_dry_create_needs_the_namespace(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}-missing/configmaps"

    (await api.create(path, config_map("a"), dryRun="All")).refused(404, "NotFound")


async def test_a_dry_create_of_a_service_shows_an_address_and_a_node_port(api: Api, namespace: str) -> None:
    services = f"/api/v1/namespaces/{namespace}/services"
    body = service("a", type="NodePort")

    proposed = (await api.create(services, body, dryRun="All")).ok()["spec"]

    assert proposed["clusterIP"]
    assert proposed["ports"][0]["nodePort"]
    (await api.get(f"{services}/a")).refused(404, "NotFound")


async def test_a_dry_update_shows_the_change_under_the_old_version(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    updated = await api.update(f"{config_maps}/a", config_map("a", {"key": "value"}), dryRun="All")

    assert updated.ok()["data"] == {"key": "value"}
    assert version_of(updated) == created["metadata"]["resourceVersion"]
    assert (await api.get(f"{config_maps}/a")).ok() == created


async def test_a_dry_update_with_a_stale_version_is_a_conflict(api: Api, config_maps: str) -> None:
    stale = (await api.create(config_maps, config_map("a"))).ok()
    (await api.patch(f"{config_maps}/a", {"data": {"key": "value"}})).ok()

    reply = await api.update(f"{config_maps}/a", with_metadata(stale, labels={"a": "b"}), dryRun="All")

    reply.refused(409, "Conflict")


async def test_a_dry_update_that_would_create_creates_nothing(api: Api, namespace: str) -> None:
    path = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/a"

    reply = await api.update(path, lease("a"), dryRun="All")

    assert reply.status == 201
    (await api.get(path)).refused(404, "NotFound")


async def test_a_dry_patch_changes_nothing(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()

    patched = (await api.patch(f"{deployments}/a", {"spec": {"replicas": 5}}, dryRun="All")).ok()

    assert (patched["spec"]["replicas"], patched["metadata"]["generation"]) == (5, 2)
    assert (await api.get(f"{deployments}/a")).ok() == created


async def test_a_dry_status_patch_changes_nothing(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()
    status = {"status": {"replicas": 5}}

    patched = (await api.patch(f"{deployments}/a/status", status, dryRun="All")).ok()

    assert patched["status"] == {"replicas": 5}
    assert (await api.get(f"{deployments}/a")).ok() == created


async def test_a_dry_delete_leaves_the_object(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    deleted = (await api.delete(f"{config_maps}/a", dryRun="All")).ok()

    assert deleted["status"] == "Success"
    assert deleted["details"]["uid"] == created["metadata"]["uid"]
    assert (await api.get(f"{config_maps}/a")).ok() == created


async def test_a_dry_delete_may_be_asked_for_in_the_body(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    (await api.delete(f"{config_maps}/a", {"dryRun": ["All"]})).ok()

    assert (await api.get(f"{config_maps}/a")).ok() == created


async def test_a_dry_delete_marks_nothing(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", finalizers=["example.com/a"]))).ok()

    marked = (await api.delete(f"{config_maps}/a", dryRun="All")).ok()

    assert "deletionTimestamp" in marked["metadata"]
    assert (await api.get(f"{config_maps}/a")).ok() == created


async def test_a_dry_delete_checks_preconditions(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.delete(f"{config_maps}/a", {"preconditions": {"uid": "other"}}, dryRun="All")

    reply.refused(409, "Conflict")


async def test_a_dry_delete_of_a_missing_object_finds_nothing(api: Api, config_maps: str) -> None:
    (await api.delete(f"{config_maps}/a", dryRun="All")).refused(404, "NotFound")


async def test_a_dry_delete_of_a_namespace_leaves_it_active(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}"

    shown = (await api.delete(path, dryRun="All")).ok()

    assert shown["status"] == {"phase": "Terminating"}
    assert (await api.get(path)).ok()["status"] == {"phase": "Active"}


async def test_a_dry_create_of_a_namespace_makes_none(api: Api, namespace: str) -> None:
    name = f"{namespace}-dry"

    (await api.create("/api/v1/namespaces", namespace_object(name), dryRun="All")).ok()

    (await api.get(f"/api/v1/namespaces/{name}")).refused(404, "NotFound")


@pytest.mark.parametrize("value", ["Some", "all", "true", ""])
async def test_the_only_dry_run_is_all(api: Api, config_maps: str, value: str) -> None:
    reply = await api.create(config_maps, config_map("a"), dryRun=value)

    refused = reply.refused(422, "Invalid")
    assert refused["message"] == (
        'CreateOptions.meta.k8s.io "" is invalid: '
        f'dryRun: Unsupported value: ["{value}"]: supported values: "All"'
    )
    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


async def test_a_watch_sees_nothing_of_a_dry_run(api: Api, config_maps: str) -> None:
    before = version_of(await api.get(config_maps))

    async with api.watch(config_maps, resourceVersion=before) as events:
        (await api.create(config_maps, config_map("dry"), dryRun="All")).ok()
        (await api.create(config_maps, config_map("wet"))).ok()
        first = await anext(events)

    assert first["object"]["metadata"]["name"] == "wet"


async def test_a_link_to_itself_is_shown_by_a_dry_write_unless_it_is_a_create(
    api: Api, config_maps: str
) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()
    linked = with_metadata(created, selfLink="/a")

    dry = (await api.update(f"{config_maps}/a", linked, dryRun="All")).ok()
    updated = (await api.update(f"{config_maps}/a", linked)).ok()
    made = (await api.create(config_maps, config_map("b", selfLink="/b"), dryRun="All")).ok()
    sent = {"apiVersion": "v1", "kind": "ConfigMap", **config_map("c", selfLink="/c")}
    applied = (await api.apply(f"{config_maps}/c", sent, dryRun="All")).ok()
    kept = (await api.apply(f"{config_maps}/c", sent)).ok()

    assert dry["metadata"]["selfLink"] == "/a"
    assert updated == created
    assert "selfLink" not in made["metadata"]
    assert applied["metadata"]["selfLink"] == "/c"
    assert "selfLink" not in kept["metadata"]
