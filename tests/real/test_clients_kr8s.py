"""kr8s does its ordinary work on the embedded server, as on the real one."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest

from kubectl_objects import Backups, config_map, deployment, pod
from polling import until
from servers import embedded_fixture, server_fixture

pytest.importorskip("kr8s", reason="needs kr8s: pip install -r requirements/clients.txt")

import kr8s
from kr8s.asyncio import api as connect
from kr8s.asyncio.objects import (
    ConfigMap,
    CustomResourceDefinition,
    Deployment,
    Node,
    Pod,
    object_from_spec,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from servers import Server

embedded = embedded_fixture
server = server_fixture

PATIENCE = 20
# It warns of each server that is newer than itself.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Kubernetes version .* is not supported:UserWarning"),
    # It asks for every group that there is, and a group of another test may go meanwhile.
    pytest.mark.filterwarnings("ignore:Client error '404 Not Found':UserWarning"),
]


@pytest.fixture
async def api(server: Server) -> AsyncIterator[Any]:
    """A client in this test's namespace."""
    opened: Any = await connect(kubeconfig=str(server.access.kubeconfig), namespace=server.namespace)
    yield opened
    await opened._session.aclose()  # it has no public way to be closed


async def made(api: Any, kind: Any, manifest: dict[str, Any]) -> Any:
    """An object, created."""
    obj = await kind(manifest, namespace=api.namespace, api=api)
    await obj.create()
    return obj


def refused(error: Any) -> int:
    """The status code of a refusal."""
    return int(error.response.status_code)


def answer(error: Any) -> Any:
    """The Status that a refusal carries."""
    return error.status


async def names(listing: Any) -> list[str]:
    return [each.name async for each in listing]


async def test_what_is_created_is_got_with_its_defaults(api: Any) -> None:
    created = await made(api, Deployment, deployment("web"))
    got = await Deployment.get("web", api=api)

    assert got.raw == created.raw
    assert got.spec.strategy.type == "RollingUpdate"
    assert await got.exists()


async def test_a_list_is_selected_by_labels_and_fields(api: Any) -> None:
    for name, tier in (("a", "front"), ("b", "back"), ("c", "front")):
        await made(api, ConfigMap, config_map(name, {"tier": tier}))

    assert await names(api.get("configmaps", label_selector={"tier": "front"})) == ["a", "c"]
    assert await names(api.get("cm", label_selector="tier notin (front)")) == ["b"]
    assert await names(api.get("configmap", field_selector="metadata.name=b")) == ["b"]
    assert await names(api.get("configmaps", "a", "c")) == ["a", "c"]
    assert await names(ConfigMap.list(namespace=api.namespace, api=api)) == ["a", "b", "c"]


async def test_a_watch_tells_what_happens_after_a_version(api: Any) -> None:
    first = await made(api, ConfigMap, config_map("a", one="1"))
    seen: list[tuple[str, str]] = []

    async def follow() -> None:
        async with aclosing(api.watch("configmaps", since=first.metadata.resourceVersion)) as events:
            async for event, obj in events:
                seen.append((event, obj.name))
                if event == "DELETED":
                    return

    following = asyncio.create_task(follow())
    await first.label(tier="front")
    await made(api, ConfigMap, config_map("b"))
    await first.delete()
    await asyncio.wait_for(following, PATIENCE)

    assert seen == [("MODIFIED", "a"), ("ADDED", "b"), ("DELETED", "a")]


async def test_labels_and_annotations_come_change_and_go(api: Any) -> None:
    obj = await made(api, ConfigMap, config_map("a"))
    await obj.label({"tier": "front"}, env="test")
    await obj.label(tier="back")
    await obj.annotate({"example.com/note": "hello"})
    assert (obj.labels, obj.annotations) == ({"tier": "back"}, {"example.com/note": "hello"})

    await obj.label("tier-")
    assert obj.labels == {}


async def test_each_kind_of_patch_changes_the_object(api: Any) -> None:
    obj = await made(api, Deployment, deployment("web"))
    await obj.patch({"spec": {"paused": True}})
    await obj.patch([{"op": "replace", "path": "/spec/replicas", "value": 5}], type="json")

    assert (obj.spec.paused, obj.spec.replicas, obj.metadata.generation) == (True, 5, 3)


async def test_a_deployment_is_scaled(api: Any) -> None:
    obj = await made(api, Deployment, deployment("web"))
    await asyncio.wait_for(obj.scale(4), PATIENCE)

    assert (await Deployment.get("web", api=api)).replicas == 4


async def test_a_status_is_patched_apart(api: Any) -> None:
    obj = await made(api, Pod, pod("web"))
    await obj.patch({"status": {"phase": "Running"}}, subresource="status")
    await obj.patch({"status": {"phase": "Failed"}})

    assert obj.status.phase == "Running"


