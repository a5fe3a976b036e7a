"""What the removal of an operator looks up: objects with its finalizers, and its roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import ObjectMeta, Resource
from windlass.cli.installer import Installer
from windlass.cli.removal import (
    Held,
    granted_roles,
    held_objects,
    left_behind,
    refuse_to_leave,
    watched_namespaces,
)
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.codegen import Delivery, Project
from windlass.errors import FinalizersRemainError
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Namespace
from windlass.kinds.rbac.v1 import RoleBinding, RoleRef, Subject
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

OWN = "shop.example.com/cart"
OLD = "shop.example.com/old"


class Cart(Resource, group="shop.example.com", version="v1"):
    pass


class Shelf(Resource, group="shop.example.com", version="v1", namespaced=False):
    pass


class Sign(Resource, group="shop.example.com", version="v1"):
    pass


class CartController(Reconciler[Cart]):
    finalizer = OWN
    old_finalizers = (OLD,)

    async def reconcile(self, resource: Cart, ctx: Context) -> Result[Any]:
        return Result.ready()

    async def finalize(self, resource: Cart, ctx: Context) -> Result[Any]:
        return Result.ready()


class SignController(Reconciler[Sign]):
    async def reconcile(self, resource: Sign, ctx: Context) -> Result[Any]:
        return Result.ready()


PROJECT = Project(
    operator="shop",
    kinds=(Cart, Shelf, Sign),
    module="shop.operator",
    reconcilers=(CartController, SignController),
    watch_namespaces=("default",),
)


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        await client.create(Namespace(metadata=ObjectMeta(name="shop-system")))
        yield client


async def test_objects_are_found_that_only_the_operator_can_release(client: Client) -> None:
    await Installer(client, print).apply(Delivery(project=PROJECT).definitions())
    for name, finalizers in (
        ("own", [OWN, "example.com/other"]),
        ("old", [OLD]),
        ("other", ["example.com/a"]),
    ):
        await client.create(Cart(metadata=ObjectMeta(name=name, namespace="default", finalizers=finalizers)))
    await client.create(Shelf(metadata=ObjectMeta(name="unknown", finalizers=["example.com/any"])))
    await client.create(
        Sign(metadata=ObjectMeta(name="a", namespace="default", finalizers=["example.com/a"]))
    )

    found = {str(each) for each in await held_objects(client, PROJECT)}

    assert found == {
        f"carts.shop.example.com default/own ({OWN})",
        f"carts.shop.example.com default/old ({OLD})",
        "shelfs.shop.example.com unknown (example.com/any)",
    }


async def test_kinds_that_the_cluster_does_not_serve_have_no_objects(client: Client) -> None:
    assert await held_objects(client, PROJECT) == []


def test_a_refusal_lists_all_objects_and_says_what_to_do() -> None:
    held = [
        Held("carts.shop.example.com", "a", "x", (OWN,)),
        Held("shelfs.shop.example.com", "", "y", (OLD,)),
    ]

    refuse_to_leave([])
    with pytest.raises(FinalizersRemainError) as refusal:
        refuse_to_leave(held)

    lines = str(refusal.value).splitlines()
    assert lines[0].startswith(
        "2 objects have finalizers that only this operator removes. Nothing was removed"
    )
    assert lines[1:3] == [f"  carts.shop.example.com a/x ({OWN})", f"  shelfs.shop.example.com y ({OLD})"]
    assert "--crds" in lines[3]
    assert "--force" in lines[3]
    assert lines[-2:] == [f"  {each.release}" for each in held]
    patch = """--type merge -p '{"metadata": {"finalizers": null}}'"""
    assert left_behind(held)[0].endswith(f"kubectl patch carts.shop.example.com x -n a {patch}")
    assert left_behind(held)[1].endswith(f"kubectl patch shelfs.shop.example.com y {patch}")


async def test_roles_of_the_account_are_found_and_those_of_others_are_not(client: Client) -> None:
    objects = Delivery(project=PROJECT).objects()
    await Installer(client, print).apply(objects)
    other = Subject(kind="ServiceAccount", name="shop-controller-manager", namespace="elsewhere")
    reference = RoleRef(api_group="rbac.authorization.k8s.io", kind="Role", name="shop-watch-role")
    metadata = ObjectMeta(name="shop-watch-rolebinding", namespace="shop-system")
    await client.create(RoleBinding(metadata=metadata, role_ref=reference, subjects=[other]))

    found = await granted_roles(client, PROJECT)

    named = [
        (each["kind"], each["metadata"].get("namespace", ""), each["metadata"]["name"]) for each in found
    ]
    assert named == [
        ("Role", "default", "shop-watch-role"),
        ("RoleBinding", "default", "shop-watch-rolebinding"),
        ("ClusterRole", "", "shop-manager-role"),
        ("ClusterRoleBinding", "", "shop-manager-rolebinding"),
    ]


async def test_an_operator_that_is_limited_to_namespaces_leaves_objects_of_others_to_others(
    client: Client,
) -> None:
    await Installer(client, print).apply(Delivery(project=PROJECT).definitions())
    for namespace in ("default", "kube-system"):
        metadata = ObjectMeta(name="c", namespace=namespace, finalizers=[OWN])
        await client.create(Cart(metadata=metadata))

    every = await held_objects(client, PROJECT)
    limited = await held_objects(client, PROJECT, frozenset({"default"}))

    assert {each.namespace for each in every} == {"default", "kube-system"}
    assert {each.namespace for each in limited} == {"default"}


async def test_the_namespaces_of_a_deployed_operator_are_read_off_its_deployment(client: Client) -> None:
    (deployment,) = [each for each in Delivery(project=PROJECT).objects() if each["kind"] == "Deployment"]
    assert await watched_namespaces(client, deployment) == frozenset()

    await client.create(Deployment.from_wire(deployment))

    assert await watched_namespaces(client, deployment) == {"default"}
