"""An operator that runs on an in-process cluster, for tests of the runtime."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from polling import until
from widget import Plain, Widget, WidgetSpec
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.client import NO_RETRY, Client, ClientOptions
from windlass.cluster import Cluster
from windlass.codegen import custom_resource_definitions
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.events.v1 import Event
from windlass.manager import Manager, ManagerOptions
from windlass.testing import RecordingTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Sequence

    from windlass.aio import Clock
    from windlass.api import Resource
    from windlass.client import Request
    from windlass.controller import ControllerOptions
    from windlass.reconcile import KeyReconciler, Reconciler

T = TypeVar("T")


@dataclass
class Operating:
    """A running operator: `client` is the user's, `calls` what the operator sends."""

    client: Client
    manager: Manager
    transport: RecordingTransport
    task: asyncio.Task[None] | None = None

    @property
    def calls(self) -> list[str]:
        """What the operator sent but for events, watches and the questions whether the server is there."""
        return [str(each) for each in self._sent if ("limit", "1") not in each.query]

    @property
    def writes(self) -> list[str]:
        """What the operator sent that changes something but events."""
        return [str(each) for each in self._sent if each.method != "GET"]

    @property
    def _sent(self) -> list[Request]:
        return [each for each in self.transport.requests if "/apis/events.k8s.io/" not in each.path]

    async def events(self, *, about: str = "w") -> list[Event]:
        """Events about an object, the first one first; a series has its count."""
        found = [each for each in await self.client.list(Event) if each.regarding is not None]
        mine = [each for each in found if each.regarding and each.regarding.name == about]
        return sorted(mine, key=lambda each: str(each.event_time))

    async def make(self, name: str = "w", *, namespace: str = "default", **spec: Any) -> Widget:
        """Create a Widget, as a user would."""
        metadata = ObjectMeta(name=name, namespace=namespace)
        return await self.client.create(Widget(metadata=metadata, spec=WidgetSpec(**spec)))

    async def widget(self, name: str = "w") -> Widget:
        """A Widget as the server has it."""
        return await self.client.get(Widget, name, "default")

    async def ready(self, name: str = "w", reason: str = "Ready") -> Widget:
        """Wait until the ready condition of the present generation has this reason."""

        async def is_so() -> Widget | None:
            widget = await self.widget(name)
            told = {each.type: each for each in widget.status.conditions}.get("Ready")
            fresh = widget.status.observed_generation == widget.metadata.generation
            return widget if fresh and told and told.reason == reason else None

        widget = await until(is_so)
        assert widget is not None
        return widget

    async def quiet(self) -> None:
        """Wait until the operator has nothing left to do."""

        async def is_quiet() -> bool:
            return all(len(each.queue) + each.queue.running == 0 for each in self.manager.controllers)

        for _ in range(3):
            await until(is_quiet)
            await asyncio.sleep(0)

    async def gone(self, kind: type[Resource], name: str = "w") -> None:
        """Wait until an object is gone."""

        async def is_gone() -> bool:
            return name not in [each.metadata.name for each in await self.client.list(kind, "default")]

        await until(is_gone)

    async def stop(self) -> None:
        """Stop the operator as a signal would."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.wait([self.task])


async def install(client: Client, *kinds: type[Resource]) -> None:
    """Install the definitions of kinds."""
    for definition in custom_resource_definitions(kinds or (Widget, Plain)):
        await client.create(CustomResourceDefinition.from_wire(definition))


@asynccontextmanager
async def operating(
    *reconcilers: Reconciler[Any] | KeyReconciler,
    options: ManagerOptions | None = None,
    controller: ControllerOptions | None = None,
    clock: Clock | None = None,
    installed: Sequence[type[Resource]] = (Widget, Plain),
) -> AsyncIterator[Operating]:
    """Run reconcilers on a cluster of their own until the block is left."""
    async with Cluster() as cluster:
        user = Client(cluster.transport())
        if installed:
            await install(user, *installed)
        transport = RecordingTransport(cluster.transport())
        client = Client(transport, ClientOptions(retry=NO_RETRY))
        manager = Manager(client, options or ManagerOptions(name="tester"), clock=clock, random=Random(1))
        for reconciler in reconcilers:
            manager.add(reconciler, controller)
        found = Operating(user, manager, transport)
        async with asyncio.TaskGroup() as group:
            found.task = group.create_task(manager.run())
            yield found
            await (moving(clock, found.stop()) if isinstance(clock, ManualClock) else found.stop())


@asynccontextmanager
async def operating_again(operator: Operating, *reconcilers: Reconciler[Any]) -> AsyncIterator[Manager]:
    """Another manager on the same cluster."""
    client = Client(operator.transport, ClientOptions(retry=NO_RETRY))
    manager = Manager(client, ManagerOptions(name="tester"), random=Random(2))
    for reconciler in reconcilers:
        manager.add(reconciler)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(manager.run())
        yield manager
        task.cancel()


async def moving(clock: ManualClock, awaited: Coroutine[Any, Any, T]) -> T:
    """Await something while time goes on in steps of a second."""
    waiting = asyncio.ensure_future(awaited)
    while not waiting.done():
        await clock.advance(timedelta(seconds=1))
        await asyncio.wait([waiting], timeout=0)
    return waiting.result()
