from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.aio import SystemClock
from windlass.client import Request, WatchOptions
from windlass.codegen import custom_resource_definitions
from windlass.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.aio import Clock
    from windlass.api import Resource
    from windlass.client import Client

_PATIENCE = timedelta(seconds=30)
_PAUSE = timedelta(milliseconds=20)


async def install_kinds(client: Client, kinds: Iterable[type[Resource]], clock: Clock | None = None) -> None:
    """Install the definitions of these kinds, or bring them up to date, and wait until all are served.

    Raises:
        SchemaError: a type cannot become a definition.
        Invalid: the server refuses a definition.
        TimeoutError: a kind was not served within half a minute; its conditions say why.
    """
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    kinds = list(kinds)
    for definition in custom_resource_definitions(kinds):
        await client.apply(CustomResourceDefinition.from_wire(definition), force=True)
        await _established(client, definition["metadata"]["name"])
    async with asyncio.timeout(_PATIENCE.total_seconds()):
        for kind in kinds:
            while not await _is_served(client, kind):
                await (clock or SystemClock()).sleep(_PAUSE)


async def _established(client: Client, name: str) -> None:
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    options = WatchOptions(initial_events=True, timeout=_PATIENCE)
    said = "nothing"
    watch = client.watch(CustomResourceDefinition, fields=f"metadata.name={name}", options=options)
    async with aclosing(watch):
        async for event in watch:
            conditions = event.object.status.conditions
            if any(each.type == "Established" and each.status == "True" for each in conditions):
                return
            said = "; ".join(f"{each.type}={each.status}: {each.message}" for each in conditions) or said
    raise TimeoutError(f"the definition {name} was not established; it says {said}")


async def _is_served(client: Client, kind: type[Resource]) -> bool:
    """Whether the kind's path answers: some moments after its definition is established."""
    try:
        # The objects are not decoded: one of them may not fit the kind.
        query = (("limit", "1"), ("resourceVersion", "0"))
        await client.json(Request(method="GET", path=kind.__kind__.path(), query=query))
    except NotFound:
        return False
    return True
