from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from windlass.api import Resource

if TYPE_CHECKING:
    from windlass.api import Key, Snapshot
    from windlass.reconcile import Digest

R = TypeVar("R", bound=Resource)
D = TypeVar("D")


class Digests:
    """What digests say of objects, kept for as long as the text of an object is the same."""

    def __init__(self) -> None:
        self._known: dict[Digest[Any, Any], dict[Key, tuple[Snapshot[Any], Any]]] = {}

    def of(self, digest: Digest[R, D], key: Key, snapshot: Snapshot[R]) -> D:
        """What a digest says of an object as it is now.

        Raises:
            UndecodableError: it does not fit the type.
        """
        known = self._known.setdefault(digest, {})
        found = known.get(key)
        if found is None or not found[0].is_same(snapshot):
            found = known[key] = (snapshot, digest.of(snapshot.decode()))
        said: D = found[1]
        return said

    def forget(self, kind: type[Resource], key: Key) -> None:
        """The object is gone."""
        for digest, known in self._known.items():
            if digest.kind is kind:
                known.pop(key, None)
