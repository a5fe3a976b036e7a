"""Whether an apply would change anything, judged by the server's own record of the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from windlass.api import Untyped
from windlass.client import Client, ClientOptions, Request, WriteOptions
from windlass.cluster import Cluster
from windlass.controller.fields import is_applied, managed, ownable, owned_values
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Service

if TYPE_CHECKING:
    from windlass.api import Json, Resource

MANAGER = "tester"


async def applied(client: Client, kind: type[Resource], desired: Json) -> Json:
    """The object as the server has it after an apply."""
    path = kind.__kind__.path(desired["metadata"]["name"], "default")
    request = Request(
        method="PATCH",
        path=path,
        query=(*client.options.write.query(), ("force", "true")),
        headers={"Content-Type": "application/apply-patch+yaml"},
        body=orjson.dumps(desired),
    )
    answer: Json = await client.json(request)
    return answer


def deployment(**container: Any) -> Json:
    labels = {"app": "web"}
    containers = [{"name": "web", "image": "web:1", **container}]
    template = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default", "labels": labels},
        "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "template": template},
    }


def service() -> Json:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default", "finalizers": ["example.com/a", "example.com/b"]},
        "spec": {
            "selector": {"app": "web"},
            "ports": [{"name": "a", "port": 80, "targetPort": "http"}, {"name": "b", "port": 81}],
        },
    }


def config_map(**data: str) -> Json:
    metadata = {"name": "web", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


KEPT_AS_SENT = [
    pytest.param(Deployment, deployment(), id="list maps"),
    pytest.param(Deployment, deployment(ports=[{"containerPort": 80}]), id="a defaulted key"),
    pytest.param(Deployment, deployment(env=[{"name": "A", "value": "1"}, {"name": "B"}]), id="env"),
    pytest.param(Deployment, deployment(command=["sh", "-c", "true"]), id="an atomic list"),
    pytest.param(Deployment, deployment(securityContext={"runAsNonRoot": True}), id="a boolean"),
    pytest.param(Service, service(), id="sets"),
    pytest.param(ConfigMap, config_map(a="1", b="2"), id="maps"),
]


@pytest.fixture
def client() -> Client:
    return Client(Cluster().transport(), ClientOptions(write=WriteOptions(field_manager=MANAGER)))


def settled(desired: Json, live: Json) -> bool:
    fields = managed(live["metadata"], MANAGER)
    return fields is not None and is_applied(fields, ownable(desired), live)


@pytest.mark.parametrize(("kind", "desired"), KEPT_AS_SENT)
async def test_what_was_just_applied_is_recognised(
    client: Client, kind: type[Resource], desired: Json
) -> None:
    assert settled(desired, await applied(client, kind, desired))


CHANGES = [
    pytest.param(deployment(image="web:2"), id="a value"),
    pytest.param(deployment(env=[{"name": "A", "value": "1"}]), id="a new list"),
    pytest.param(deployment(command=["sh"]), id="a new atomic list"),
    pytest.param({**deployment(), "metadata": {"name": "web", "labels": {}}}, id="labels that went"),
]


@pytest.mark.parametrize("desired", CHANGES)
async def test_what_differs_is_not_taken_for_applied(client: Client, desired: Json) -> None:
    live = await applied(client, Deployment, deployment())

    assert not settled(desired, live)


async def test_a_field_that_is_no_longer_wanted_is_seen(client: Client) -> None:
    live = await applied(client, ConfigMap, config_map(a="1", b="2"))

    assert not settled(config_map(a="1"), live)
    assert settled(config_map(a="1"), await applied(client, ConfigMap, config_map(a="1")))


async def test_a_value_that_somebody_changed_is_seen(client: Client) -> None:
    live = await applied(client, ConfigMap, config_map(a="1"))
    other = client.using(field_manager="somebody")

    changed = await other.patch(ConfigMap, "web", _merge({"data": {"a": "2"}}), "default")

    assert settled(config_map(a="1"), live)
    assert not settled(config_map(a="1"), changed.to_wire())


async def test_what_others_add_does_not_matter(client: Client) -> None:
    await applied(client, ConfigMap, config_map(a="1"))
    other = client.using(field_manager="somebody")

    changed = await other.patch(ConfigMap, "web", _merge({"data": {"z": "2"}}), "default")

    assert settled(config_map(a="1"), changed.to_wire())


async def test_a_quantity_that_the_server_writes_anew_is_not_recognised_but_its_value_stays(
    client: Client,
) -> None:
    desired = deployment(resources={"limits": {"cpu": "1000m"}})
    first = await applied(client, Deployment, desired)
    second = await applied(client, Deployment, desired)

    assert not settled(desired, first)
    fields = managed(first["metadata"], MANAGER)
    assert fields is not None
    assert owned_values(fields, first) == owned_values(fields, second)
    assert "1000m" not in str(owned_values(fields, first))


async def test_an_object_that_we_never_applied_is_not_settled(client: Client) -> None:
    made = await client.create(Untyped.of(ConfigMap.__kind__).from_wire(config_map(a="1")))

    assert managed(made.to_wire()["metadata"], MANAGER) is None


@pytest.mark.parametrize(("desired", "live"), [(True, 1), (1, True), ([True], [1]), ({"a": False}, {"a": 0})])
def test_true_is_not_one(desired: Any, live: Any) -> None:
    assert not is_applied({}, desired, live)


def _merge(content: Json) -> Any:
    from windlass.client import MergePatch

    return MergePatch(content)