async def test_wait_ends_when_a_condition_is_true(api: Any) -> None:
    obj = await made(api, Pod, pod("web"))
    waiting = asyncio.create_task(obj.wait("condition=Ready", timeout=PATIENCE))
    other = await Pod.get("web", api=api)
    await other.patch({"status": {"conditions": [{"type": "Ready", "status": "True"}]}}, subresource="status")

    await waiting
    assert obj.status.conditions[0].type == "Ready"


async def test_wait_ends_when_an_object_is_gone(api: Any) -> None:
    held = config_map("a")
    held["metadata"]["finalizers"] = ["example.com/hold"]
    obj = await made(api, ConfigMap, held)
    await obj.delete()
    waiting = asyncio.create_task(obj.wait("delete", timeout=PATIENCE))
    other = await ConfigMap.get("a", api=api)
    await other.patch({"metadata": {"finalizers": None}})

    await waiting
    assert not await obj.exists()


async def test_what_is_deleted_is_gone(api: Any) -> None:
    obj = await made(api, Deployment, deployment("web"))
    await obj.delete(propagation_policy="Background")

    assert not await obj.exists()
    with pytest.raises(kr8s.NotFoundError):
        await obj.refresh()
    with pytest.raises(kr8s.NotFoundError):
        await obj.delete()


async def test_what_is_there_is_not_created_again(api: Any) -> None:
    await made(api, ConfigMap, config_map("a"))
    with pytest.raises(kr8s.ServerError, match=r'configmaps "a" already exists') as caught:
        await made(api, ConfigMap, config_map("a"))
    assert refused(caught.value) == HTTPStatus.CONFLICT


async def test_a_write_of_an_old_version_is_a_conflict(api: Any) -> None:
    obj = await made(api, ConfigMap, config_map("a"))
    version = obj.metadata.resourceVersion
    await obj.label(tier="front")
    with pytest.raises(kr8s.ServerError, match="the object has been modified") as caught:
        await obj.patch({"metadata": {"resourceVersion": version}, "data": {"one": "1"}})
    assert answer(caught.value)["reason"] == "Conflict"


async def test_what_is_not_valid_is_refused_with_its_fields(api: Any) -> None:
    with pytest.raises(kr8s.ServerError, match="must be greater than or equal to 0") as caught:
        await made(api, Deployment, deployment("web", replicas=-1))
    assert refused(caught.value) == HTTPStatus.UNPROCESSABLE_ENTITY
    assert [cause["field"] for cause in answer(caught.value)["details"]["causes"]] == ["spec.replicas"]


async def test_an_owner_adopts_a_child(api: Any) -> None:
    owner = await made(api, Deployment, deployment("web"))
    child = await made(api, ConfigMap, config_map("a"))
    await owner.adopt(child)

    assert child.metadata.ownerReferences[0]["uid"] == owner.metadata.uid


async def test_a_node_is_cordoned_and_tainted(api: Any) -> None:
    node = await Node({"metadata": {"name": f"node-of-{api.namespace}"}}, api=api)
    await node.create()
    await node.cordon()
    await node.taint("example.com/only", "me", effect="NoSchedule")

    assert node.unschedulable
    assert node.spec.taints[-1] == {"key": "example.com/only", "value": "me", "effect": "NoSchedule"}
    await node.uncordon()
    await node.delete()


async def test_the_server_tells_who_asks_and_what_it_serves(api: Any) -> None:
    assert await api.whoami() == "admin"
    assert (await api.version())["minor"] == "36"
    await until(lambda: served(api), lambda found: ("deployments", "apps/v1") in found)
    assert "apps/v1" in [version async for version in api.api_versions()]


async def test_custom_resources_are_found_by_their_kind(api: Any) -> None:
    kind = Backups(api.namespace.rpartition("-")[2])
    definition = await CustomResourceDefinition(kind.definition(), api=api)
    await definition.create()

    await until(lambda: served(api), lambda found: (kind.plural, f"{kind.group}/v1") in found)
    obj = await object_from_spec(kind.make("daily"), api=api, allow_unknown_type=True)
    obj.namespace = api.namespace
    await until(lambda: attempt(obj), bool)
    await obj.patch({"status": {"phase": "Done"}}, subresource="status")

    assert (obj.spec.every, obj.status.phase) == ("1h", "Done")
    await definition.delete()


async def served(api: Any) -> set[tuple[str, str]]:
    """The resources and their versions; none if a kind of another test went while they were asked for."""
    try:
        resources = await api.async_api_resources_uncached()
    except kr8s.ServerError as error:
        if refused(error) == HTTPStatus.NOT_FOUND:
            return set()
        raise
    return {(each["name"], each["version"]) for each in resources}


async def attempt(obj: Any) -> bool:
    """Create an object, unless its kind is not served quite yet."""
    try:
        await obj.create()
    except kr8s.ServerError as error:
        if refused(error) == HTTPStatus.NOT_FOUND:
            return False
        raise
    return True
