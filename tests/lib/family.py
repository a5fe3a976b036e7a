"""Objects that own each other, for the tests of garbage collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polling import until
from windlass.errors import NotFound
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from windlass.api import Json, Resource
    from windlass.client import Client

PATIENCE = 30.0


def reference(owner: Resource, **changed: Any) -> Json:
    """The reference by which an owner is named; it is held back until who names it is gone."""
    kind = type(owner).__kind__
    named = {"apiVersion": kind.api_version, "kind": kind.name}
    return {
        **named,
        "name": owner.metadata.name,
        "uid": owner.metadata.uid,
        "blockOwnerDeletion": True,
        **changed,
    }


async def child(client: Client, name: str, *owners: Resource | Json, **metadata: Any) -> ConfigMap:
    """A ConfigMap with these owners."""
    named = [each if isinstance(each, dict) else reference(each) for each in owners]
    body = {"name": name, "ownerReferences": named, **metadata}
    return await client.create(ConfigMap.from_wire({"metadata": body}))


async def is_there(client: Client, resource: Resource) -> bool:
    """Whether this very object exists, deleted or not."""
    metadata = resource.metadata
    try:
        found = await client.get(type(resource), metadata.name, metadata.namespace)
    except NotFound:
        return False
    return found.metadata.uid == metadata.uid


async def gone(client: Client, *those: Resource, patience: float = PATIENCE) -> None:
    """Wait until none of these objects exists any more."""

    async def left() -> list[str]:
        return [each.metadata.name for each in those if await is_there(client, each)]

    await until(left, lambda names: not names, every=0.02, patience=patience)


async def owners_of(client: Client, resource: Resource) -> list[str]:
    """The uids of the owners that an object has now."""
    metadata = resource.metadata
    now = await client.get(type(resource), metadata.name, metadata.namespace)
    return [each.uid for each in now.metadata.owner_references]
