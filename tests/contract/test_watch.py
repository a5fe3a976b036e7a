"""watch: which events there are, in which order, and what they carry."""

import asyncio

import pytest

from contract import Api, config_map, deployment, pod
from contract_reads import (
    current,
    existing_namespace,
    history,
    revision,
    summary,
    take,
    version_of,
)


async def test_a_watch_without_a_version_begins_with_what_exists(api: Api, config_maps: str) -> None:
    existing = [(await api.create(config_maps, config_map(name))).ok() for name in ("a", "b")]

    async with api.watch(config_maps) as events:
        begin = await take(events, 2)
        created = (await api.create(config_maps, config_map("c"))).ok()
        [then] = await take(events)

    assert {summary(event) for event in begin} == {("ADDED", "a"), ("ADDED", "b")}
    assert sorted((event["object"] for event in begin), key=revision) == existing
    assert then == {"type": "ADDED", "object": created}


async def test_version_zero_begins_with_what_exists_too(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    async with api.watch(config_maps, resourceVersion=0) as events:
        assert summary((await take(events))[0]) == ("ADDED", "a")


async def test_a_watch_from_a_version_sees_later_changes_only(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    b = (await api.create(config_maps, config_map("b"))).ok()
    c = (await api.create(config_maps, config_map("c"))).ok()

    async with api.watch(config_maps, resourceVersion=version_of(b)) as events:
        [event] = await take(events)

    assert event == {"type": "ADDED", "object": c}


async def test_a_change_carries_the_new_state_with_its_kind(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "1"}))).ok()

    async with api.watch(config_maps, resourceVersion=version_of(created)) as events:
        changed = (await api.patch(f"{config_maps}/a", {"data": {"key": "2"}})).ok()
        [event] = await take(events)

    assert event == {"type": "MODIFIED", "object": changed}
    assert changed["kind"] == "ConfigMap"


async def test_a_deletion_carries_the_last_state_under_a_new_version(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "1"}))).ok()

    async with api.watch(config_maps, resourceVersion=version_of(created)) as events:
        (await api.delete(f"{config_maps}/a")).ok()
        [event] = await take(events)

    assert event["type"] == "DELETED"
    assert revision(event["object"]) > revision(created)
    created["metadata"]["resourceVersion"] = version_of(event["object"])
    assert event["object"] == created


async def test_removing_the_last_finalizer_is_a_deletion_of_the_stored_state(
    api: Api, config_maps: str
) -> None:
    created = (await api.create(config_maps, config_map("a", finalizers=["example.com/x"]))).ok()

    async with api.watch(config_maps, resourceVersion=version_of(created)) as events:
        (await api.delete(f"{config_maps}/a")).ok()
        (await api.patch(f"{config_maps}/a", {"metadata": {"finalizers": None}})).ok()
        marked, gone = await take(events, 2)

    assert [marked["type"], gone["type"]] == ["MODIFIED", "DELETED"]
    assert marked["object"]["metadata"]["deletionTimestamp"]
    assert gone["object"]["metadata"]["finalizers"] == ["example.com/x"]


async def test_a_pod_is_marked_before_it_is_gone(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a", nodeName="node-1"))).ok()

    async with api.watch(pods, resourceVersion=version_of(created)) as events:
        (await api.delete(f"{pods}/a")).ok()
        (await api.delete(f"{pods}/a", gracePeriodSeconds=0)).ok()
        seen = await take(events, 3)

    grace = [event["object"]["metadata"]["deletionGracePeriodSeconds"] for event in seen]
    assert [event["type"] for event in seen] == ["MODIFIED", "MODIFIED", "DELETED"]
    assert grace == [30, 0, 0]


async def test_writes_that_change_nothing_cause_no_event(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "1"}))).ok()
    (await api.update(f"{config_maps}/a", created)).ok()
    (await api.patch(f"{config_maps}/a", {"data": {"key": "1"}})).ok()
    (await api.patch(f"{config_maps}/a", {"data": {"key": "2"}}, dryRun="All")).ok()
    (await api.delete(f"{config_maps}/a", dryRun="All")).ok()
    (await api.create(config_maps, config_map("b"), dryRun="All")).ok()
    (await api.create(config_maps, config_map("end"))).ok()

    assert await history(api, config_maps, version_of(created), "end") == []


