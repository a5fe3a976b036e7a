"""status: a half of the object with a door of its own."""

from contract import Api, deployment, pod
from contract_objects import version_of, with_metadata, with_spec


async def test_the_main_door_ignores_the_status(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()

    updated = await api.update(f"{deployments}/a", {**created, "status": {"replicas": 7}})
    patched = await api.patch(f"{deployments}/a", {"status": {"replicas": 7}})

    assert updated.ok()["status"] == patched.ok()["status"] == {}
    assert version_of(patched) == version_of(updated) == created["metadata"]["resourceVersion"]


async def test_the_main_door_keeps_the_status_that_it_is_not_told(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    (await api.patch(f"{deployments}/a/status", {"status": {"replicas": 2}})).ok()

    updated = (await api.update(f"{deployments}/a", deployment("a", replicas=5))).ok()

    assert updated["status"] == {"replicas": 2}


async def test_the_status_door_ignores_the_spec(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()
    body = {**with_spec(created, replicas=9), "status": {"replicas": 2}}

    updated = (await api.update(f"{deployments}/a/status", body)).ok()

    assert updated["spec"] == created["spec"]
    assert updated["status"] == {"replicas": 2}


async def test_the_status_door_ignores_a_spec_that_is_invalid_or_absent(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()
    bare = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}}

    absent = await api.update(f"{deployments}/a/status", {**bare, "status": {"replicas": 1}})
    invalid = await api.patch(f"{deployments}/a/status", {"spec": {"replicas": -1}})

    assert absent.ok()["spec"] == invalid.ok()["spec"] == created["spec"]


async def test_the_status_door_keeps_labels_and_writes_other_metadata(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a", labels={"team": "a"}))).ok()
    metadata = {
        "labels": {"team": "b", "more": "c"},
        "annotations": {"note": "d"},
        "finalizers": ["example.com/a"],
    }

    updated = (await api.patch(f"{deployments}/a/status", {"metadata": metadata})).ok()["metadata"]

    assert updated["labels"] == {"team": "a"}
    assert updated["annotations"] == {"note": "d"}
    assert updated["finalizers"] == ["example.com/a"]


async def test_the_status_door_of_a_pod_writes_labels_but_no_owners(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a"))).ok()
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "b", "uid": "u"}
    body = with_metadata(created, labels={"team": "a"}, ownerReferences=[owner])

    updated = (await api.update(f"{pods}/a/status", body)).ok()["metadata"]

    assert updated["labels"] == {"team": "a"}
    assert "ownerReferences" not in updated


async def test_an_annotation_through_the_status_door_leaves_the_generation(
    api: Api, deployments: str
) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    patch = {"metadata": {"annotations": {"a": "b"}}, "status": {"replicas": 1}}
    updated = (await api.patch(f"{deployments}/a/status", patch)).ok()

    assert updated["metadata"]["generation"] == 1


async def test_a_status_update_replaces_the_whole_status(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    (await api.patch(f"{deployments}/a/status", {"status": {"replicas": 2, "readyReplicas": 1}})).ok()

    replaced = await api.update(f"{deployments}/a/status", {**deployment("a"), "status": {"replicas": 3}})
    cleared = await api.update(f"{deployments}/a/status", deployment("a"))

    assert replaced.ok()["status"] == {"replicas": 3}
    assert cleared.ok()["status"] == {}


async def test_a_status_update_is_validated(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    reply = await api.patch(f"{deployments}/a/status", {"status": {"replicas": 1, "readyReplicas": 2}})

    assert reply.refused(422, "Invalid")["message"] == (
        'Deployment.apps "a" is invalid: status.readyReplicas: Invalid value: 2: '
        "cannot be greater than status.replicas"
    )


async def test_a_status_update_with_a_stale_version_is_a_conflict(api: Api, deployments: str) -> None:
    stale = (await api.create(deployments, deployment("a"))).ok()
    (await api.patch(f"{deployments}/a", {"metadata": {"labels": {"a": "b"}}})).ok()

    reply = await api.update(f"{deployments}/a/status", {**stale, "status": {"replicas": 1}})

    assert reply.refused(409, "Conflict")["details"] == {"name": "a", "group": "apps", "kind": "deployments"}


async def test_a_status_update_without_a_change_keeps_the_version(api: Api, deployments: str) -> None:
    created = await api.create(deployments, deployment("a"))
    status = {"status": {"replicas": 1}}

    first = await api.patch(f"{deployments}/a/status", status)
    second = await api.patch(f"{deployments}/a/status", status)

    assert version_of(first) != version_of(created)
    assert version_of(second) == version_of(first)


async def test_a_status_update_makes_a_spec_update_stale(api: Api, deployments: str) -> None:
    stale = (await api.create(deployments, deployment("a"))).ok()
    (await api.patch(f"{deployments}/a/status", {"status": {"replicas": 1}})).ok()

    (await api.update(f"{deployments}/a", with_spec(stale, replicas=2))).refused(409, "Conflict")


async def test_the_status_is_read_with_the_whole_object(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()

    assert (await api.get(f"{deployments}/a/status")).ok() == created


async def test_the_status_of_a_missing_object_finds_nothing(api: Api, deployments: str) -> None:
    body = {**deployment("a"), "status": {"replicas": 1}}

    assert (await api.update(f"{deployments}/a/status", body)).refused(404, "NotFound")["message"] == (
        'deployments.apps "a" not found'
    )
    (await api.get(f"{deployments}/a/status")).refused(404, "NotFound")


async def test_the_status_is_neither_created_nor_deleted(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    (await api.create(f"{deployments}/a/status", deployment("a"))).refused(405, "MethodNotAllowed")
    (await api.delete(f"{deployments}/a/status")).refused(405, "MethodNotAllowed")


async def test_a_status_update_needs_the_name_of_the_path(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    (await api.update(f"{deployments}/a/status", deployment("b"))).refused(400, "BadRequest")


async def test_a_kind_without_a_status_has_no_such_door(api: Api, config_maps: str) -> None:
    refused = (await api.get(f"{config_maps}/a/status")).refused(404, "NotFound")

    assert refused["message"] == "the server could not find the requested resource"


async def test_the_status_of_a_pod_completes_its_addresses(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    status = {"status": {"phase": "Running", "podIP": "10.0.0.1"}}
    updated = (await api.patch(f"{pods}/a/status", status)).ok()

    assert updated["status"] == {
        "phase": "Running",
        "podIP": "10.0.0.1",
        "podIPs": [{"ip": "10.0.0.1"}],
        "qosClass": "BestEffort",
    }
