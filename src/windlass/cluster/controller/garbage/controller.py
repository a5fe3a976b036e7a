from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.cluster.controller.garbage import operation
from windlass.cluster.controller.garbage.decision import Below, Delete, Release, Standing, verdict
from windlass.cluster.controller.garbage.graph import FOREGROUND, ORPHAN, Graph, Stage, stage_of
from windlass.cluster.controller.garbage.memory import Absentees
from windlass.cluster.controller.garbage.monitor import Monitors
from windlass.cluster.controller.garbage.operation import Undecided
from windlass.reconcile import KeyReconciler, Result

if TYPE_CHECKING:
    from windlass.api import Key, Untyped
    from windlass.cache import Cache
    from windlass.client import Client
    from windlass.cluster.controller.garbage.graph import Node, Reference
    from windlass.reconcile import Context

_SHORTLY: Final = timedelta(seconds=1)
_UNSEEN: Final = timedelta(minutes=1)
_UNDECIDED: Final = timedelta(minutes=5)


class GarbageCollector(KeyReconciler):
    """Deletes what has lost its owners, and lets owners go that wait for their dependents.

    A key's name is the uid of an object that the graph has. An object is deleted when every owner that it
    names is absent: the server, asked for it just now or telling of its deletion, has none of that kind,
    namespace, name and uid. What cannot be asked is not absent.
    """

    name = "garbage-collector"

    def __init__(self, cache: Cache, client: Client) -> None:
        self.graph = Graph()
        self._absentees = Absentees()
        self._monitors = Monitors(cache, client, self.graph, self._absentees)
        self.sources = (self._monitors,)

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        node = self.graph.get(key.name)
        if node is None or node.stage is Stage.GOING:
            return Result.ready()
        try:
            live = await operation.read_again(node, ctx)
            if live is None:
                return Result.ready()  # its watch will tell
            stage = stage_of(live.metadata.deletion_timestamp, live.metadata.finalizers)
            if stage is Stage.ALIVE:
                return await self._judge(node, live, ctx)
            return await self._finish(node, live, stage, ctx)
        except Undecided as undecided:
            return Result.waiting("Undecided", str(undecided), again=_UNDECIDED)

    async def _judge(self, node: Node, live: Untyped, ctx: Context) -> Result[Any]:
        """Look at the owners of an object, and do with it what follows."""
        owners = operation.references(live)
        standings = {each: await self._standing(each, node, live, ctx) for each in owners}
        dependents = self.graph.dependents(node.uid)
        waiting = any(each.stage is Stage.FOREGROUND for each in dependents)
        decided = verdict(standings, live.metadata.finalizers, Below(bool(dependents), waiting))
        if isinstance(decided, Release):
            await operation.release(live, decided.owners, ctx)
        elif isinstance(decided, Delete):
            if decided.unblock:
                live = await operation.unblock(live, ctx)
            await operation.delete(live, decided.propagation, ctx)
        elif any(self.graph.get(each.uid) is None for each in owners):
            return Result.ready(again=_UNSEEN)  # an owner may have come and gone without a watch telling
        return Result.ready()

    async def _finish(self, owner: Node, live: Untyped, stage: Stage, ctx: Context) -> Result[Any]:
        """Let go of an owner whose dependents are gone, or are to stay."""
        if stage is Stage.GOING:
            return Result.ready()
        if not self._monitors.is_complete:  # a dependent may be of a kind that is still being listed
            return Result.waiting("Listing", "not every kind has been listed", again=_SHORTLY)
        if stage is Stage.ORPHANING:
            await self._orphan(owner, ctx)
            await operation.finalize(live, ORPHAN, ctx)
            return Result.ready()
        blocking = self.graph.blocking(owner.uid)
        if blocking:
            self._monitors.wake((each for each in blocking if each.stage is Stage.ALIVE), "owner waits")
            return Result.waiting("DependentsRemain", f"{len(blocking)} dependents hold it back")
        await operation.finalize(live, FOREGROUND, ctx)
        return Result.ready()

    async def _orphan(self, owner: Node, ctx: Context) -> None:
        """Let all dependents stay; those of which no watch has told yet follow when one does."""
        self._absentees.release(owner.uid)
        for node in self.graph.dependents(owner.uid):
            live = await operation.read_again(node, ctx)
            if live is not None:
                await operation.release(live, frozenset({owner.uid}), ctx)

    async def _standing(self, reference: Reference, node: Node, live: Untyped, ctx: Context) -> Standing:
        """How an owner stands.

        Raises:
            Undecided: that cannot be told.
        """
        namespace = node.key.namespace
        seen = self.graph.get(reference.uid)
        if seen is not None and seen.stage is not Stage.FOREGROUND and node.names(seen):
            return Standing.SOLID
        if seen is not None and seen.key.namespace not in ("", namespace):
            ctx.event("OwnerRefInvalidNamespace", _elsewhere(reference, namespace), warning=True, about=live)
        known = self._absentees.standing(reference, namespace)
        if known is not None:
            return known
        kind = self._monitors.kind(reference.api_version, reference.kind)
        if kind is None:
            raise Undecided(f"{reference.kind}.{reference.api_version} is not served")
        if kind.namespaced and not namespace:
            raise Undecided(f"{reference.kind} {reference.name} has a namespace, {node.key} has none")
        owner = await operation.read(kind, reference.name, namespace, ctx)
        if owner is None or owner.metadata.uid != reference.uid:
            return self._absentees.add(reference, namespace if kind.namespaced else "")
        going = owner.metadata.deletion_timestamp and FOREGROUND in owner.metadata.finalizers
        return Standing.WAITING if going else Standing.SOLID


def _elsewhere(reference: Reference, namespace: str) -> str:
    named = f"{reference.api_version}/{reference.kind}, namespace: {namespace}, name: {reference.name}"
    return f'ownerRef [{named}, uid: {reference.uid}] does not exist in namespace "{namespace}"'
