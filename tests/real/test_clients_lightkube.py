"""lightkube does its ordinary work on the embedded server, as on the real one."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest

from kubectl_objects import Backups
from polling import until
from servers import embedded_fixture, server_fixture

lightkube = pytest.importorskip(
    "lightkube", reason="needs lightkube: pip install -r requirements/clients.txt"
)

from lightkube.generic_resource import create_namespaced_resource  # noqa: E402
from lightkube.models.apps_v1 import DeploymentSpec, DeploymentStatus  # noqa: E402
from lightkube.models.autoscaling_v1 import ScaleSpec  # noqa: E402
from lightkube.models.core_v1 import Container, PodSpec, PodTemplateSpec  # noqa: E402
from lightkube.models.meta_v1 import LabelSelector, ObjectMeta  # noqa: E402
from lightkube.resources.apiextensions_v1 import CustomResourceDefinition  # noqa: E402
from lightkube.resources.apps_v1 import Deployment  # noqa: E402
from lightkube.resources.core_v1 import ConfigMap, Namespace, Pod  # noqa: E402
from lightkube.types import CascadeType, PatchType  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from servers import Server

embedded = embedded_fixture
server = server_fixture

LABELS = {"app": "web"}


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Any]:
    """A client in this test's namespace."""
    config = lightkube.KubeConfig.from_file(server.access.kubeconfig)
    async with lightkube.AsyncClient(
        config, namespace=server.namespace, field_manager="lightkube", trust_env=False
    ) as opened:
        yield opened


def config_map(name: str, labels: dict[str, str] | None = None, **data: str) -> Any:
    return ConfigMap(metadata=ObjectMeta(name=name, labels=labels), data=data)


def deployment(name: str, replicas: int = 1) -> Any:
    pods = PodTemplateSpec(
        metadata=ObjectMeta(labels=LABELS), spec=PodSpec(containers=[Container(name="web", image="nginx")])
    )
    spec = DeploymentSpec(replicas=replicas, selector=LabelSelector(matchLabels=LABELS), template=pods)
    return Deployment(metadata=ObjectMeta(name=name), spec=spec)


async def names(listing: Any) -> list[str]:
    return [each.metadata.name async for each in listing]


async def test_what_is_created_is_got_with_its_defaults(client: Any) -> None:
    created = await client.create(deployment("web"))
    got = await client.get(Deployment, "web")

    assert got == created
    assert got.spec.strategy.type == "RollingUpdate"
    assert got.metadata.generation == 1


async def test_a_list_is_selected_by_labels_and_fields(client: Any) -> None:
    for name, tier in (("a", "front"), ("b", "back"), ("c", "front")):
        await client.create(config_map(name, {"tier": tier}))

    assert await names(client.list(ConfigMap, labels={"tier": "front"})) == ["a", "c"]
    assert await names(client.list(ConfigMap, labels={"tier": {"front", "back"}, "other": None})) == []
    assert await names(client.list(ConfigMap, fields={"metadata.name": "b"})) == ["b"]


async def test_a_list_comes_in_chunks(client: Any) -> None:
    expected = [f"c{number}" for number in range(7)]
    for name in expected:
        await client.create(config_map(name))

    assert await names(client.list(ConfigMap, chunk_size=2)) == expected


async def test_a_watch_tells_what_happens_after_a_version(client: Any) -> None:
    first = await client.create(config_map("a", one="1"))
    seen = []

    async def follow() -> None:
        async for event, obj in client.watch(ConfigMap, resource_version=first.metadata.resourceVersion):
            seen.append((event, obj.metadata.name, obj.data))
            if event == "DELETED":
                return

    following = asyncio.create_task(follow())
    await client.patch(ConfigMap, "a", {"data": {"two": "2"}})
    await client.create(config_map("b", one="1"))
    await client.delete(ConfigMap, "a")
    await asyncio.wait_for(following, 20)

    changed = {"one": "1", "two": "2"}
    assert seen == [
        ("MODIFIED", "a", changed),
        ("ADDED", "b", {"one": "1"}),
        ("DELETED", "a", changed),
    ]


async def test_each_kind_of_patch_changes_the_object(client: Any) -> None:
    await client.create(deployment("web"))
    side = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "busybox"}]}}}}

    strategic = await client.patch(Deployment, "web", side)
    merged = await client.patch(Deployment, "web", {"spec": {"replicas": 3}}, patch_type=PatchType.MERGE)
    replaced = await client.patch(
        Deployment,
        "web",
        [{"op": "replace", "path": "/spec/replicas", "value": 5}],
        patch_type=PatchType.JSON,
    )

    assert {each.name for each in strategic.spec.template.spec.containers} == {"web", "side"}
    assert (merged.spec.replicas, replaced.spec.replicas) == (3, 5)


async def test_a_replace_needs_the_latest_version(client: Any) -> None:
    obj = await client.create(config_map("a", one="1"))
    obj.data["two"] = "2"
    await client.replace(obj)

    obj.data["three"] = "3"
    with pytest.raises(lightkube.ApiError) as caught:
        await client.replace(obj)

    assert (caught.value.status.code, caught.value.status.reason) == (409, "Conflict")


