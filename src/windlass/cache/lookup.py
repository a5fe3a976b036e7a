from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from urllib.parse import quote

from windlass.api import Resource, Selector, Snapshot
from windlass.cache.feed import Feed, read_page
from windlass.cache.pace import Pace
from windlass.client import Request
from windlass.errors import NotFound, UndeclaredError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Key, Selection
    from windlass.cache.form import Form
    from windlass.cache.options import Environment
    from windlass.cache.replica import Replica

R = TypeVar("R", bound=Resource)

_ACCEPT: Final = {"Accept": "application/json"}


class Lookup(Generic[R]):
    """The reading half of an informer: everything from memory, but for objects of which too little is kept.

    `live_reads` counts how often the server had to be asked.
    """

    kind: type[R]
    selection: Selection
    live_reads: int
    _environment: Environment
    _replica: Replica[R]
    _whole: Form
    """What would be kept if there were memory for it."""

    def __len__(self) -> int:
        """How many objects are kept."""
        return len(self._replica.told)

    def __bool__(self) -> bool:
        """It is there, also when it keeps no object."""
        return True

    @property
    def is_reduced(self) -> bool:
        """Whether metadata alone is kept, past the memory budget."""
        return self._replica.form.metadata_only and not self._whole.metadata_only

    @property
    def size(self) -> int:
        """The bytes that its objects take."""
        return self._replica.told.size

    def snapshot(self, key: Key) -> Snapshot[R] | None:
        """An object as it is kept; of one that is reduced, the metadata."""
        replica = self._replica
        if not replica.ahead and not replica.buried:
            return replica.told.snapshot(self.kind, key)
        raw = replica.get(key)
        return None if raw is None else Snapshot(self.kind, raw, key=key)

    async def read(self, key: Key) -> Snapshot[R] | None:
        """An object with everything that the selection asks for.

        Raises:
            ApiError: the server was asked, and refused.
            ConnectionFailedError: the server was asked, and no answer came.
        """
        found = self.snapshot(key)
        lacks_values = not self._whole.metadata_only and found is not None and found.is_uncached
        if found is None or not (self.is_reduced or lacks_values):
            return found
        self.live_reads += 1
        path = self.kind.__kind__.path(quote(key.name, safe=":"), quote(key.namespace))
        try:
            obj = await self._environment.client.json(Request(method="GET", path=path, headers=_ACCEPT))
        except NotFound:
            return None
        if not self.is_reduced:
            self._refill(key, obj)
        return self._whole.whole().snapshot(self.kind, obj)

    def _refill(self, key: Key, obj: Json) -> None:
        """Keep the values of a Secret from now on that has come to be owned or referred to."""
        if not self._whole.withholds(key, obj["metadata"]):
            copy = {**obj, "metadata": {**obj["metadata"]}}
            raw = self._replica.form.pack(copy)
            self._replica.replace(key, raw, str(obj["metadata"].get("resourceVersion", "")), copy)

    async def get(self, key: Key) -> R | None:
        """The typed object, new each time.

        Raises:
            UndecodableError: it does not fit the type.
            ApiError: the server was asked, and refused.
            ConnectionFailedError: the server was asked, and no answer came.
        """
        found = await self.read(key)
        return None if found is None else found.decode()

    async def list(self, namespace: str = "", labels: str | Selector = "") -> Sequence[R]:
        """The typed objects in a namespace, or all, that have these labels, in the order of their keys.

        Raises:
            ValueError: the labels are no selector.
            UndecodableError: an object does not fit the type.
            ApiError: the server was asked, and refused.
            ConnectionFailedError: the server was asked, and no answer came.
        """
        wanted = labels if isinstance(labels, Selector) else Selector.parse(labels)
        if self.is_reduced:
            own = self.selection.namespace
            return [] if own and namespace not in ("", own) else await self._list_live(namespace, wanted)
        pace, found = Pace(self._environment.clock), []
        for key in sorted(self._replica.keys(namespace)):
            snapshot = self.snapshot(key)  # it may be gone since the last break
            if snapshot is not None and _matches(snapshot, wanted):
                found.append(snapshot.decode())
            if pace.due():
                await pace.rest()
        return found

    def keys(self, namespace: str = "") -> Sequence[Key]:
        """The keys in a namespace, or all."""
        return list(self._replica.keys(namespace))

    def find(self, index: str, *values: str) -> Sequence[Key]:
        """The keys of the objects of which an index says all of this.

        Raises:
            UndeclaredError: there is no such index.
        """
        found = self._replica.indexes.get(index)
        if found is None:
            raise UndeclaredError(
                f"{self.kind.__kind__.name} has no index {index!r}: informer.index({index!r}, …)"
            )
        return found.find(*values)

    def owned_by(self, uid: str) -> Sequence[Key]:
        """The keys of the objects whose controller has this uid."""
        return self._replica.owners.controlled.find(uid)

    def referring_to(self, uid: str) -> Sequence[Key]:
        """The keys of the objects that name this uid as an owner, their controller or not."""
        owners = self._replica.owners
        return [*owners.controlled.find(uid), *owners.others.find(uid)]

    async def _list_live(self, namespace: str, wanted: Selector) -> Sequence[R]:
        both = ",".join(filter(None, (str(self.selection.labels), str(wanted))))
        scope = replace(self.selection, namespace=namespace or self.selection.namespace, labels=both)
        feed, pace = Feed(self.kind.__kind__, scope), Pace(self._environment.clock)
        found = []
        more = ""
        while True:
            self.live_reads += 1
            request = feed.page(self._whole, self._environment.options.page_size, more)
            page = await read_page(self._environment.client, request)
            for item in page.get("items") or ():
                found.append(self._whole.snapshot(self.kind, item).decode())
                if pace.due():
                    await pace.rest()
            more = page["metadata"].get("continue") or ""
            if not more:
                return found


def _matches(snapshot: Snapshot[R], wanted: Selector) -> bool:
    return not wanted.requirements or wanted.matches(snapshot.metadata.get("labels") or {})
