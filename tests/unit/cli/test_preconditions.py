"""What `deploy` checks before it changes anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from windlass.api import ObjectMeta, Resource
from windlass.cli.installer import Installer
from windlass.cli.preconditions import check_kinds, check_namespaces
from windlass.client import Client, Impersonation
from windlass.cluster import Cluster
from windlass.codegen import Delivery, Project
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import Namespace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Json


class Cart(Resource, group="shop.example.com", version="v1"):
    pass


class Sign(Resource, group="shop.example.com", version="v1"):
    pass


class Shelf(Resource, group="shop.example.com", version="v1"):
    pass


SHOP = Project(operator="shop", kinds=(Cart, Shelf), module="shop.operator")
OTHER = replace(SHOP, operator="other", kinds=(Shelf,))


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with Cluster() as cluster:
        yield Client(cluster.transport())


def deployment(project: Project) -> Json:
    (found,) = [each for each in Delivery(project=project).objects() if each["kind"] == "Deployment"]
    return found


async def deploy(client: Client, project: Project) -> None:
    await client.create(Namespace(metadata=ObjectMeta(name=project.place)))
    await Installer(client, print).apply([deployment(project)])


async def test_a_second_operator_of_a_kind_is_refused(client: Client) -> None:
    await deploy(client, SHOP)

    with pytest.raises(ConfigError) as refused:
        await check_kinds(client, deployment(OTHER))

    said = str(refused.value)
    assert said.splitlines()[0] == (
        "Deployment shop-system/shop-controller-manager serves Shelf.shop.example.com already; "
        "nothing was changed"
    )
    assert "add --operator shop to this command" in said
    assert "`windlass undeploy` with --operator shop" in said


async def test_the_same_operator_in_another_namespace_is_a_second_one(client: Client) -> None:
    await deploy(client, replace(SHOP, namespace="till"))

    with pytest.raises(ConfigError, match="add --operator shop -n till to this command"):
        await check_kinds(client, deployment(SHOP))


async def test_an_operator_may_be_deployed_again_and_beside_those_of_other_kinds(client: Client) -> None:
    await deploy(client, SHOP)

    await check_kinds(client, deployment(SHOP))
    await check_kinds(client, deployment(replace(OTHER, kinds=(Sign,))))


async def test_operators_of_a_kind_that_watch_different_namespaces_are_let_be(client: Client) -> None:
    await deploy(client, replace(SHOP, watch_namespaces=("a", "b")))

    await check_kinds(client, deployment(replace(OTHER, watch_namespaces=("c",))))
    for watched in (("b", "c"), ()):
        with pytest.raises(ConfigError, match=r"serves Shelf\.shop\.example\.com already"):
            await check_kinds(client, deployment(replace(OTHER, watch_namespaces=watched)))


async def test_where_deployments_cannot_be_listed_a_warning_says_so(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    nobody = client.acting_as(Impersonation.service_account("default", "nobody"))

    await check_kinds(nobody, deployment(SHOP))

    said = capsys.readouterr().err
    assert said.startswith("warning: not checked whether another operator serves the same kinds: ")


async def test_namespaces_that_are_to_be_watched_must_be_there(client: Client) -> None:
    await check_namespaces(client, replace(SHOP, watch_namespaces=("default", "shop-system")))

    with pytest.raises(ConfigError, match="the cluster has no namespace a or b; create it"):
        await check_namespaces(client, replace(SHOP, watch_namespaces=("a", "default", "b")))