async def test_status_and_scale_are_changes_of_the_whole_object(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a", replicas=1))).ok()

    async with api.watch(deployments, resourceVersion=version_of(created)) as events:
        (await api.patch(f"{deployments}/a/status", {"status": {"replicas": 1}})).ok()
        (await api.patch(f"{deployments}/a/scale", {"spec": {"replicas": 3}})).ok()
        status, scale = await take(events, 2)

    assert [status["type"], scale["type"]] == ["MODIFIED", "MODIFIED"]
    assert scale["object"]["kind"] == "Deployment"
    assert (status["object"]["metadata"]["generation"], status["object"]["spec"]["replicas"]) == (1, 1)
    assert (scale["object"]["metadata"]["generation"], scale["object"]["spec"]["replicas"]) == (2, 3)


async def test_deleting_a_collection_deletes_each(api: Api, config_maps: str) -> None:
    for name in ("a", "b", "c"):
        (await api.create(config_maps, config_map(name))).ok()
    since = await current(api, config_maps)

    async with api.watch(config_maps, resourceVersion=since) as events:
        (await api.delete(config_maps)).ok()
        seen = await take(events, 3)

    assert {summary(event) for event in seen} == {("DELETED", "a"), ("DELETED", "b"), ("DELETED", "c")}


async def test_an_object_that_takes_the_place_of_another_is_added(api: Api, config_maps: str) -> None:
    first = (await api.create(config_maps, config_map("a"))).ok()
    (await api.delete(f"{config_maps}/a")).ok()
    second = (await api.create(config_maps, config_map("a"))).ok()

    async with api.watch(config_maps, resourceVersion=version_of(first)) as events:
        deleted, added = await take(events, 2)

    assert [deleted["type"], added["type"]] == ["DELETED", "ADDED"]
    assert deleted["object"]["metadata"]["uid"] == first["metadata"]["uid"]
    assert added["object"] == second


async def test_events_come_in_the_order_of_versions_and_alike_to_all(api: Api, config_maps: str) -> None:
    since = await current(api, config_maps)

    async with (
        api.watch(config_maps, resourceVersion=since) as one,
        api.watch(config_maps, resourceVersion=since) as another,
    ):
        await asyncio.gather(*(churn(api, config_maps, f"object-{number}") for number in range(8)))
        first, second = await take(one, 24), await take(another, 24)

    versions = [revision(event["object"]) for event in first]
    assert versions == sorted(set(versions))
    assert first == second


async def test_a_late_watch_is_told_the_same_history(api: Api, config_maps: str) -> None:
    since = await current(api, config_maps)
    async with api.watch(config_maps, resourceVersion=since) as events:
        await asyncio.gather(*(churn(api, config_maps, name) for name in ("a", "b")))
        live = await take(events, 6)

    async with api.watch(config_maps, resourceVersion=since) as events:
        late = await take(events, 6)

    assert late == live
    of_a = [event["type"] for event in late if event["object"]["metadata"]["name"] == "a"]
    assert of_a == ["ADDED", "MODIFIED", "DELETED"]


async def test_a_watch_goes_on_after_the_version_of_any_event(api: Api, config_maps: str) -> None:
    since = await current(api, config_maps)
    await churn(api, config_maps, "a")
    async with api.watch(config_maps, resourceVersion=since) as events:
        seen = await take(events, 3)

    for number, event in enumerate(seen[:-1]):
        async with api.watch(config_maps, resourceVersion=version_of(event["object"])) as events:
            assert await take(events) == [seen[number + 1]]


async def test_a_kind_is_watched_apart_from_the_others(api: Api, namespace: str, config_maps: str) -> None:
    since = await current(api, config_maps)
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}}
    (await api.create(f"/api/v1/namespaces/{namespace}/secrets", secret)).ok()
    (await api.create(config_maps, config_map("end"))).ok()

    assert await history(api, config_maps, since, "end") == []


async def test_a_namespace_is_watched_apart_from_the_others(
    api: Api, namespace: str, neighbour: str, config_maps: str
) -> None:
    since = await current(api, config_maps)
    labels = {"of": namespace}
    (await api.create(f"/api/v1/namespaces/{neighbour}/configmaps", config_map("a", labels=labels))).ok()
    (await api.create(config_maps, config_map("b", labels=labels))).ok()
    (await api.create(config_maps, config_map("end", labels=labels))).ok()

    here = await history(api, config_maps, since, "end")
    everywhere = await history(api, "/api/v1/configmaps", since, "end", labelSelector=f"of={namespace}")

    assert [summary(event) for event in here] == [("ADDED", "b")]
    places = [event["object"]["metadata"]["namespace"] for event in everywhere]
    assert places == [neighbour, namespace]


async def test_a_namespace_can_be_watched_before_it_exists(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}-later/configmaps"

    async with api.watch(path) as events, existing_namespace(api, f"{namespace}-later"):
        created = (await api.create(path, config_map("a"))).ok()
        [event] = await take(events)

    assert event == {"type": "ADDED", "object": created}


async def test_cluster_scoped_objects_are_watched_without_a_namespace(api: Api, namespace: str) -> None:
    path = "/api/v1/namespaces"

    async with api.watch(path, fieldSelector=f"metadata.name={namespace}") as events:
        changed = (await api.patch(f"{path}/{namespace}", {"metadata": {"labels": {"a": "b"}}})).ok()
        before, after = await take(events, 2)

    assert [summary(before), summary(after)] == [("ADDED", namespace), ("MODIFIED", namespace)]
    assert after["object"] == changed


async def churn(api: Api, path: str, name: str) -> None:
    """Create, change and delete an object: three events."""
    (await api.create(path, config_map(name))).ok()
    (await api.patch(f"{path}/{name}", {"data": {"key": name}})).ok()
    (await api.delete(f"{path}/{name}")).ok()


@pytest.mark.parametrize("path", ["/api/v1/watch", "/api/v1/watch/", "/apis/apps/v1/watch", "/api/v1/proxy"])
async def test_an_old_path_that_says_nothing_more_makes_no_sense(api: Api, path: str) -> None:
    reply = await api.get(path)

    assert reply.status == 500
    assert reply.body == (
        f'Internal Server Error: "{path}": failed to create RequestInfo: '
        f"unable to determine kind and namespace from url, {path}\n"
    )
