"""What the tests of the cache share: a cluster, a cache that runs, and somebody who takes notes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Any

from unsteady import Unsteady
from windlass.aio import ManualClock
from windlass.api import Field, Key, ObjectMeta, Resource, Spec
from windlass.cache import Cache
from windlass.client import NO_RETRY, Client, ClientOptions
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.api import Change, Json
    from windlass.cache import CacheOptions, Informer
    from windlass.cluster import Cluster

_TURNS = 2000


class WidgetSpec(Spec):
    size: int = 1


class Widget(Resource, group="cache.example.com", version="v1"):
    """A kind that comes and goes."""

    spec: WidgetSpec = Field(default_factory=WidgetSpec)


def config_map(name: str, namespace: str = "default", **data: str) -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(name=name, namespace=namespace), data=data)


def key(name: str, namespace: str = "default") -> Key:
    return Key(namespace, name)


async def turns(count: int = 100) -> None:
    """Let everything run that needs no time to pass."""
    for _ in range(count):
        await asyncio.sleep(0)


async def eventually(condition: Callable[[], bool]) -> None:
    """Let others run until something is so; no time passes."""
    for _ in range(_TURNS):
        if condition():
            return
        await asyncio.sleep(0)
    assert condition()


class Notes:
    """A listener who remembers what was told, and what the world looks like by that alone."""

    def __init__(self) -> None:
        self.changes: list[Change[Any]] = []
        self.world: dict[Key, Json] = {}

    def __call__(self, change: Change[Any]) -> None:
        self.changes.append(change)
        if change.old is None:
            assert change.key not in self.world, f"{change.key} was added twice"
        else:
            assert change.key in self.world, f"{change.key} changed before it was added"
        if change.new is None:
            del self.world[change.key]
        else:
            if change.old is not None:
                assert change.old.data == self.world[change.key], "the old state is not the one last told"
            self.world[change.key] = change.new.data

    def told(self) -> list[tuple[str, str]]:
        """Each change in short; what is returned is forgotten."""
        told = [(change.event, change.key.name) for change in self.changes]
        self.changes.clear()
        return told


class Setup:
    """A cluster, a client of its administrator, and a cache that reaches it over a connection that breaks."""

    def __init__(self, cluster: Cluster, options: CacheOptions | None = None) -> None:
        self.cluster = cluster
        self.client = Client(cluster.transport())
        self.clock = ManualClock()
        self.transport = Unsteady(cluster.transport())
        reader = Client(self.transport, ClientOptions(retry=NO_RETRY))
        self.cache = Cache(reader, options, clock=self.clock, random=Random(1))
        self.notes = Notes()

    def informer(self, *arguments: Any, **named: Any) -> Informer[Any]:
        """An informer to whose changes `notes` listens."""
        made: Informer[Any] = self.cache.informer(*arguments, **named)
        made.listen(self.notes)
        return made

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The cache runs in this block."""
        task = asyncio.create_task(self.cache.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait((task,))
            if not task.cancelled():
                task.result()
