"""What has lost its owners goes, in the order that was asked for, and nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from family import PATIENCE, child, gone, is_there, owners_of, reference
from installed import install, remove
from polling import until
from windlass.api import ObjectMeta, Resource
from windlass.client import DeleteOptions, MergePatch
from windlass.codegen import custom_resource_definitions
from windlass.kinds.core.v1 import ConfigMap, Event
from windlass.kinds.rbac.v1 import ClusterRole

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.client import Client

BACKGROUND = DeleteOptions(propagation="Background")
FOREGROUND = DeleteOptions(propagation="Foreground")
ORPHAN = DeleteOptions(propagation="Orphan")
HELD = {"finalizers": ["example.com/held"]}
FREED = MergePatch({"metadata": {"finalizers": None}})
DISCOVERY = 80.0
"""The real controller asks every 30 seconds which kinds there are."""


class Heirloom(Resource, group="garbage.example.com", version="v1"):
    """A kind of this test alone: others may run beside it."""


async def test_in_the_background_the_owner_goes_first_and_what_it_owned_follows(client: Client) -> None:
    owner = await child(client, "owner")
    middle = await child(client, "middle", owner, **HELD)
    last = await child(client, "last", middle)
    await client.delete(ConfigMap, "owner", options=BACKGROUND)
    await gone(client, owner)

    async def deleted() -> object:
        return (await client.get(ConfigMap, "middle")).metadata.deletion_timestamp

    await until(deleted, patience=PATIENCE)
    assert await is_there(client, last)
    await client.patch(ConfigMap, "middle", FREED)
    await gone(client, middle, last)


async def test_in_the_foreground_the_owner_waits_for_dependents_that_hold_it_back(client: Client) -> None:
    owner = await child(client, "owner")
    middle = await child(client, "middle", owner)
    last = await child(client, "last", middle, **HELD)
    loose = await child(client, "loose", reference(owner, blockOwnerDeletion=False), **HELD)
    await client.delete(ConfigMap, "owner", options=FOREGROUND)

    async def waiting() -> list[list[str]]:
        found = [await client.get(ConfigMap, each.metadata.name) for each in (owner, middle, last, loose)]
        return [each.metadata.finalizers for each in found if each.metadata.deletion_timestamp]

    kept = ["foregroundDeletion"], ["foregroundDeletion"], HELD["finalizers"], HELD["finalizers"]
    await until(waiting, lambda found: found == list(kept), patience=PATIENCE)
    await client.patch(ConfigMap, "last", FREED)
    await gone(client, last, middle, owner)
    assert await is_there(client, loose)  # it never held its owner back
    await client.patch(ConfigMap, "loose", FREED)


async def test_orphans_stay_and_forget_their_owner(client: Client) -> None:
    owner, other = await child(client, "owner"), await child(client, "other")
    orphans = [await child(client, f"orphan-{number}", owner) for number in range(3)]
    shared = await child(client, "shared", owner, other)
    below = await child(client, "below", orphans[0])
    await client.delete(ConfigMap, "owner", options=ORPHAN)
    await gone(client, owner)
    assert [await owners_of(client, each) for each in orphans] == [[], [], []]
    assert await owners_of(client, shared) == [other.metadata.uid]
    assert await owners_of(client, below) == [orphans[0].metadata.uid]


async def test_one_owner_that_exists_keeps_a_dependent_and_references_to_others_are_dropped(
    client: Client,
) -> None:
    first, second, third = [await child(client, name) for name in ("first", "second", "third")]
    shared = await child(client, "shared", first, second, third)

    async def owners() -> list[str]:
        return await owners_of(client, shared)

    await client.delete(ConfigMap, "first", options=BACKGROUND)
    left = [second.metadata.uid, third.metadata.uid]
    await until(owners, lambda found: found == left, patience=PATIENCE)
    await client.delete(ConfigMap, "second", options=FOREGROUND)
    await gone(client, second)
    assert await owners() == [third.metadata.uid]
    await client.delete(ConfigMap, "third", options=BACKGROUND)
    await gone(client, third, shared)


async def test_an_owner_is_who_has_the_kind_the_name_the_namespace_and_the_uid(
    client: Client, namespace: str
) -> None:
    owner = await child(client, "owner")
    elsewhere = await child(client, f"elsewhere-{namespace}", namespace="default")
    right = await child(client, "right", owner)
    wrong: list[Resource] = [
        await child(client, "another-uid", reference(owner, uid="00000000-0000-4000-8000-000000000000")),
        await child(client, "another-name", reference(owner, name="nobody")),
        await child(client, "another-kind", reference(owner, kind="Secret")),
        await child(client, "another-namespace", elsewhere),
    ]
    await gone(client, *wrong)
    assert await is_there(client, right)

    async def events() -> list[str]:
        found = await client.list(Event, fields="reason=OwnerRefInvalidNamespace")
        return [each.involved_object.name or "" for each in found]

    assert "another-namespace" in await until(events, patience=PATIENCE)
    await client.delete(ConfigMap, elsewhere.metadata.name, "default")


async def test_who_takes_the_name_of_an_owner_does_not_inherit(client: Client) -> None:
    first = await child(client, "owner")
    dependents = [await child(client, f"child-{number}", first) for number in range(5)]
    await client.delete(ConfigMap, "owner", options=BACKGROUND)
    second = await child(client, "owner")
    heir = await child(client, "heir", second)
    await gone(client, *dependents)
    assert await is_there(client, second)
    assert await is_there(client, heir)


async def test_what_lies_in_no_namespace_cannot_be_owned_by_what_lies_in_one(
    client: Client, namespace: str
) -> None:
    async def role(name: str, owner: Json) -> ClusterRole:
        body = {"metadata": {"name": f"{name}-{namespace}", "ownerReferences": [owner]}}
        return await client.create(ClusterRole.from_wire(body))

    owner = await child(client, "owner")
    kept = await role("kept", reference(owner))
    lost = await role("lost", reference(kept, name="nobody"))
    await client.delete(ConfigMap, "owner", options=BACKGROUND)
    await gone(client, owner, lost)
    assert await is_there(client, kept)
    assert await owners_of(client, kept) == [owner.metadata.uid]
    await client.delete(ClusterRole, kept.metadata.name)


async def test_a_circle_that_is_deleted_in_the_foreground_waits_for_nobody(client: Client) -> None:
    first = await child(client, "first")
    second = await child(client, "second", first)
    third = await child(client, "third", second)
    closing = MergePatch({"metadata": {"ownerReferences": [reference(third)]}})
    await client.patch(ConfigMap, "first", closing)
    await client.delete(ConfigMap, "first", options=FOREGROUND)
    await gone(client, first, second, third)


@pytest.mark.timeout(180)
async def test_custom_kinds_own_and_are_owned_from_when_they_are_defined_until_they_are_not(
    client: Client,
) -> None:
    (definition,) = custom_resource_definitions([Heirloom])
    await install(client, definition)
    owner = await child(client, "owner")
    owned = {"name": "heirloom", "ownerReferences": [reference(owner)]}
    heirloom = await client.create(Heirloom.from_wire({"metadata": owned}))
    below = await child(client, "below", heirloom)
    kept = await client.create(Heirloom(metadata=ObjectMeta(name="kept")))
    last = await child(client, "last", kept)
    await client.delete(ConfigMap, "owner", options=FOREGROUND)
    await gone(client, below, heirloom, owner, patience=DISCOVERY)
    assert await is_there(client, last)
    await remove(client, definition["metadata"]["name"])
    await gone(client, last, patience=DISCOVERY)
