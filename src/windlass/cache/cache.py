from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import replace
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, Final, TypeVar

from windlass.aio import Clock, SystemClock
from windlass.api import EVERYTHING, Resource, Selection
from windlass.cache.informer import Informer
from windlass.cache.options import CacheOptions, Environment
from windlass.cache.redact import Redactor
from windlass.client import NO_RETRY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.client import Client

R = TypeVar("R", bound=Resource)
_log = logging.getLogger("windlass.cache")
_KEY_SIZE: Final = 32


class Cache:
    """Objects of a server, kept in memory and in step with it: one informer for each kind and selection.

    Nothing is watched that was not asked for. Past the memory budget, the largest kind is reduced to its
    metadata.
    """

    def __init__(
        self,
        client: Client,
        options: CacheOptions | None = None,
        *,
        clock: Clock | None = None,
        random: Random | None = None,
    ) -> None:
        chance = random or SystemRandom()
        self._environment = Environment(
            client=client.retrying(NO_RETRY),
            options=options or CacheOptions(),
            clock=clock or SystemClock(),
            random=chance,
        )
        self._redactor = Redactor(chance.randbytes(_KEY_SIZE))
        self._informers: dict[tuple[type[Resource], Selection], Informer[Any]] = {}
        self._tasks: dict[Informer[Any], asyncio.Task[None]] = {}
        self._group: asyncio.TaskGroup | None = None
        self._said_full = False

    @property
    def options(self) -> CacheOptions:
        """How it follows the server."""
        return self._environment.options

    @property
    def informers(self) -> Sequence[Informer[Any]]:
        """All of them, in the order in which they were first asked for."""
        return list(self._informers.values())

    def informer(
        self,
        kind: type[R],
        selection: Selection = EVERYTHING,
        *,
        keep_manager: str = "",
        dynamic: bool = False,
    ) -> Informer[R]:
        """The informer of a kind and selection, made when there is none; it starts at once if the cache runs.

        `keep_manager` is a field manager whose entry in managedFields is kept. `dynamic` is for a watch
        that is begun at run time; an informer that is also declared counts as declared.

        Raises:
            ValueError: the selection cannot be understood.
        """
        selection = replace(selection, labels=str(selection.labels))
        found = self._informers.get((kind, selection))
        if found is None:
            found = Informer(kind, selection, self._environment, self._redactor, self._weigh)
            found.is_dynamic = dynamic
            self._informers[kind, selection] = found
            if self._group is not None:
                self._start(found)
        found.is_dynamic = found.is_dynamic and dynamic
        if keep_manager:
            found.keep_manager(keep_manager)
        return found

    def remove(self, informer: Informer[Any]) -> None:
        """Stop an informer, and let go of what it holds.

        Raises:
            ValueError: it is not one of this cache's.
        """
        if self._informers.get((informer.kind, informer.selection)) is not informer:
            raise ValueError(f"{informer!r} is not in this cache")
        del self._informers[informer.kind, informer.selection]
        task = self._tasks.pop(informer, None)
        if task is None:
            informer.forget()
        else:
            task.add_done_callback(lambda _: informer.forget())
            task.cancel()

    async def run(self) -> None:
        """Keep every informer in step with the server until cancelled."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            try:
                for informer in self.informers:
                    self._start(informer)
                await asyncio.get_running_loop().create_future()  # until cancelled
            finally:
                self._group = None
                self._tasks.clear()

    def behind(self) -> dict[Informer[Any], str]:
        """The informers that are not in step with the server, and why."""
        return {each: str(each.state) for each in self.informers if not each.state.in_sync}

    def bytes(self) -> dict[str, int]:
        """The bytes that the objects of each kind take."""
        sizes: Counter[str] = Counter()
        for informer in self.informers:
            sizes[informer.kind.__kind__.resource] += informer.size
        return dict(sizes)

    def _start(self, informer: Informer[Any]) -> None:
        assert self._group is not None  # noqa: S101 - for the type checker
        self._tasks[informer] = self._group.create_task(informer.run())

    def _weigh(self) -> None:
        """Reduce the largest kind if everything together weighs too much."""
        budget = self._environment.options.budget
        sizes = self.bytes()
        if budget is None or sum(sizes.values()) <= budget:
            return
        if any(each.is_reducing for each in self.informers):
            return
        whole = {
            each.kind.__kind__.resource
            for each in self.informers
            if not each.is_reduced and not each.selection.metadata_only
        }
        if not whole:
            self._say_full(sum(sizes.values()), budget)
            return
        largest = max(whole, key=sizes.__getitem__)
        total, most = sum(sizes.values()), sizes[largest]
        reason = f"{total} bytes are more than the budget of {budget}, {most} of them {largest}"
        for informer in self.informers:
            if informer.kind.__kind__.resource == largest and not informer.selection.metadata_only:
                informer.reduce(reason)

    def _say_full(self, size: int, budget: int) -> None:
        if not self._said_full:
            self._said_full = True
            _log.warning("metadata alone takes %d bytes, which is more than the budget of %d", size, budget)
