from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.api import Change, Key, Resource

_MOST = 50_000


class Authors:
    """Whose reconcile made a change of ours, by the version that the server gave each.

    A change that is exactly the write of an object's own reconcile need not wake it again: it has seen the
    answer. Everybody else whom the change concerns is woken, and so is everybody by what others wrote before
    or after, since each of those is a change with a version of its own. After a gap in the watch steps may
    be missing, so a listed change is never taken for ours alone.
    """

    def __init__(self) -> None:
        self._writers: dict[tuple[type[Resource], Key, str], Key] = {}

    def note(self, kind: type[Resource], key: Key, mark: str, by: Key) -> None:
        """The reconcile of `by` gave an object this version; or removed the object with this uid."""
        if len(self._writers) >= _MOST:  # their events never came: the watch was cut meanwhile
            del self._writers[next(iter(self._writers))]
        self._writers[kind, key, mark] = by

    def knows(self, kind: type[Resource], key: Key, mark: str) -> bool:
        """Whether a version is one of ours whose change has not come, as none does of a kind not watched."""
        return (kind, key, mark) in self._writers

    def writer(self, change: Change[Any]) -> Key | None:
        """Whose reconcile made this change, if one of ours did; each is told once."""
        if change.listed:
            return None
        latest = change.latest
        mark = str(latest.metadata.get("uid", "")) if change.new is None else latest.resource_version
        return self._writers.pop((change.kind, change.key, mark), None)
