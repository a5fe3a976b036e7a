"""watch: a selection, and objects that come into it and leave it."""

import pytest

from contract import Api, config_map, pod
from contract_reads import current, history, summary, take, version_of


async def test_leaving_the_selection_is_a_deletion_of_the_last_selected_state(
    api: Api, config_maps: str
) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "1"}, labels={"in": "yes"}))).ok()
    left = {"metadata": {"labels": {"in": "no"}}, "data": {"key": "2"}}

    async with api.watch(config_maps, resourceVersion=version_of(created), labelSelector="in=yes") as events:
        changed = (await api.patch(f"{config_maps}/a", left)).ok()
        [event] = await take(events)

    assert event["type"] == "DELETED"
    assert event["object"]["metadata"]["labels"] == {"in": "yes"}
    assert event["object"]["data"] == {"key": "1"}
    assert version_of(event["object"]) == version_of(changed)


async def test_coming_into_the_selection_is_an_addition(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    async with api.watch(config_maps, resourceVersion=version_of(created), labelSelector="in") as events:
        changed = (await api.patch(f"{config_maps}/a", {"metadata": {"labels": {"in": ""}}})).ok()
        [event] = await take(events)

    assert event == {"type": "ADDED", "object": changed}


async def test_what_happens_outside_of_the_selection_is_not_seen(api: Api, config_maps: str) -> None:
    since = await current(api, config_maps)
    (await api.create(config_maps, config_map("a"))).ok()
    (await api.patch(f"{config_maps}/a", {"data": {"key": "1"}})).ok()
    (await api.patch(f"{config_maps}/a", {"metadata": {"labels": {"in": "yes"}}})).ok()
    (await api.patch(f"{config_maps}/a", {"data": {"key": "2"}})).ok()
    (await api.patch(f"{config_maps}/a", {"metadata": {"labels": {"in": "no"}}})).ok()
    (await api.patch(f"{config_maps}/a", {"data": {"key": "3"}})).ok()
    (await api.delete(f"{config_maps}/a")).ok()
    (await api.create(config_maps, config_map("end", labels={"in": "yes"}))).ok()

    seen = await history(api, config_maps, since, "end", labelSelector="in=yes")

    assert [event["type"] for event in seen] == ["ADDED", "MODIFIED", "DELETED"]


async def test_a_selection_applies_to_what_exists_too(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", labels={"in": "no"}))).ok()
    (await api.create(config_maps, config_map("b", labels={"in": "yes"}))).ok()

    async with api.watch(config_maps, labelSelector="in=yes") as events:
        [event] = await take(events)

    assert summary(event) == ("ADDED", "b")


async def test_one_object_is_watched_by_a_selector_of_its_name(api: Api, config_maps: str) -> None:
    since = await current(api, config_maps)
    (await api.create(config_maps, config_map("other"))).ok()
    (await api.create(config_maps, config_map("a"))).ok()
    (await api.delete(f"{config_maps}/other")).ok()
    (await api.delete(f"{config_maps}/a")).ok()

    async with api.watch(config_maps, resourceVersion=since, fieldSelector="metadata.name=a") as events:
        seen = await take(events, 2)

    assert [summary(event) for event in seen] == [("ADDED", "a"), ("DELETED", "a")]


async def test_binding_a_pod_adds_it_to_its_node_and_takes_it_from_the_queue(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a"))).ok()
    since = version_of(created)
    target = {"apiVersion": "v1", "kind": "Node", "name": "node-1"}
    binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "a"}, "target": target}
    (await api.create(f"{pods}/a/binding", binding)).ok()

    async with (
        api.watch(pods, resourceVersion=since, fieldSelector="spec.nodeName=node-1") as of_the_node,
        api.watch(pods, resourceVersion=since, fieldSelector="spec.nodeName=") as of_the_queue,
    ):
        [added], [removed] = await take(of_the_node), await take(of_the_queue)

    assert summary(added) == ("ADDED", "a")
    assert added["object"]["spec"]["nodeName"] == "node-1"
    assert summary(removed) == ("DELETED", "a")
    assert "nodeName" not in removed["object"]["spec"]
    assert version_of(added["object"]) == version_of(removed["object"])


async def test_a_phase_can_be_left_through_the_status(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a"))).ok()

    async with api.watch(
        pods, resourceVersion=version_of(created), fieldSelector="status.phase=Pending"
    ) as events:
        (await api.patch(f"{pods}/a/status", {"status": {"phase": "Running"}})).ok()
        [event] = await take(events)

    assert event["type"] == "DELETED"
    assert event["object"]["status"]["phase"] == "Pending"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"labelSelector": "=1"}, "found '=', expected: !, identifier, or 'end of string'"),
        (
            {"fieldSelector": "data.key=1"},
            '"data.key" is not a known field selector: only "metadata.name", "metadata.namespace"',
        ),
    ],
)
async def test_a_malformed_selector_is_refused_before_the_stream(
    api: Api, config_maps: str, query: dict[str, str], message: str
) -> None:
    refused = (await api.get(config_maps, watch=True, **query)).refused(400, "BadRequest")

    assert refused["message"] == message


async def test_the_old_path_of_a_watch_still_works(api: Api, namespace: str, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    old_path = f"/api/v1/watch/namespaces/{namespace}/configmaps"

    async with api.watch(old_path, watch=False) as events:
        [event] = await take(events)

    assert summary(event) == ("ADDED", "a")


async def test_the_old_path_of_one_object_selects_it(api: Api, namespace: str, config_maps: str) -> None:
    since = await current(api, config_maps)
    (await api.create(config_maps, config_map("other"))).ok()
    (await api.create(config_maps, config_map("a"))).ok()

    old_path = f"/api/v1/watch/namespaces/{namespace}/configmaps/a"
    async with api.watch(old_path, resourceVersion=since) as events:
        [event] = await take(events)

    assert summary(event) == ("ADDED", "a")


@pytest.mark.parametrize("selector", ["metadata.name=b", "metadata.name!=b", "metadata.namespace=default"])
async def test_the_old_path_of_one_object_is_of_no_other(api: Api, namespace: str, selector: str) -> None:
    old_path = f"/api/v1/watch/namespaces/{namespace}/configmaps/a"

    refused = (await api.get(old_path, fieldSelector=selector)).refused(400, "BadRequest")

    assert refused["message"] == "fieldSelector metadata.name doesn't match requested name"
