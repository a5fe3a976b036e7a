from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Key, Resource
from windlass.errors import NotFound
from windlass.helm.manifest import helm_metadata, identity, is_kept
from windlass.helm.ownership import HELM, MANAGER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.api import Json, Untyped
    from windlass.helm.ownership import Owner
    from windlass.helm.record import Revision
    from windlass.helm.release import Settlement
    from windlass.helm.served import Served
    from windlass.reconcile import Context

_RELEASE: Final = ("meta.helm.sh/release-namespace", "meta.helm.sh/release-name")


class _Right(NamedTuple):
    """The versions (uid, resourceVersion) in which the objects of one revision and owner were found right."""

    revision: Revision
    owner: Owner
    versions: dict[tuple[type[Untyped], Key], tuple[str, str]]


class Upkeep:
    """Keeps the objects of releases as their manifests have them, and marks whose they are.

    An object that was found right is not compared again until it, the revision or the owner is another one:
    most passes are over releases to which nothing has happened.
    """

    def __init__(self, served: Served) -> None:
        self._served = served
        self._right: dict[Key, _Right] = {}

    async def repair(
        self, settled: Settlement, owner: Owner, ctx: Context, *, wakes: bool = True
    ) -> Sequence[Json]:
        """Put right what has changed, bring back what is gone, and return the objects as they are now.

        Drift is repaired in Helm's own name, so that its next upgrade meets no conflict. What Helm has just
        applied is only marked. From then on each kind is watched; a change wakes the owner if it `wakes`.

        Raises:
            NotFound: a kind is not served any more.
        """
        release, chart, right = settled.revision.release, settled.revision.chart, self._known(settled, owner)
        live: list[Json] = []
        for obj in settled.objects:
            kind, key = await self._placed(obj, release)
            await ctx.watch(owner.dependents(kind, chart, wakes=wakes))
            found = await ctx.get(kind, key.name, key.namespace)
            if found is None or right.get((kind, key)) != _version(found):
                applied = None
                if not settled.fresh:
                    wanted = kind.from_wire(_in(helm_metadata(obj, release), key))
                    applied = await ctx.apply(wanted, owned=False, manager=HELM)
                mark = kind.from_wire(owner.mark(obj, key.namespace, chart))
                found = await ctx.apply(mark, owned=owner.refers(obj, key.namespace), manager=MANAGER)
                if applied is not None and _version(applied) == _version(found):
                    right[kind, key] = _version(found)
            live.append(found.to_wire())
        return live

    def forget(self, release: Key) -> None:
        """Let go of what is kept in memory about a release."""
        self._right.pop(release, None)

    async def sweep(
        self, objects: Sequence[Json], release: Key, ctx: Context, *, spare: Sequence[Json] = ()
    ) -> None:
        """Delete what a release has left behind, but for what is to be spared or kept, or is not its own."""
        spared = {identity(each, release.namespace) for each in spare}
        for obj in _removable(objects):
            if identity(obj, release.namespace) not in spared:
                live = await self._live(obj, release, ctx)
                if live is not None:
                    await ctx.delete(type(live), live.metadata.name, live.metadata.namespace)

    async def remaining(self, objects: Sequence[Json], release: Key, ctx: Context) -> Sequence[str]:
        """Which of these objects are still there, as the server has it; those that are kept do not count."""
        found = []
        for obj in _removable(objects):
            live = await self._live(obj, release, ctx)
            if live is not None:
                key = Key(live.metadata.namespace, live.metadata.name)
                found.append(f"{type(live).__kind__.name} {key}")
        return found

    async def served(self, objects: Sequence[Json]) -> list[Json]:
        """Those of some objects whose kinds the server still serves."""
        found = []
        for obj in objects:
            with suppress(NotFound):
                await self._served.kind(obj["apiVersion"], obj["kind"])
                found.append(obj)
        return found

    def _known(self, settled: Settlement, owner: Owner) -> dict[tuple[type[Untyped], Key], tuple[str, str]]:
        """What is known to be right; nothing is kept for an owner that does not say which one it is."""
        release, revision = settled.revision.release, settled.revision
        known = self._right.get(release)
        if known is None or settled.fresh or known.revision is not revision or known.owner != owner:
            known = _Right(revision, owner, {})
            if owner.uid:
                self._right[release] = known
        return known.versions

    async def _live(self, obj: Json, release: Key, ctx: Context) -> Untyped | None:
        """An object of a release as the server has it; None if it or its kind is gone, or it is another's."""
        try:
            kind, key = await self._placed(obj, release)
            live = await ctx.live.get(kind, key.name, key.namespace)
        except NotFound:
            return None
        return live if _belongs(live, release) else None

    async def _placed(self, obj: Json, release: Key) -> tuple[type[Untyped], Key]:
        """The kind of an object, and where it lies."""
        kind = await self._served.kind(obj["apiVersion"], obj["kind"])
        metadata = obj["metadata"]
        namespace = (metadata.get("namespace") or release.namespace) if kind.__kind__.namespaced else ""
        return kind, Key(namespace, metadata["name"])


def _version(found: Resource) -> tuple[str, str]:
    return found.metadata.uid, found.metadata.resource_version


def _in(obj: Json, key: Key) -> Json:
    return {**obj, "metadata": {**obj["metadata"], "namespace": key.namespace}} if key.namespace else obj


def _removable(objects: Sequence[Json]) -> Iterator[Json]:
    """What is removed with its release, the last first."""
    return (obj for obj in reversed(objects) if not is_kept(obj))


def _belongs(live: Resource, release: Key) -> bool:
    """Whether Helm made an object for this release, and nobody else's has taken it over since."""
    said = tuple(live.metadata.annotations.get(name, "") for name in _RELEASE)
    return said == tuple(release)
