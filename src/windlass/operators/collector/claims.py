"""Whose a release is, where several Collectors want the same one."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from windlass.api import Key
from windlass.operators.collector.desired import release_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from windlass.api import Change
    from windlass.operators.collector.types import Collector


class Claim(NamedTuple):
    """What a Collector has to do with a release. The least of several is the one that counts.

    Who runs it keeps it; before that the older one gets it.
    """

    waits: bool
    created: str
    uid: str
    collector: Key


class Claims:
    """Which Collectors want or have which releases. `see` is told of every change.

    A Collector that moves has its old release until it is uninstalled, and one that is deleted until it is
    gone. In a namespace that is not allowed to it, a Collector has no claim, whatever its spec or its status
    says: it must not keep another's release from it.
    """

    def __init__(self, allows: Callable[[Collector, str], bool] = lambda *_: True) -> None:
        self._allows = allows
        self._by_release: dict[Key, dict[Key, Claim]] = defaultdict(dict)
        self._releases: dict[Key, tuple[Key, ...]] = {}

    def see(self, change: Change[Collector]) -> None:
        """Take note of a change."""
        self._drop(change.key)
        if change.new is not None:
            collector = change.new.shared
            made = dict(self._claims(change.key, collector))
            self._releases[change.key] = tuple(made)
            for release, claim in made.items():
                self._by_release[release][change.key] = claim

    def owner(self, release: Key) -> Key | None:
        """The Collector whose a release is."""
        claims = self._by_release.get(release)
        return min(claims.values()).collector if claims else None

    def claimants(self, release: Key) -> Iterable[Key]:
        """The Collectors that want or have a release."""
        return tuple(self._by_release.get(release, ()))

    def rivals(self, collector: Collector) -> Iterator[Key]:
        """Others who want or have what this one wants or has."""
        own = Key(collector.metadata.namespace, collector.metadata.name)
        for release, _ in self._claims(own, collector):
            yield from (each for each in self._by_release.get(release, ()) if each != own)

    def in_namespace(self, namespace: str) -> set[Key]:
        """The Collectors that want or have a release in a namespace."""
        return {
            collector
            for collector, releases in self._releases.items()
            if any(release.namespace == namespace for release in releases)
        }

    def everybody(self) -> Iterable[Key]:
        """All Collectors that there are."""
        return tuple(self._releases)

    def _claims(self, key: Key, collector: Collector) -> Iterator[tuple[Key, Claim]]:
        created = collector.metadata.creation_timestamp
        age = created.isoformat() if created else "~"  # one that is not stored yet is the youngest
        wanted = release_of(collector.spec)
        if self._allows(collector, wanted.namespace):
            yield wanted, Claim(True, age, collector.metadata.uid, key)  # noqa: FBT003 - named by the class
        held = collector.status.release
        if held is not None and self._allows(collector, held.namespace):
            release = Key(held.namespace, held.name)
            yield release, Claim(not held.revision, age, collector.metadata.uid, key)

    def _drop(self, collector: Key) -> None:
        for release in self._releases.pop(collector, ()):
            self._by_release[release].pop(collector, None)
            if not self._by_release[release]:
                del self._by_release[release]
