"""Work that takes long where there is much of it, beside the loop that renews the lease meanwhile."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.api import Json

T = TypeVar("T")
P = ParamSpec("P")

_MUCH: Final = 64 * 1024  # of YAML, which takes about a second for each MiB to read, and thrice that to write


def size_of(objects: Sequence[Json]) -> int:
    """Return how large objects are, as text."""
    return len(orjson.dumps(objects))


async def aside(size: int, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that does not wait for anything: in a thread, if what it works on has a large size."""
    return call(*args, **kwargs) if size < _MUCH else await asyncio.to_thread(call, *args, **kwargs)
