from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from windlass.cache import Phase
from windlass.errors import KindMissingError, UnwatchableError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from windlass.cache import Informer


def is_missing(informer: Informer[Any]) -> bool:
    """Whether the server says that there is no such kind."""
    return informer.state.phase is Phase.WAITING


async def known(informer: Informer[Any], given_up: asyncio.Event | None = None) -> None:
    """Wait until an informer is filled, until the server says that there is no such kind, or in vain."""
    vain = [_set(given_up)] if given_up is not None else []
    await _either(informer.synced(), informer.reach(Phase.WAITING), *vain)


async def filled(informer: Informer[Any]) -> None:
    """Wait until an informer is filled; not for a kind that may never come, nor a server that refuses.

    Raises:
        KindMissingError: the server says that there is no such kind.
        UnwatchableError: the server cannot be asked, or refuses.
    """
    kind = informer.kind.__kind__
    while not informer.is_synced:
        await _either(informer.synced(), informer.reach(Phase.WAITING), informer.reach(Phase.BEHIND))
        if is_missing(informer):
            raise KindMissingError(f"{kind} is not served yet: its definition has to be installed first")
        if informer.state.phase is Phase.BEHIND:
            raise UnwatchableError(f"{kind} cannot be watched: {informer.state.reason}")


async def _either(*waits: Coroutine[Any, Any, None]) -> None:
    async with asyncio.TaskGroup() as group:
        either = [group.create_task(each) for each in waits]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        for each in either:
            each.cancel()


async def _set(event: asyncio.Event) -> None:
    await event.wait()
