"""A source by which a reconciler wakes its own objects, without a pause and without an end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.reconcile import Cause, Source

if TYPE_CHECKING:
    from windlass.api import Key
    from windlass.reconcile import Sink


class Echo(Source):
    """Wakes an object when it is told to, once its controller runs."""

    def __init__(self) -> None:
        self._sink: Sink | None = None

    @override
    async def run(self, sink: Sink) -> None:
        self._sink = sink
        await asyncio.get_running_loop().create_future()

    def wake(self, key: Key) -> None:
        """Have an object reconciled once more, at once."""
        if self._sink is not None:
            self._sink.wake(key, Cause("echo"))
