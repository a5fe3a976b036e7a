"""The custom resource of which each object is a release of a chart, and how many become one."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

from windlass.api import Definition, Field, Json, ObjectMeta, Resource
from windlass.client import Client, WatchOptions
from windlass.kinds.core.v1 import Namespace

CHART = Path(__file__).parent / "charts" / "shop"
VALUES: Json = {"replicas": 2, "greeting": "good morning"}


class Shop(Resource, group="bench.windlass.dev", version="v1", definition=Definition(storage=True, ready="")):
    """A release of the chart `shop`; spec and status are free of a schema, as with operator-sdk."""

    spec: Json = Field(default_factory=dict)
    status: Json = Field(default_factory=dict)


class Shops:
    """The Shops of one namespace, which is one contender's."""

    def __init__(self, client: Client, namespace: str) -> None:
        self._client = client
        self.namespace = namespace

    async def open(self) -> None:
        """Create the namespace."""
        await self._client.create(Namespace(metadata=ObjectMeta(name=self.namespace)))

    async def deploy(self, names: Sequence[str]) -> float:
        """Create Shops, all at once, and wait until each is deployed; how many seconds that took."""
        awaited = set(names)
        version = (await self._client.list(Shop, self.namespace)).resource_version
        begin = time.perf_counter()
        watch = self._client.watch(Shop, self.namespace, options=WatchOptions(resource_version=version))
        async with asyncio.TaskGroup() as group, aclosing(watch) as events:
            for name in names:
                metadata = ObjectMeta(name=name, namespace=self.namespace)
                group.create_task(self._client.create(Shop(metadata=metadata, spec=VALUES)))
            async for event in events:
                if _is_deployed(event.object):
                    awaited.discard(event.object.metadata.name)
                if not awaited:
                    return time.perf_counter() - begin
        raise SystemExit(f"the watch of the benchmark ended before these were deployed: {sorted(awaited)}")


def _is_deployed(shop: Shop) -> bool:
    conditions = shop.status.get("conditions", ())
    return any(each["type"] == "Deployed" and each["status"] == "True" for each in conditions)
