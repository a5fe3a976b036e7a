"""Objects into a cluster and out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.api import ObjectMeta, Resource
from windlass.cli.installer import Installer
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster
from windlass.codegen import Delivery, Project
from windlass.errors import ConfigError, NotFound
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Namespace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Json


class Cart(Resource, group="shop.example.com", version="v1"):
    pass


DELIVERY = Delivery(project=Project(operator="shop", kinds=(Cart,), module="shop.operator"))


def settings(**data: str) -> Json:
    metadata = {"name": "settings", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with Cluster() as cluster:
        yield Client(cluster.transport())


@pytest.fixture
def said() -> list[str]:
    """What the installer has said."""
    return []


@pytest.fixture
def installer(client: Client, said: list[str]) -> Installer:
    return Installer(client, said.append)


async def test_the_first_time_creates_the_second_changes_nothing_and_the_third_says_what_it_changed(
    client: Client, installer: Installer, said: list[str]
) -> None:
    for data in ({"a": "1"}, {"a": "1"}, {"a": "2"}):
        await installer.apply([settings(**data)])

    assert said == [f"configmap/settings {each}" for each in ("created", "unchanged", "configured")]
    assert (await client.get(ConfigMap, "settings", "default")).data == {"a": "2"}


async def test_what_somebody_changed_by_hand_is_put_back(client: Client, installer: Installer) -> None:
    await installer.apply([settings(a="1")])
    await client.patch(ConfigMap, "settings", MergePatch({"data": {"a": "by hand"}}), "default")

    await installer.apply([settings(a="1")])

    assert (await client.get(ConfigMap, "settings", "default")).data == {"a": "1"}


async def test_everything_of_an_operator_comes_and_goes_a_second_time_as_unchanged(
    client: Client, installer: Installer, said: list[str]
) -> None:
    objects = DELIVERY.objects()
    await installer.apply(objects)
    assert [line.rpartition(" ")[2] for line in said] == ["created"] * len(objects)
    said.clear()
    await installer.apply(objects)
    assert [line.rpartition(" ")[2] for line in said] == ["unchanged"] * len(objects)

    await client.delete(Deployment, "shop-controller-manager", "shop-system")
    await installer.delete(objects, ignore_missing=True)

    left = [each for each in objects if (found := await installer.find(each)) and not going(found)]
    assert left == []


def going(found: Resource) -> bool:
    return found.metadata.deletion_timestamp is not None


async def test_a_namespace_of_others_is_neither_labelled_nor_deleted(
    client: Client, installer: Installer, said: list[str]
) -> None:
    await client.create(Namespace(metadata=ObjectMeta(name="shop-system", labels={"team": "till"})))
    namespaces = [each for each in DELIVERY.objects() if each["kind"] == "Namespace"]

    await installer.apply(namespaces)
    deleted = await installer.delete(namespaces)

    found = await client.get(Namespace, "shop-system")
    assert "app.kubernetes.io/name" not in found.metadata.labels
    assert (deleted, going(found)) == ([], False)
    assert said[-1] == "namespace/shop-system stays, it was not made for this operator"


async def test_a_namespace_of_ones_own_stays_while_another_operator_runs_in_it(
    client: Client, installer: Installer, said: list[str]
) -> None:
    await installer.apply(DELIVERY.objects())
    moved_in = next(each for each in DELIVERY.objects() if each["kind"] == "Deployment")
    moved_in["metadata"]["name"] = "other"
    await installer.apply([moved_in])
    await client.delete(Deployment, "shop-controller-manager", "shop-system")

    await installer.delete(DELIVERY.objects(), ignore_missing=True)

    assert not going(await client.get(Namespace, "shop-system"))
    assert "namespace/shop-system stays, deployment other is in it too" in said


async def test_what_is_not_there_is_an_error_unless_that_is_to_be_ignored(installer: Installer) -> None:
    with pytest.raises(
        NotFound, match=r"ConfigMap default/settings not found; .* add --ignore-not-found"
    ) as error:
        await installer.delete([settings()])
    assert "/api/" not in str(error.value)

    assert await installer.delete([settings()], ignore_missing=True) == []


async def test_a_kind_that_the_cluster_does_not_know_is_named_and_is_no_trouble_when_it_has_to_go(
    installer: Installer,
) -> None:
    monitors = [each for each in DELIVERY.monitoring() if each["kind"] == "ServiceMonitor"]

    with pytest.raises(ConfigError, match="the cluster knows no ServiceMonitor"):
        await installer.apply(monitors)
    assert await installer.delete(monitors, ignore_missing=True) == []
