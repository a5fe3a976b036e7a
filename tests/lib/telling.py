"""The Events that tell people about an object, as they stand in the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from by_hand import PATIENCE
from polling import until
from windlass.kinds.core.v1 import Event

if TYPE_CHECKING:
    from windlass.client import Client


async def told(client: Client, name: str) -> list[tuple[str, str, str]]:
    """Type, reason and message of each Event about an object."""
    found = [
        each
        for each in await client.list(Event, client.options.namespace)
        if each.involved_object.name == name
    ]
    return sorted((each.type or "", each.reason or "", each.message or "") for each in found)


async def is_told(client: Client, name: str, reason: str, message: str, *, kind: str = "Normal") -> None:
    """Wait until people are told something about an object."""

    async def ask() -> list[tuple[str, str, str]]:
        return await told(client, name)

    await until(ask, lambda found: (kind, reason, message) in found, patience=PATIENCE)
