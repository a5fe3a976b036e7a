from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import orjson

from windlass.client import Request
from windlass.testing.simulation.schedule import NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.client import Transport
    from windlass.testing.simulation.judge import Version
    from windlass.testing.simulation.truth import Truth
    from windlass.testing.simulation.wire import Wire

_LONGEST = 2.0


class Sweeper:
    """Removes what has lost its last owner, some time later: as much of a garbage collector as is needed."""

    def __init__(self, truth: Truth, transport: Transport, wire: Wire) -> None:
        self._truth = truth
        self._transport = transport
        self._wire = wire
        truth.follow(self._looked)

    def _looked(self, versions: list[Version]) -> None:
        for version in versions:
            owners = version.object["metadata"].get("ownerReferences") or ()
            gone = [version.uid] if version.type == "DELETED" else [each["uid"] for each in owners]
            for uid in gone:  # what comes when its owner has gone already is swept too
                if uid not in self._truth.living:
                    self._wire.loop.create_task(self._sweep(uid), name="sweep", context=NOBODY.copy())

    async def _sweep(self, uid: str) -> None:
        await asyncio.sleep(self._wire.chance.between(0.01, _LONGEST, "sweep", uid))
        for path in list(self._orphans(uid)):
            self._wire.trace.add("collector", "deletes", path.rpartition("/")[2])
            await self._transport.send(Request(method="DELETE", path=path))

    def _orphans(self, uid: str) -> Iterator[str]:
        """The paths of objects that had this owner, and have none that lives."""
        for name, collection in self._truth.store.collections():
            for record in collection.page().records:
                if uid.encode() not in record.body:
                    continue
                metadata = orjson.loads(record.body)["metadata"]
                owners = [each["uid"] for each in metadata.get("ownerReferences") or ()]
                if uid in owners and self._truth.living.isdisjoint(owners):
                    root = f"/apis/{record.version}" if "/" in record.version else f"/api/{record.version}"
                    place = f"namespaces/{record.namespace}/" if record.namespace else ""
                    yield f"{root}/{place}{name.partition('/')[2]}/{record.name}"
