"""finalizers: an object waits for them, and goes with the last."""

import pytest

from contract import JSON_PATCH, Api, Object, config_map, deployment
from contract_objects import version_of, with_metadata
from contract_writes import matching, pod_template, resource

WORKLOAD = {"selector": matching(), "template": pod_template()}


async def terminating(api: Api, path: str, *finalizers: str) -> str:
    """An object that waits for its finalizers; its path."""
    (await api.create(path, config_map("a", finalizers=list(finalizers)))).ok()
    (await api.delete(f"{path}/a")).ok()
    return f"{path}/a"


async def test_delete_only_marks_an_object_with_finalizers(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", finalizers=["example.com/a"]))).ok()

    reply = await api.delete(f"{config_maps}/a")

    deleted = reply.body["metadata"]
    assert (reply.status, reply.body["kind"]) == (200, "ConfigMap")
    assert deleted["deletionTimestamp"].endswith("Z")
    assert deleted["deletionGracePeriodSeconds"] == 0
    assert deleted["finalizers"] == ["example.com/a"]
    assert deleted["resourceVersion"] != created["metadata"]["resourceVersion"]
    assert (await api.get(f"{config_maps}/a")).ok() == reply.body


async def test_a_second_delete_changes_nothing(api: Api, config_maps: str) -> None:
    path = await terminating(api, config_maps, "example.com/a")
    before = (await api.get(path)).ok()

    assert (await api.delete(path)).ok() == before


async def test_removing_the_last_finalizer_removes_the_object(api: Api, config_maps: str) -> None:
    path = await terminating(api, config_maps, "example.com/a")

    last = (await api.patch(path, {"metadata": {"finalizers": []}})).ok()

    assert last["kind"] == "ConfigMap"
    assert "finalizers" not in last["metadata"]
    assert "deletionTimestamp" in last["metadata"]
    (await api.get(path)).refused(404, "NotFound")


async def test_an_update_may_remove_the_last_finalizer_too(api: Api, config_maps: str) -> None:
    path = await terminating(api, config_maps, "example.com/a")

    (await api.update(path, config_map("a"))).ok()

    (await api.get(path)).refused(404, "NotFound")


async def test_a_status_update_may_remove_the_last_finalizer_too(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a", finalizers=["example.com/a"]))).ok()
    (await api.delete(f"{deployments}/a")).ok()

    (await api.patch(f"{deployments}/a/status", {"metadata": {"finalizers": None}})).ok()

    (await api.get(f"{deployments}/a")).refused(404, "NotFound")


async def test_each_finalizer_holds_the_object(api: Api, config_maps: str) -> None:
    path = await terminating(api, config_maps, "example.com/a", "example.com/b")

    (await api.patch(path, {"metadata": {"finalizers": ["example.com/b"]}})).ok()

    assert (await api.get(path)).ok()["metadata"]["finalizers"] == ["example.com/b"]


async def test_no_finalizer_is_added_to_a_terminating_object(api: Api, config_maps: str) -> None:
    path = await terminating(api, config_maps, "example.com/a")

    reply = await api.patch(path, {"metadata": {"finalizers": ["example.com/a", "example.com/b"]}})

    assert reply.refused(422, "Invalid")["message"] == (
        'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the '
        'object is being deleted, found new finalizers []string{"example.com/b"}'
    )
    assert set(reply.fields) == {"metadata.finalizers"}


async def test_no_finalizer_replaces_the_last_of_a_terminating_object(api: Api, config_maps: str) -> None:
    path = await terminating(api, config_maps, "example.com/a")

    reply = await api.patch(path, {"metadata": {"finalizers": ["example.com/b"]}})

    reply.refused(422, "Invalid")
    assert (await api.get(path)).ok()["metadata"]["finalizers"] == ["example.com/a"]


async def test_the_finalizers_of_a_terminating_object_may_change_their_order(
    api: Api, config_maps: str
) -> None:
    path = await terminating(api, config_maps, "example.com/a", "example.com/b")

    reply = await api.patch(path, {"metadata": {"finalizers": ["example.com/b", "example.com/a"]}})

    assert reply.ok()["metadata"]["finalizers"] == ["example.com/b", "example.com/a"]


async def test_a_terminating_object_cannot_be_saved(api: Api, config_maps: str) -> None:
    path = await terminating(api, config_maps, "example.com/a")
    marked = (await api.get(path)).ok()["metadata"]

    without = await api.update(path, config_map("a", {"key": "value"}, finalizers=["example.com/a"]))
    removed = await api.patch(path, {"metadata": {"deletionTimestamp": None}})
    postponed = await api.patch(path, {"metadata": {"deletionTimestamp": "2100-01-01T00:00:00Z"}})

    for reply in (without, removed, postponed):
        assert reply.ok()["metadata"]["deletionTimestamp"] == marked["deletionTimestamp"]
        assert reply.body["metadata"]["deletionGracePeriodSeconds"] == 0


async def test_a_terminating_object_may_still_be_changed(api: Api, config_maps: str) -> None:
    path = await terminating(api, config_maps, "example.com/a")

    changed = (await api.patch(path, {"data": {"key": "value"}, "metadata": {"labels": {"a": "b"}}})).ok()

    assert changed["data"] == {"key": "value"}
    assert changed["metadata"]["labels"] == {"a": "b"}


async def test_finalizers_of_a_living_object_come_and_go(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    added = await api.update(f"{config_maps}/a", with_metadata(created, finalizers=["example.com/a"]))
    removed = await api.patch(f"{config_maps}/a", {"metadata": {"finalizers": None}})

    assert added.ok()["metadata"]["finalizers"] == ["example.com/a"]
    assert "finalizers" not in removed.ok()["metadata"]
    assert (await api.get(f"{config_maps}/a")).status == 200


async def test_a_json_patch_removes_one_finalizer_only_while_it_is_where_it_was(
    api: Api, config_maps: str
) -> None:
    path = await terminating(api, config_maps, "example.com/a", "example.com/b")
    patch = [
        {"op": "test", "path": "/metadata/finalizers/0", "value": "example.com/a"},
        {"op": "remove", "path": "/metadata/finalizers/0"},
    ]

    first = await api.patch(path, patch, JSON_PATCH)
    second = await api.patch(path, patch, JSON_PATCH)

    assert first.ok()["metadata"]["finalizers"] == ["example.com/b"]
    second.refused(422, "Invalid")


async def test_the_way_of_a_deletion_shows_in_a_watch(api: Api, config_maps: str) -> None:
    created = await api.create(config_maps, config_map("a", finalizers=["example.com/a"]))

    async with api.watch(config_maps, resourceVersion=version_of(created)) as events:
        (await api.delete(f"{config_maps}/a")).ok()
        (await api.patch(f"{config_maps}/a", {"metadata": {"finalizers": None}})).ok()
        marked, gone = await anext(events), await anext(events)

    assert (marked["type"], gone["type"]) == ("MODIFIED", "DELETED")
    assert "deletionTimestamp" in marked["object"]["metadata"]
    assert "deletionTimestamp" in gone["object"]["metadata"]


async def test_a_claim_is_protected_by_a_finalizer_of_the_server(api: Api, namespace: str) -> None:
    claims = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}

    created = (await api.create(claims, {"metadata": {"name": "a"}, "spec": spec})).ok()

    assert created["metadata"]["finalizers"] == ["kubernetes.io/pvc-protection"]


async def test_a_version_cannot_be_demanded_where_a_deletion_takes_the_last_finalizer(
    api: Api, config_maps: str, namespace: str
) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    version = version_of(await api.delete(f"{config_maps}/a", {"propagationPolicy": "Foreground"}))
    options = {"propagationPolicy": "Background", "preconditions": {"resourceVersion": version}}

    refused = await api.delete(f"{config_maps}/a", options)
    several = await api.delete(config_maps, options)

    for reply in (refused, several):
        assert reply.refused(409, "Conflict")["message"] == (
            'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, '
            f"Key: /registry/configmaps/{namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: "
            "Precondition failed: ResourceVersion in precondition: , "
            f"ResourceVersion in object meta: {version}"
        )
    (await api.delete(f"{config_maps}/a", {"propagationPolicy": "Background"})).ok()
    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


@pytest.mark.parametrize(
    ("kind", "blank"),
    [
        ("Deployment", {"spec": {"replicas": 0, "strategy": {}}, "status": {}}),
        ("ReplicaSet", {"spec": {"replicas": 0}, "status": {"replicas": 0}}),
        (
            "DaemonSet",
            {
                "metadata": {"annotations": {"deprecated.daemonset.template.generation": "0"}},
                "spec": {"updateStrategy": {}},
                "status": dict.fromkeys(
                    (
                        "currentNumberScheduled",
                        "desiredNumberScheduled",
                        "numberMisscheduled",
                        "numberReady",
                    ),
                    0,
                ),
            },
        ),
    ],
)
async def test_a_dry_run_that_takes_the_last_finalizer_shows_an_object_with_nothing_in_it(
    api: Api, namespace: str, kind: str, blank: Object
) -> None:
    path = f"/apis/apps/v1/namespaces/{namespace}/{kind.lower()}s"
    (await api.create(path, resource("apps/v1", kind, spec=WORKLOAD))).ok()
    (await api.delete(f"{path}/a", {"propagationPolicy": "Foreground"})).ok()

    shown = await api.delete(f"{path}/a", {"propagationPolicy": "Background", "dryRun": ["All"]})

    nothing = {"selector": None, "template": {"metadata": {}, "spec": {"containers": None}}}
    expected = {"kind": kind, "apiVersion": "apps/v1", "metadata": {}, **blank}
    assert shown.ok() == {**expected, "spec": {**blank["spec"], **nothing}}
    (await api.delete(f"{path}/a", {"propagationPolicy": "Background"})).ok()
