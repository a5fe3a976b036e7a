"""A namespace that is deleted takes everything with it that lies in it, and says what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from family import child, gone, is_there
from installed import install, remove
from polling import until
from windlass.api import ObjectMeta, Resource
from windlass.client import MergePatch
from windlass.codegen import custom_resource_definitions
from windlass.kinds.core.v1 import ConfigMap, Namespace, Pod, Secret

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.kinds.core.v1 import NamespaceCondition

HELD = ["example.com/held"]
FREED = MergePatch({"metadata": {"finalizers": None}})
PATIENCE = 60.0
"""The real controller waits for seconds before it looks at a deleted namespace, and between two looks."""


class Parcel(Resource, group="namespaces.example.com", version="v1"):
    """A kind of this test alone: others may run beside it."""


async def conditions(client: Client, name: str) -> dict[str, NamespaceCondition]:
    """What a namespace says, by type."""
    found = await client.get(Namespace, name)
    return {each.type: each for each in found.status.conditions}


@pytest.mark.timeout(180)
async def test_everything_goes_and_pods_go_first(client: Client, namespace: str) -> None:
    (definition,) = custom_resource_definitions([Parcel])
    await install(client, definition)
    parcel = await client.create(Parcel(metadata=ObjectMeta(name="parcel")))
    secret = await client.create(Secret(metadata=ObjectMeta(name="secret")))
    config = await child(client, "config")
    spec = {"schedulerName": "by-hand", "containers": [{"name": "main", "image": "web:1"}]}
    body = {"metadata": {"name": "pod", "finalizers": HELD}, "spec": spec}
    pod = await client.create(Pod.from_wire(body))
    await client.delete(Namespace, namespace)

    async def deleted() -> object:
        return (await client.get(Pod, "pod")).metadata.deletion_timestamp

    await until(deleted, patience=PATIENCE)
    await until(lambda: conditions(client, namespace), patience=PATIENCE)
    assert [await is_there(client, each) for each in (parcel, secret, config, pod)] == [True] * 4
    await client.patch(Pod, "pod", FREED)
    await gone(client, parcel, secret, config, pod, patience=PATIENCE)

    async def names() -> list[str]:
        return [each.metadata.name for each in await client.list(Namespace)]

    await until(names, lambda found: namespace not in found, patience=PATIENCE)
    await remove(client, definition["metadata"]["name"])


@pytest.mark.timeout(180)
async def test_conditions_say_what_is_left_and_which_finalizers_hold_it(
    client: Client, namespace: str
) -> None:
    for name in ("one", "two"):
        await child(client, name, finalizers=HELD)
    await client.delete(Namespace, namespace)

    async def told() -> list[tuple[str, str, str, str]]:
        found = (await conditions(client, namespace)).values()
        return [(each.type, each.status, each.reason or "", each.message or "") for each in found]

    assert await until(told, patience=PATIENCE) == [
        (
            "NamespaceDeletionDiscoveryFailure",
            "False",
            "ResourcesDiscovered",
            "All resources successfully discovered",
        ),
        (
            "NamespaceDeletionGroupVersionParsingFailure",
            "False",
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed",
        ),
        (
            "NamespaceDeletionContentFailure",
            "False",
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization",
        ),
        (
            "NamespaceContentRemaining",
            "True",
            "SomeResourcesRemain",
            "Some resources are remaining: configmaps. has 2 resource instances",
        ),
        (
            "NamespaceFinalizersRemaining",
            "True",
            "SomeFinalizersRemain",
            "Some content in the namespace has finalizers remaining: example.com/held in 2 resource instances",
        ),
    ]
    for name in ("one", "two"):
        await client.patch(ConfigMap, name, FREED)

    async def names() -> list[str]:
        return [each.metadata.name for each in await client.list(Namespace)]

    await until(names, lambda found: namespace not in found, patience=PATIENCE)
