from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from windlass.api import Change, Key, Resource, Snapshot, last_written
from windlass.cache.version import metadata_of, number
from windlass.errors import Answer, Gone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windlass.api import Json, Written
    from windlass.cache.replica import Replica

R = TypeVar("R", bound=Resource)


class Intake(Generic[R]):
    """Takes in what a server says, in its order, and tells what that means as changes.

    `position` is the version up to which everything was told; it is empty before the first list, and from
    the moment that a new one begins until it is whole. A list is told as its difference to what was told
    before: what it does not hold is gone, and of what is the same nothing is said.
    """

    def __init__(self, replica: Replica[R], tell: Callable[[Change[R]], None]) -> None:
        self._replica = replica
        self._tell = tell
        self._unconfirmed: dict[str, set[str]] | None = None
        self._highest = 0
        self.position = ""
        self.reformed = False
        """Whether objects may be kept in another form than they are told in now."""

    def begin(self) -> None:
        """A list begins; one that was not read to its end counts no longer, but what it told is true."""
        self.position = ""
        self._unconfirmed = self._replica.told.names()

    def take(self, event: str, obj: Json) -> None:
        """An object of the list, or the next change.

        Raises:
            Gone: it is older than what came before, so that this is not the history that we knew.
        """
        metadata: Json = obj["metadata"]
        key = Key(metadata.get("namespace", ""), metadata["name"])
        version: str = metadata.get("resourceVersion", "")
        listed = self._unconfirmed is not None
        written: tuple[Written, ...] = ()
        if self._unconfirmed is None:
            self.reach(version)
            written = last_written(metadata) if event != "DELETED" else ()
        elif names := self._unconfirmed.get(key.namespace):
            names.discard(key.name)
        replica = self._replica
        raw = replica.form.pack(obj)
        if event == "DELETED":
            if replica.drop(key, number(version)) is not None:
                last = Snapshot(replica.kind, raw, version, key=key)
                self._tell(Change(replica.kind, key, (last, None), listed=listed))
            return
        old = replica.put(key, raw, obj)
        if old == raw or (old is not None and listed and self._is_same(old, version)):
            return
        before = None if old is None else Snapshot(replica.kind, old, key=key)
        new = replica.told.snapshot(replica.kind, key, version)
        self._tell(Change(replica.kind, key, (before, new), listed=listed, written=written))

    def reach(self, version: str) -> None:
        """The server has come to a version, and nothing else happened before it.

        Raises:
            Gone: it is older than what came before.
        """
        reached = number(version)
        if reached is not None:
            if reached < self._highest:
                raise Gone(
                    Answer(code=410, message=f"the server went back to {version} from {self.position}")
                )
            self._highest = reached
        self.position = version

    def caught_up(self, version: str) -> None:
        """A bookmark: own writes up to here are no longer ahead."""
        self.reach(version)
        if self._replica.ahead or self._replica.buried:
            self._replica.passed(number(version))

    def end(self, version: str) -> Iterator[None]:
        """The list is whole: each step tells of one object that is gone, the last one ends it."""
        reached = number(version)
        yield from self._tell_gone(reached)
        self._unconfirmed = None
        went_back = reached is not None and reached < self._highest
        self._highest = reached or 0
        self.position = version
        yield from self._pass(None if went_back else reached)

    def vanish(self) -> Iterator[None]:
        """The kind itself is gone, and all its objects with it; each step tells of one."""
        self.begin()
        yield from self._tell_gone(None)
        self._unconfirmed = None
        yield from self._pass(None)

    def has_told(self, version: int) -> bool:
        """Whether the watch is past a version, so that what was written then is known."""
        return version <= self._highest

    def is_behind(self, version: str) -> bool:
        """Whether a server that is at this version has not even come to where we are."""
        reached = number(version)
        return reached is not None and reached < self._highest

    def _pass(self, reached: int | None) -> Iterator[None]:
        """Own writes up to here are no longer ahead; one that is not in the list was ended by somebody else.

        No watch will tell of an object that came and went between two lists, but we have shown it.
        """
        replica = self._replica
        unseen = replica.unseen(reached)
        replica.passed(reached)
        for key, raw in unseen:
            self._tell(Change(replica.kind, key, (Snapshot(replica.kind, raw, key=key), None), listed=True))
            yield

    def _tell_gone(self, reached: int | None) -> Iterator[None]:
        replica = self._replica
        for namespace, names in (self._unconfirmed or {}).items():
            for name in sorted(names):  # the same order each time, in which others then act
                key = Key(namespace, name)
                old = replica.drop(key, reached)
                if old is not None:
                    last = Snapshot(replica.kind, old, key=key)
                    self._tell(Change(replica.kind, key, (last, None), listed=True))
                yield

    def _is_same(self, old: bytes, version: str) -> bool:
        reformed = self.reformed or self._replica.form.values is not None
        return reformed and metadata_of(old).get("resourceVersion", "") == version
