from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Self

from typing_extensions import override

from windlass.cluster.controller.garbage import operation
from windlass.cluster.controller.garbage.decision import Below, Delete, Release, Standing, verdict
from windlass.cluster.controller.garbage.graph import FOREGROUND, ORPHAN, Stage, stage_of
from windlass.cluster.controller.garbage.ledger import Ledger
from windlass.cluster.controller.garbage.monitor import Monitors
from windlass.cluster.controller.garbage.operation import Undecided
from windlass.reconcile import KeyReconciler, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Key, Untyped
    from windlass.cache import Cache
    from windlass.client import Client
    from windlass.cluster.controller.garbage.graph import Node, Reference
    from windlass.reconcile import Context, Source

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
    reporter = "garbage-collector-controller"

    def __init__(self, ledger: Ledger, sources: Sequence[Source] = ()) -> None:
        self._ledger = ledger
        self._graph = ledger.graph
        self.sources = sources

    @classmethod
    def watching(cls, cache: Cache, client: Client) -> Self:
        """The collector of everything that a server has."""
        ledger = Ledger()
        return cls(ledger, (Monitors(cache, client, ledger),))

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        node = self._graph.get(key.name)
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
        dependents = self._graph.dependents(node.uid)
        waiting = any(each.stage is Stage.FOREGROUND for each in dependents)
        decided = verdict(standings, live.metadata.finalizers, Below(bool(dependents), waiting))
        if isinstance(decided, Release):
            await operation.release(live, decided.owners, ctx)
        elif isinstance(decided, Delete):
            if decided.unblock:
                live = await operation.unblock(live, ctx)
            await operation.delete(live, decided.propagation, ctx)
        elif any(self._graph.get(each.uid) is None for each in owners):
            return Result.ready(again=_UNSEEN)  # an owner may have come and gone without a watch telling
        return Result.ready()

    async def _finish(self, owner: Node, live: Untyped, stage: Stage, ctx: Context) -> Result[Any]:
        """Let go of an owner whose dependents are gone, or are to stay."""
        if stage is Stage.GOING:
            return Result.ready()
        if not self._ledger.is_complete:  # a dependent may be of a kind that is still being listed
            return Result.waiting("Listing", "not every kind has been listed", again=_SHORTLY)
        if stage is Stage.ORPHANING:
            await self._orphan(owner, ctx)
            await operation.finalize(live, ORPHAN, ctx)
            return Result.ready()
        if self._graph.is_blocked(owner.uid):
            return Result.waiting("DependentsRemain", "its dependents go first")
        await operation.finalize(live, FOREGROUND, ctx)
        return Result.ready()

    async def _orphan(self, owner: Node, ctx: Context) -> None:
        """Let all dependents stay; those of which no watch has told yet follow when one does."""
        self._ledger.absentees.release(owner.uid, ctx.now)
        for node in self._graph.dependents(owner.uid):
            live = await operation.read_again(node, ctx)
            if live is not None:
                await operation.release(live, frozenset({owner.uid}), ctx)

    async def _standing(self, reference: Reference, node: Node, live: Untyped, ctx: Context) -> Standing:
        """How an owner stands.

        Raises:
            Undecided: that cannot be told.
        """
        namespace = node.key.namespace
        seen = self._graph.get(reference.uid)
        if seen is not None and seen.stage is not Stage.FOREGROUND and node.names(seen):
            return Standing.SOLID
        if seen is not None and seen.key.namespace not in ("", namespace):
            ctx.event("OwnerRefInvalidNamespace", _elsewhere(reference, namespace), warning=True, about=live)
        absentees, created = self._ledger.absentees, live.metadata.creation_timestamp
        if absentees.has(reference, namespace):
            return absentees.standing(reference.uid, created)
        kind = self._ledger.kind(reference.api_version, reference.kind)
        if kind is None:
            raise Undecided(f"{reference.kind}.{reference.api_version} is not served")
        if kind.namespaced and not namespace:
            raise Undecided(f"{reference.kind} {reference.name} has a namespace, {node.key} has none")
        owner = await operation.read(kind, reference.name, namespace, ctx)
        if owner is None or owner.metadata.uid != reference.uid:
            absentees.add(reference, namespace if kind.namespaced else "")
            return absentees.standing(reference.uid, created)
        going = owner.metadata.deletion_timestamp and FOREGROUND in owner.metadata.finalizers
        return Standing.WAITING if going else Standing.SOLID


def _elsewhere(reference: Reference, namespace: str) -> str:
    named = f"{reference.api_version}/{reference.kind}, namespace: {namespace}, name: {reference.name}"
    return f'ownerRef [{named}, uid: {reference.uid}] does not exist in namespace "{namespace}"'
