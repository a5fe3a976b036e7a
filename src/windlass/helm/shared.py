"""Objects that several releases have, among the releases of one operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Key


class Shared(NamedTuple):
    """An object that two releases have, and the other release."""

    obj: str
    release: Key

    def __str__(self) -> str:
        """As messages name it: `ConfigMap shop/web is also an object of release mall/web`."""
        return f"{self.obj} is also an object of release {self.release}"


class SharedObjects:
    """Knows which objects several releases have, so that the owners of both can report it.

    The release that an object's annotations name keeps it. The other release records the conflict here when
    it finds that, and stops writing the object; the first one is woken, to name the other.
    """

    def __init__(self) -> None:
        self._found: dict[Key, dict[str, Key]] = {}
        self._wake: dict[Key, Callable[[], None]] = {}

    def attend(self, release: Key, wake: Callable[[], None]) -> None:
        """Call `wake` whenever what `of` returns for a release has changed."""
        self._wake[release] = wake

    def record(self, release: Key, conflicts: Mapping[str, Key]) -> None:
        """Note which objects of a release belong to others, replacing what was noted before."""
        before = self._found.get(release, {})
        if conflicts:
            self._found[release] = dict(conflicts)
        else:
            self._found.pop(release, None)
        changed = {other for _, other in before.items() ^ self._found.get(release, {}).items()}
        for other in changed:
            if other in self._wake:
                self._wake[other]()

    def of(self, release: Key) -> list[Shared]:
        """Return the objects that a release has in common with others, whichever of them keeps the object."""
        lost = [Shared(obj, other) for obj, other in self._found.get(release, {}).items()]
        kept = [
            Shared(obj, other)
            for other, conflicts in self._found.items()
            for obj, keeper in conflicts.items()
            if keeper == release
        ]
        return sorted([*lost, *kept])

    def forget(self, release: Key) -> None:
        """Drop everything about a release that is gone."""
        self.record(release, {})
        self._wake.pop(release, None)
