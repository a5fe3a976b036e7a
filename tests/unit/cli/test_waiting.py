"""Waiting for a cluster, and what is said when it was in vain."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from operating import moving
from windlass.aio import ManualClock
from windlass.api import ObjectMeta, Resource
from windlass.cli.installer import Installer
from windlass.cli.waiting import Patience, remaining, unavailable, unestablished
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster
from windlass.codegen import Delivery, Project
from windlass.errors import NotSettledError
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Namespace, Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Cart(Resource, group="shop.example.com", version="v1"):
    pass


DELIVERY = Delivery(project=Project(operator="shop", kinds=(Cart,), module="shop.operator"))
(DEPLOYMENT,) = [each for each in DELIVERY.objects() if each["kind"] == "Deployment"]
PLACE = "shop-system"


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        await client.create(Namespace(metadata=ObjectMeta(name=PLACE)))
        yield client


async def test_it_ends_as_soon_as_nothing_is_missing() -> None:
    clock, answers = ManualClock(), ["this", "that", ""]

    async def missing() -> str:
        return answers.pop(0)

    await moving(clock, Patience(clock, timedelta(seconds=10)).until_quiet(missing))

    assert answers == []


async def test_in_the_end_it_says_how_long_it_has_waited_and_for_what() -> None:
    clock = ManualClock()

    async def missing() -> str:
        return "the moon is not full"

    with pytest.raises(NotSettledError, match="after 10 s, the moon is not full"):
        await moving(clock, Patience(clock, timedelta(seconds=10)).until_quiet(missing))


async def test_a_definition_is_waited_for_until_it_is_established(client: Client) -> None:
    await Installer(client, print).apply(DELIVERY.definitions())

    assert await unestablished(client, DELIVERY.definitions()) == ""


async def test_a_deployment_is_available_when_all_its_pods_are_of_its_newest_form(client: Client) -> None:
    made = await client.create(Deployment.from_wire(DEPLOYMENT))
    counts: dict[str, Any] = dict.fromkeys(("replicas", "updatedReplicas", "readyReplicas"), 1)

    async def reported(**status: int) -> str:
        patch = MergePatch({"status": counts | status})
        await client.status.patch(Deployment, made.metadata.name, patch, PLACE)
        return await unavailable(client, DEPLOYMENT)

    assert "0 of 1 replicas available" in await unavailable(client, DEPLOYMENT)
    assert await reported(observedGeneration=0, availableReplicas=1)
    assert await reported(observedGeneration=1, availableReplicas=1, replicas=2)
    assert await reported(observedGeneration=1, availableReplicas=1) == ""


async def test_what_its_pods_complain_of_is_said(client: Client) -> None:
    await client.create(Deployment.from_wire(DEPLOYMENT))
    template = DEPLOYMENT["spec"]["template"]
    spec = {name: value for name, value in template["spec"].items() if name != "serviceAccountName"}
    labels = template["metadata"]["labels"]
    metadata = {"name": "shop-1", "namespace": PLACE, "labels": labels}
    await client.create(Pod.from_wire({"metadata": metadata, "spec": spec}))
    waits = {"waiting": {"reason": "ImagePullBackOff", "message": "no such image"}}
    crashed = {"terminated": {"exitCode": 3}}
    told = {"name": "manager", "state": waits, "lastState": crashed, "ready": False, "restartCount": 1}
    told |= {"image": "shop:latest", "imageID": ""}
    unplaced = {"type": "PodScheduled", "status": "False", "message": "0/1 nodes"}
    status = MergePatch({"status": {"containerStatuses": [told], "conditions": [unplaced]}})
    await client.status.patch(Pod, "shop-1", status, PLACE)

    assert await unavailable(client, DEPLOYMENT) == (
        "deployment shop-controller-manager has 0 of 1 replicas available; "
        "pod shop-1 is not scheduled: 0/1 nodes; "
        "pod shop-1: ImagePullBackOff: no such image; "
        "pod shop-1 ended with 3, see its log"
    )


async def test_what_waits_for_a_finalizer_is_said_with_its_name(client: Client) -> None:
    installer = Installer(client, print)
    made = DEPLOYMENT | {"metadata": DEPLOYMENT["metadata"] | {"finalizers": ["example.com/slow"]}}
    await installer.apply([made])

    going = await installer.delete([made])

    said = await remaining(installer, going)
    assert said.startswith("Deployment shop-controller-manager is still there, waiting for ")
    assert "example.com/slow" in said
    await client.patch(
        Deployment, made["metadata"]["name"], MergePatch({"metadata": {"finalizers": []}}), PLACE
    )
    assert await remaining(installer, going) == ""
