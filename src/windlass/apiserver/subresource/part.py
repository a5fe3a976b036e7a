"""The subresources that are a part of the object itself, written through a door of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.verb.patch import patch
from windlass.apiserver.verb.read import get
from windlass.apiserver.verb.update import update

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.operation import Operation

_WRITES: Final = {"update": update, "patch": patch}


async def write_part(operation: Operation) -> Reply:
    """Read or write the object; its traits know which part of it a write may change."""
    write = _WRITES.get(operation.route.verb)
    return await write(operation) if write else get(operation)
