from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right, insort
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol

from windlass.apiserver.store.record import Change, Record, Stale
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windlass.apiserver.store.journal import Journal, Version

_FRESH: Final = 256
"""Of so many changes is kept what watches have made of them; almost all of them read no older ones."""


class Revisions(Protocol):
    """The counter that orders writes."""

    @property
    def revision(self) -> int:
        """The revision of the newest write."""

    def advance(self) -> None:
        """Take the next revision."""


class Expired(WindlassError):
    """The history no longer reaches back to the revision that was asked for.

    `oldest` is the oldest one that can still be asked for.
    """

    def __init__(self, revision: int, oldest: int) -> None:
        super().__init__(f"revision {revision} is no longer kept, the oldest is {oldest}")
        self.revision = revision
        self.oldest = oldest


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a collection as it was at one revision.

    `left` is how many records come after the last one of the page.
    """

    records: Sequence[Record]
    revision: int
    left: int


class Listener(asyncio.Event):
    """Set with each change, and when whoever listens is `dismissed`; who waits clears it."""

    dismissed = False


class Collection:
    """The objects of one resource by their keys, `namespace/name` or `name`, and what happened to them.

    The history is a list that all readers share, each with a position of their own: somebody who reads
    slowly costs nothing, and learns that it `Expired` when the history has passed them by. `closed` tells
    that the store has removed it, and that nothing more will happen to it. A journal is told of everything,
    under the name given here.
    """

    def __init__(
        self, revisions: Revisions, history: int, name: str = "", journal: Journal | None = None
    ) -> None:
        self._name = name
        self._journal = journal
        self._revisions = revisions
        self._limit = history
        self._records: dict[str, Record] = {}
        self._keys: list[str] = []
        self._changes: list[Change] = []
        self._dropped = 0
        self._floor = revisions.revision
        self._anew = 0
        self._listeners: dict[Listener, None] = {}  # in the order of their coming
        self.closed = False

    def __len__(self) -> int:
        return len(self._records)

    def get(self, key: str) -> Record | None:
        """The newest version of an object."""
        return self._records.get(key)

    def put(self, key: str, obj: dict[str, Any], expected: Record | None) -> Record:
        """Store an object in the place of the record that the caller last saw, `None` for a new one.

        Sets the object's resourceVersion.

        Raises:
            Stale: the newest record is another.
        """
        before = self._records.get(key)
        if before is not expected:
            raise Stale(key)
        version = "" if before is None else before.version
        record = Record.of(key, self._revisions.revision + 1, obj, version)
        self._append(Change("ADDED" if before is None else "MODIFIED", record, before))
        self._records[key] = record
        if before is None:
            insort(self._keys, key)
        return record

    def delete(self, key: str, expected: Record, last: dict[str, Any] | None = None) -> Record:
        """Remove an object; the record of its end has its last state, or the one given.

        Raises:
            Stale: the newest record is another.
        """
        before = self._records.get(key)
        if before is None or before is not expected:
            raise Stale(key)
        state = before.object() if last is None else last
        record = Record.of(key, self._revisions.revision + 1, state, before.version)
        self._append(Change("DELETED", record, before))
        del self._records[key]
        del self._keys[bisect_left(self._keys, key)]
        return record

    def page(self, prefix: str = "", first: str = "", limit: int = 0, revision: int | None = None) -> Page:
        """Records whose keys begin with `prefix` and do not come before `first`, in the order of their keys.

        With a revision, the state as it was then; otherwise the newest, at the store's revision.

        Raises:
            Expired: the history does not reach back so far.
        """
        newest = self._revisions.revision
        start, stop = self._range(prefix, first)
        if revision is None or revision >= newest or not self._newer(revision):
            end = min(start + limit, stop) if limit else stop
            records = [self._records[key] for key in self._keys[start:end]]
            return Page(records, newest if revision is None else revision, stop - end)
        past = self._past(revision, prefix, first)
        then = sorted(key for key, record in past.items() if record is not None)
        since = (key for key in map(self._keys.__getitem__, range(start, stop)) if key not in past)
        chosen = islice(merge(since, then), limit or None)
        records = [past.get(key) or self._records[key] for key in chosen]
        total = stop - start + len(then) - sum(key in self._records for key in past)
        return Page(records, revision, total - len(records))

    @property
    def end(self) -> int:
        """The position behind the newest change."""
        return self._dropped + len(self._changes)

    def position(self, revision: int) -> int:
        """The position of the first change after a revision.

        Raises:
            Expired: there were changes after it that are no longer kept.
        """
        oldest = max(self._floor, self._anew)
        if revision < oldest:
            raise Expired(revision, oldest)
        return self._dropped + bisect_right(self._changes, revision, key=lambda change: change.revision)

    def changes(self, position: int) -> Sequence[Change]:
        """Every change from a position on.

        Raises:
            Expired: some of them are no longer kept.
        """
        if position < self._dropped:
            raise Expired(position, self._dropped)
        return self._changes[position - self._dropped :]

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._listeners)

    @contextmanager
    def listening(self) -> Iterator[Listener]:
        """What is woken by each change from here on."""
        listener = Listener()
        self._listeners[listener] = None
        try:
            yield listener
        finally:
            self._listeners.pop(listener, None)

    def dismiss(self, *, anew: bool = False) -> None:
        """Tell everybody who listens now to stop; others may come after them.

        If things are read otherwise from now on they begin `anew`: what was before is not told as changes.
        """
        for listener in self._listeners:
            listener.dismissed = True
        self._wake()
        if anew:
            self._anew = self._revisions.revision

    def _append(self, change: Change) -> None:
        if self._journal is not None:
            self._journal.record(self._name, change)
        self._revisions.advance()
        self._changes.append(change)
        if len(self._changes) > _FRESH:
            self._changes[-_FRESH - 1].forget()
        # Dropped in slices: to delete the first item of a list moves all others.
        if len(self._changes) > self._limit + self._limit // 4 + 1:
            self._drop(len(self._changes) - self._limit)
        self._wake()

    def _drop(self, count: int) -> None:
        if count:
            dropped = self._changes[:count]
            self._floor = dropped[-1].revision
            del self._changes[:count]
            self._dropped += count
            if self._journal is not None:
                self._journal.keep(self._name, self._floor, list(_superseded(dropped)))

    def _wake(self) -> None:
        for listener in self._listeners:
            listener.set()

    def _newer(self, revision: int) -> bool:
        if revision < self._floor:
            raise Expired(revision, self._floor)
        return bool(self._changes) and self._changes[-1].revision > revision

    def _past(self, revision: int, prefix: str, first: str) -> dict[str, Record | None]:
        """Of what has changed since a revision, the records as they were then; `None` for what was not."""
        past: dict[str, Record | None] = {}
        for change in reversed(self._changes):
            if change.revision <= revision:
                break
            key = change.after.key
            if key.startswith(prefix) and key >= first:
                past[key] = change.before
        return past

    def _range(self, prefix: str, first: str) -> tuple[int, int]:
        """Where in the order of the keys those begin and end that have a prefix, from a first one on."""
        keys = self._keys
        start = bisect_left(keys, prefix) if prefix else 0
        stop = bisect_left(keys, prefix[:-1] + chr(ord(prefix[-1]) + 1)) if prefix else len(keys)
        start = max(start, bisect_left(keys, first) if first else 0)
        return start, max(start, stop)


def compact(collection: Collection) -> None:
    """Forget the history of a collection; who has not read all of it yet learns that it `Expired`."""
    collection._drop(len(collection._changes))  # noqa: SLF001 - a part of the class, which has methods enough


def restore(collection: Collection, floor: int, versions: Iterable[Version]) -> None:
    """Make an empty collection what it was when these versions of its objects were kept."""
    records, changes = collection._records, collection._changes  # noqa: SLF001 - as above
    for _, kind, record in versions:
        if record.revision > floor:
            changes.append(Change(kind, record, records.get(record.key)))
        if kind == "DELETED":
            del records[record.key]
        else:
            records[record.key] = record
    collection._keys = sorted(records)  # noqa: SLF001
    collection._floor = floor  # noqa: SLF001


def retire(collection: Collection) -> list[int]:
    """Let a collection end: nothing that still happens to it is kept. The revisions of all that it knew."""
    collection.closed = True
    collection._journal = None  # noqa: SLF001 - as above
    known = {record.revision for record in collection._records.values()}  # noqa: SLF001
    for change in collection._changes:  # noqa: SLF001
        known |= {change.revision} if change.before is None else {change.revision, change.before.revision}
    return sorted(known)


def _superseded(changes: Iterable[Change]) -> Iterator[int]:
    """The revisions that nobody can ask for once the history begins after these changes."""
    for change in changes:
        if change.before is not None:
            yield change.before.revision
        if change.type == "DELETED":
            yield change.revision
