"""Waiting for a cluster, and what is said when it was in vain."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from operating import moving
from windlass.aio import ManualClock
from windlass.api import ObjectMeta, Resource
from windlass.cli.installer import Installer
from windlass.cli.waiting import Patience, delete_kinds, delete_objects, remaining, unavailable, unestablished
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


class Shelf(Resource, group="shop.example.com", version="v1", namespaced=False):
    pass


DELIVERY = Delivery(project=Project(operator="shop", kinds=(Cart, Shelf), module="shop.operator"))
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


async def test_objects_of_all_kinds_are_deleted_at_once_whatever_holds_one(client: Client) -> None:
    await Installer(client, print).apply(DELIVERY.definitions())
    await client.create(_cart("held", "example.com/slow"))
    await client.create(_cart("kept", "example.com/slower"))
    await client.create(Shelf(metadata=ObjectMeta(name="free")))

    await delete_objects(client, DELIVERY.definitions())

    assert all(each.metadata.deletion_timestamp for each in await client.list(Cart))
    assert (await client.list(Shelf)).items == []
    *said, advice = (await delete_objects(client, DELIVERY.definitions())).splitlines()
    assert said == [
        "Cart shop-system/held is still there, waiting for example.com/slow",
        "Cart shop-system/kept is still there, waiting for example.com/slower",
    ]
    assert "start it, or give up what they stand for: kubectl patch" in advice


async def test_an_object_that_is_let_go_is_waited_for_no_longer(client: Client) -> None:
    await Installer(client, print).apply(DELIVERY.definitions())
    await client.create(_cart("held", "example.com/slow"))
    assert await delete_objects(client, DELIVERY.definitions())

    await client.patch(Cart, "held", MergePatch({"metadata": {"finalizers": []}}), PLACE)

    assert await delete_objects(client, DELIVERY.definitions()) == ""


async def test_an_object_that_comes_while_others_are_waited_for_is_deleted_too(client: Client) -> None:
    await Installer(client, print).apply(DELIVERY.definitions())
    await client.create(_cart("held", "example.com/slow"))
    await delete_objects(client, DELIVERY.definitions())

    await client.create(_cart("late"))
    await delete_objects(client, DELIVERY.definitions())

    assert [each.metadata.name for each in await client.list(Cart)] == ["held"]


async def test_a_kind_that_the_cluster_does_not_know_has_no_objects(client: Client) -> None:
    assert await delete_objects(client, DELIVERY.definitions()) == ""


async def test_what_holds_an_object_when_the_time_is_over_is_said(client: Client) -> None:
    await Installer(client, print).apply(DELIVERY.definitions())
    await client.create(_cart("held", "example.com/slow", "example.com/slower"))
    clock = ManualClock()
    gone = partial(delete_objects, client, DELIVERY.definitions())

    with pytest.raises(
        NotSettledError,
        match=r"after 10 s, Cart shop-system/held is still there, waiting for example.com/slow, "
        r"example.com/slower",
    ):
        await moving(clock, Patience(clock, timedelta(seconds=10)).until_quiet(gone))


async def test_no_kind_goes_before_the_objects_of_all_of_them(client: Client) -> None:
    installer, clock, definitions = Installer(client, print), ManualClock(), DELIVERY.definitions()
    await installer.apply(definitions)
    await client.create(_cart("held", "example.com/slow"))
    patience = Patience(clock, timedelta(seconds=10))

    with pytest.raises(NotSettledError, match="Cart shop-system/held is still there"):
        await moving(clock, delete_kinds(client, installer, definitions, patience))
    kept = [await installer.find(each) for each in definitions]
    await client.patch(Cart, "held", MergePatch({"metadata": {"finalizers": []}}), PLACE)
    await moving(clock, delete_kinds(client, installer, definitions, patience))

    assert [each.metadata.deletion_timestamp for each in kept if each] == [None, None]
    assert [await installer.find(each) for each in definitions] == [None, None]


async def test_without_patience_kinds_take_their_objects_with_them(client: Client) -> None:
    installer, definitions = Installer(client, print), DELIVERY.definitions()
    await installer.apply(definitions)
    await client.create(_cart("held", "example.com/slow"))

    await delete_kinds(client, installer, definitions, None)

    (held,) = await client.list(Cart)
    assert held.metadata.deletion_timestamp is not None


def _cart(name: str, *finalizers: str) -> Cart:
    return Cart(metadata=ObjectMeta(name=name, namespace=PLACE, finalizers=list(finalizers)))