async def test_apply_owns_what_it_applies(client: Any) -> None:
    await client.apply(config_map("a", one="1", two="2"))
    applied = await client.apply(config_map("a", one="1"))

    assert applied.data == {"one": "1"}
    with pytest.raises(lightkube.ApiError) as caught:
        await client.apply(config_map("a", one="other"), field_manager="somebody")
    assert caught.value.status.code == 409
    assert caught.value.status.details.causes[0].field == ".data.one"

    forced = await client.apply(config_map("a", one="other"), field_manager="somebody", force=True)
    assert forced.data == {"one": "other"}


async def test_a_status_is_written_apart(client: Any) -> None:
    obj = await client.create(deployment("web"))
    obj.status = DeploymentStatus(replicas=1, readyReplicas=1, observedGeneration=1)
    obj.spec.replicas = 9
    await client.replace(Deployment.Status(metadata=obj.metadata, spec=obj.spec, status=obj.status))

    got = await client.get(Deployment, "web")
    assert (got.status.readyReplicas, got.spec.replicas, got.metadata.generation) == (1, 1, 1)


async def test_a_scale_is_changed(client: Any) -> None:
    await client.create(deployment("web"))
    scale = Deployment.Scale(
        metadata=ObjectMeta(name="web", namespace=client.namespace), spec=ScaleSpec(replicas=4)
    )
    await client.replace(scale)

    got = await client.get(Deployment.Scale, "web")
    assert (got.spec.replicas, got.status.selector) == (4, "app=web")


async def test_wait_ends_when_a_condition_is_true(client: Any) -> None:
    await client.create(deployment("web"))
    waiting = asyncio.create_task(client.wait(Deployment, "web", for_conditions=["Available"]))
    status = {"status": {"conditions": [{"type": "Available", "status": "True"}]}}
    await client.patch(Deployment.Status, "web", status)

    found = await asyncio.wait_for(waiting, 20)
    assert found.status.conditions[0].type == "Available"


async def test_what_is_deleted_is_gone(client: Any) -> None:
    await client.create(deployment("web"))
    await client.delete(Deployment, "web", cascade=CascadeType.BACKGROUND)
    with pytest.raises(lightkube.ApiError) as caught:
        await client.get(Deployment, "web")
    assert (caught.value.status.code, caught.value.status.reason) == (404, "NotFound")

    for name in ("a", "b"):
        await client.create(config_map(name))
    await client.deletecollection(ConfigMap)
    assert await names(client.list(ConfigMap)) == []


async def test_a_dry_run_changes_nothing(client: Any) -> None:
    tried = await client.create(config_map("a"), dry_run=True)
    assert tried.metadata.uid
    assert await names(client.list(ConfigMap)) == []


async def test_what_is_there_is_not_created_again(client: Any) -> None:
    await client.create(config_map("a"))
    with pytest.raises(lightkube.ApiError) as caught:
        await client.create(config_map("a"))
    assert (caught.value.status.code, caught.value.status.reason) == (409, "AlreadyExists")


async def test_what_is_not_valid_is_refused_with_its_fields(client: Any) -> None:
    broken = deployment("web", replicas=-1)
    with pytest.raises(lightkube.ApiError) as caught:
        await client.create(broken)
    status = caught.value.status
    assert (status.code, status.reason) == (422, "Invalid")
    assert [cause.field for cause in status.details.causes] == ["spec.replicas"]


async def test_cluster_wide_and_namespaced_kinds_are_listed(client: Any, server: Server) -> None:
    await client.create(config_map("a", {"of": server.namespace}))

    assert server.namespace in await names(client.list(Namespace))
    everywhere = client.list(ConfigMap, namespace="*", labels={"of": server.namespace})
    assert await names(everywhere) == ["a"]
    assert await names(client.list(Pod)) == []


async def test_custom_resources_are_used_without_a_model(client: Any, server: Server) -> None:
    kind = Backups(server.namespace.rpartition("-")[2])
    await client.create(CustomResourceDefinition.from_dict(kind.definition()))
    await client.wait(CustomResourceDefinition, kind.name, for_conditions=["Established"])
    resource = create_namespaced_resource(kind.group, "v1", f"Backup{kind.suffix}", kind.plural)
    created = await until(lambda: attempt(client, resource.from_dict(kind.make("daily"))), bool)
    await client.patch(resource.Status, "daily", {"status": {"phase": "Done"}}, patch_type=PatchType.MERGE)

    got = await client.get(resource, "daily")
    assert (got["spec"]["every"], got.status["phase"]) == (created["spec"]["every"], "Done")
    await client.delete(CustomResourceDefinition, kind.name)


async def attempt(client: Any, obj: Any) -> Any:
    """Create an object, unless its kind is not served quite yet."""
    try:
        return await client.create(obj)
    except lightkube.ApiError as error:
        if error.response.status_code == HTTPStatus.NOT_FOUND:
            return None
        raise


def test_the_client_without_asyncio_works_too(server: Server) -> None:
    config = lightkube.KubeConfig.from_file(server.access.kubeconfig)
    client = lightkube.Client(config, namespace=server.namespace, field_manager="lightkube", trust_env=False)
    client.create(config_map("a", one="1"))
    client.patch(ConfigMap, "a", {"data": {"two": "2"}})

    assert client.get(ConfigMap, "a").data == {"one": "1", "two": "2"}
    assert [each.metadata.name for each in client.list(ConfigMap)] == ["a"]
    watched = next(iter(client.watch(ConfigMap)))
    assert (watched[0], watched[1].metadata.name) == ("ADDED", "a")
    client.delete(ConfigMap, "a")
    client.close()
