from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from windlass.aio import Clock, SystemClock
from windlass.cache import Cache, CacheOptions
from windlass.client import Client
from windlass.controller import (
    NO_FENCE,
    Controller,
    ControllerOptions,
    Environment,
    EventRecorder,
    FencedTransport,
    Journal,
)
from windlass.manager.gate import Gate
from windlass.manager.metrics import Metrics
from windlass.manager.options import ManagerOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.controller import Fence
    from windlass.manager.election import Election
    from windlass.reconcile import KeyReconciler, Reconciler

_log = logging.getLogger("windlass.manager")


class Manager:
    """One process of an operator, or of several: controllers that share a cache, an election and ports.

    It runs inside whatever event loop it is started in, takes no signals, and has no state outside itself, so
    that another one can run beside it.

        manager = Manager(client, ManagerOptions(name="webapp-operator"))
        manager.add(WebAppController())
        await manager.run()
    """

    def __init__(
        self,
        client: Client,
        options: ManagerOptions | None = None,
        *,
        clock: Clock | None = None,
        random: Random | None = None,
    ) -> None:
        self.options = options or ManagerOptions()
        self.journal = Journal()
        self._clock = clock or SystemClock()
        self.metrics = Metrics(self._clock)
        self._random = random or SystemRandom()
        self._gate = Gate()
        self._election = self._make_election(client)
        reading, writing = self._clients(client)
        self.cache = Cache(
            reading, CacheOptions(budget=self.options.cache_budget), clock=self._clock, random=self._random
        )
        self._events = EventRecorder(writing, self.options.name, clock=self._clock, random=self._random)
        self._environment = Environment(
            cache=self.cache,
            client=writing,
            fence=self._gate,
            journal=self.journal,
            events=self._events,
            clock=self._clock,
            random=self._random,
            namespaces=self.options.namespaces,
        )
        self._controllers: list[Controller] = []
        self._leading: asyncio.TaskGroup | None = None

    @property
    def controllers(self) -> Sequence[Controller]:
        """What was added, in that order."""
        return self._controllers

    def add(
        self, reconciler: Reconciler[Any] | KeyReconciler, options: ControllerOptions | None = None
    ) -> Controller:
        """Run a reconciler, from the next `run` on, or at once when it runs already.

        Raises:
            ValueError: there is one of this name.
        """
        ...

    async def run(self) -> None:
        """Run everything until cancelled; then let running reconciles end, for as long as the options say.

        Cancelling again ends them at once.
        """
        async with asyncio.TaskGroup() as group:
            beside = [group.create_task(each) for each in (self.cache.run(), self._events.run())]
            work = group.create_task(self._work())
            try:
                await asyncio.wait([work])
            except asyncio.CancelledError:
                await self._drain(work)
                raise
            for task in beside:
                task.cancel()
