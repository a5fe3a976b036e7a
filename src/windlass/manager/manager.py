from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from windlass.aio import Clock, SystemClock, is_cancelled, within
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
from windlass.errors import CancelledWithinError
from windlass.manager.election import Election
from windlass.manager.election_options import ElectionOptions
from windlass.manager.gate import Gate
from windlass.manager.guard import Guard
from windlass.manager.metrics import Metrics
from windlass.manager.observed import Observed
from windlass.manager.options import ManagerOptions
from windlass.manager.serving import Serving
from windlass.manager.vitals import Vitals
from windlass.workqueue import Priority

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Mapping, Sequence

    from windlass.controller import Fence
    from windlass.manager.companion import Companion
    from windlass.reconcile import KeyReconciler, Reconciler

_log = logging.getLogger("windlass.manager")


class Manager:
    """One process of an operator, or of several: controllers that share a cache, an election and ports.

    It runs inside whatever event loop it is started in, takes no signals, and has no state outside itself, so
    that another one can run beside it. `election` is a client with connections of its own, so that no renewal
    of the lease waits behind other requests; without it the election shares those of `client`.

        manager = Manager(client, ManagerOptions(name="webapp-operator"))
        manager.add(WebAppController())
        await manager.run()
    """

    def __init__(
        self,
        client: Client,
        options: ManagerOptions | None = None,
        *,
        election: Client | None = None,
        clock: Clock | None = None,
        random: Random | None = None,
    ) -> None:
        self.options = options or ManagerOptions()
        self.clock = clock or SystemClock()
        self.journal = Journal()
        self.metrics = Metrics(self.clock)
        self.random = random or SystemRandom()
        self._gate = Gate()
        counted = Client(self.metrics.counting(client.transport, "kubernetes"), client.options)
        self.election = self._candidate(election or counted)
        self._environment = self._prepared(counted)
        self._unfenced = counted
        self._controllers: dict[str, Controller] = {}
        self._companions: list[Companion] = []
        self._leading: asyncio.TaskGroup | None = None
        self._has_begun = False
        self._vitals = Vitals(self)
        self.serving = Serving(self.options, self._vitals.site(Guard(counted, self.clock)))

    @property
    def controllers(self) -> Sequence[Controller]:
        """What was added, in that order."""
        return list(self._controllers.values())

    @property
    def cache(self) -> Cache:
        """What all controllers read from."""
        return self._environment.cache

    @property
    def client(self) -> Client:
        """What all controllers write with: under the name of the operator, and only while it leads."""
        return self._environment.client

    @property
    def is_leading(self) -> bool:
        """Whether this process acts at the moment."""
        return self._leading is not None

    def add(
        self, reconciler: Reconciler[Any] | KeyReconciler, options: ControllerOptions | None = None
    ) -> Controller:
        """Have a reconciler run: from `run` on, or at once if that runs already.

        Raises:
            ValueError: there is one of this name.
        """
        if reconciler.name in self._controllers:
            raise ValueError(f"there is a controller {reconciler.name!r} already: give one another `name`")
        chosen = options or ControllerOptions(workers=self.options.max_concurrent_reconciles)
        observer = Observed(
            self.metrics, reconciler.name, chosen.workers, lambda: self._depth(reconciler.name)
        )
        controller = Controller(reconciler, self._environment, chosen, observer)
        self._controllers[controller.name] = controller
        if self._leading is not None:
            self._leading.create_task(controller.run())
        return controller

    @property
    def has_begun(self) -> bool:
        """Whether it runs, or has run."""
        return self._has_begun

    @property
    def companions(self) -> Sequence[Companion]:
        """What runs beside the controllers, in the order in which it was added."""
        return list(self._companions)

    def accompany(self, companion: Companion, *, serves_webhooks: bool = False) -> None:
        """Have something run beside the controllers, from `run` on, whether or not we lead.

        A process that serves webhooks stays ready while a watch is stale, since it is reached by a Service.

        Raises:
            ValueError: there is one of this name.
            RuntimeError: the manager runs already, so that it never would.
        """
        if self._has_begun:
            raise RuntimeError(f"the manager runs already: have {companion.name} accompany it before that")
        self._vitals.watch_over(companion, serves_webhooks=serves_webhooks)
        self._companions.append(companion)

    async def remove(self, controller: Controller) -> None:
        """Stop a controller once its running reconciles have ended, and watch no more for it alone.

        Raises:
            ValueError: it was not added here.
        """
        if self._controllers.get(controller.name) is not controller:
            raise ValueError(f"there is no controller {controller.name!r} to remove")
        del self._controllers[controller.name]
        controller.drain()
        await controller.stopped()
        controller.close()
        needed = {informer for each in self.controllers for informer in each.declared}
        for informer in controller.declared:
            if informer not in needed:
                self.cache.remove(informer)

    async def run(self) -> None:
        """Run everything until cancelled; then let running reconciles end, for as long as the options say.

        A second cancellation ends them at once.

        Raises:
            RuntimeError: it runs, or has run: another manager is needed.
        """
        if self._has_begun:
            raise RuntimeError("a manager runs once: make another, and add the reconcilers to that")
        async with self.serving, asyncio.TaskGroup() as group:
            self._has_begun = True
            telling = group.create_task(self._environment.events.run())
            beside = [telling, *(group.create_task(each) for each in self._beside())]
            working = group.create_task(self._work())
            try:
                await asyncio.wait([working])
            except asyncio.CancelledError:
                await self._drain()
                telling.cancel()  # it sends what is left, which only a leader may
                await asyncio.wait([telling])
                working.cancel()
                raise
            for task in beside:
                task.cancel()

    def _beside(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What runs whether or not we lead."""
        yield self.cache.run()
        yield from (self._run_beside(each) for each in self._companions)
        if self.options.health:
            yield self._vitals.heartbeat.run()

    async def _run_beside(self, companion: Companion) -> None:
        """Run a companion; its failure is ours, also where it looks as if it were asked to end."""
        try:
            await companion.run(self._unfenced)
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            raise CancelledWithinError(f"what {companion.name} waited for was cancelled") from error

    async def _work(self) -> None:
        if self.election is None:
            await self._lead(NO_FENCE)
        else:
            await self.election.run(self._lead)

    async def _lead(self, fence: Fence) -> None:
        """Let the controllers act for one term."""
        self._gate.open(fence)
        is_master = self.metrics.leading(self.options.lease_name or self.options.name)
        is_master.set(1)
        try:
            async with asyncio.TaskGroup() as group:
                self._leading = group
                for controller in self.controllers:
                    group.create_task(controller.run())
                await asyncio.get_running_loop().create_future()  # others may be added until it is cancelled
        finally:
            self._leading = None
            self._gate.close()
            is_master.set(0)

    async def _drain(self) -> None:
        """Begin nothing new, and wait for what runs; the lease is kept meanwhile."""
        _log.info("Stopping: %d reconciles are running", sum(each.queue.running for each in self.controllers))
        for controller in self.controllers:
            controller.drain()
        try:
            await within(self.clock, self.options.drain, self._idle())
        except TimeoutError:
            _log.warning("Stopping: what still runs is cancelled")

    async def _idle(self) -> None:
        """Wait until no controller acts."""
        for controller in self.controllers:
            await controller.stopped()

    def _candidate(self, client: Client) -> Election | None:
        """Who stands for election, with a client that no fence holds up."""
        options = self.options
        if not options.leader_elect:
            return None
        lease = ElectionOptions(
            name=options.lease_name or options.name,
            namespace=options.lease_namespace,
            identity=options.identity,
            lease_duration=options.lease_duration,
            renew_deadline=options.renew_deadline,
            retry_period=options.retry_period,
        )
        return Election(client, lease, clock=self.clock, random=self.random)

    def _prepared(self, client: Client) -> Environment:
        """What the controllers share; writes are the operator's own, and pass the fence."""
        options = self.options
        write = replace(client.options.write, field_manager=options.name)
        writing = Client(FencedTransport(client.transport, self._gate), replace(client.options, write=write))
        budget = CacheOptions(budget=options.cache_budget)
        return Environment(
            cache=Cache(client, budget, clock=self.clock, random=self.random),
            client=writing,
            fence=self._gate,
            journal=self.journal,
            events=EventRecorder(writing, options.name, clock=self.clock, random=self.random),
            clock=self.clock,
            random=self.random,
            namespaces=options.namespaces,
        )

    def _depth(self, name: str) -> Mapping[int, int]:
        """How many keys are ready, by the numbers that controller-runtime gives to priorities."""
        controller = self._controllers.get(name)
        if controller is None:  # it was removed
            return {}
        queue = controller.queue
        return {0: queue.depth(Priority.FRESH), -100: queue.depth(Priority.BACKGROUND)}
