from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.quota.amount import ZERO, Amounts, added, only
from windlass.apiserver.quota.scope import scopes_of
from windlass.apiserver.store import Expired

if TYPE_CHECKING:
    from collections.abc import Collection as Names
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from windlass.apiserver.quota.meter import Meter
    from windlass.apiserver.store import Change, Collection, Record
    from windlass.apiserver.world import World


class Tally:
    """What the objects of one resource use of one quota.

    All of them are looked at once, afterwards only those to which something has happened: a namespace may
    have many. What each was found to use is remembered, because a pod uses less as time goes by.
    """

    def __init__(self, meter: Meter, names: Names[str], namespace: str, quota: Mapping[str, Any]) -> None:
        self._meter = meter
        self._names = names
        self._prefix = f"{namespace}/"
        self._scopes = scopes_of(quota)
        self._collection: Collection | None = None
        self._position = 0
        self._each: dict[str, Amounts] = {}
        self._total: Amounts = {}

    def total(self, world: World) -> Amounts:
        """What is used now."""
        collection, now = world.store.collection(self._meter.collection), world.clock.now()
        changes = self._news(collection)
        if changes is None:
            self._begin(collection, now)
        for change in changes or ():
            if change.after.key.startswith(self._prefix):
                self._note(change.after, now, gone=change.type == "DELETED")
        self._position = collection.end
        return self._total

    def _news(self, collection: Collection) -> Sequence[Change] | None:
        """What has happened since it was last asked for; `None` where nobody knows any more."""
        if collection is not self._collection:  # a custom kind may have gone and come back
            return None
        try:
            return collection.changes(self._position)
        except Expired:
            return None

    def _begin(self, collection: Collection, now: datetime) -> None:
        self._collection = collection
        self._each = {}
        self._total = dict.fromkeys(self._names, ZERO)
        for record in collection.page(self._prefix).records:
            self._note(record, now)

    def _note(self, record: Record, now: datetime, *, gone: bool = False) -> None:
        usage = {} if gone else self._usage(record, now)
        before = self._each.pop(record.key, {})
        if usage:
            self._each[record.key] = usage
        if usage != before:
            self._total = added(added(self._total, usage), {name: -used for name, used in before.items()})

    def _usage(self, record: Record, now: datetime) -> Amounts:
        obj = {} if self._meter.alike else record.object()
        counts = all(self._meter.matches(scope, obj) for scope in self._scopes)
        return only(self._meter.usage(obj, now), self._names) if counts else {}
