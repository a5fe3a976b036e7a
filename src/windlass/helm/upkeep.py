from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Key, Resource
from windlass.errors import (
    ApiError,
    NotFound,
    ReleaseError,
    ServerError,
    TooManyRequests,
    Unauthorized,
    UnwatchableError,
)
from windlass.helm.manifest import as_stored, helm_metadata, identity, is_kept
from windlass.helm.ownership import HELM, MANAGER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.api import Json, Untyped
    from windlass.helm.ownership import Owner
    from windlass.helm.record import Revision
    from windlass.helm.release import Settlement
    from windlass.helm.served import Served
    from windlass.reconcile import Context

_MOST: Final = 5
_LONGEST: Final = 300
_RELEASE: Final = ("meta.helm.sh/release-namespace", "meta.helm.sh/release-name")


class _Right(NamedTuple):
    """The versions (uid, resourceVersion) in which the objects of one revision and owner were found right."""

    revision: Revision
    owner: Owner
    versions: dict[tuple[type[Untyped], Key], tuple[str, str]]


class _Turn(NamedTuple):
    """One pass over the objects of a release."""

    settled: Settlement
    owner: Owner
    ctx: Context
    right: dict[tuple[type[Untyped], Key], tuple[str, str]]

    async def kept(self, obj: Json, kind: type[Untyped], key: Key) -> Untyped:
        """An object as it is now, put right and marked if it is not known to be so."""
        found = await self.ctx.get(kind, key.name, key.namespace)
        if found is not None and self.right.get((kind, key)) == _version(found):
            return found
        applied = None
        if not self.settled.fresh:
            wanted = _in(helm_metadata(as_stored(obj), self.settled.revision.release), key)
            applied = await self.ctx.apply(kind.from_wire(wanted), owned=False, manager=HELM)
        mark = kind.from_wire(self.owner.mark(obj, key.namespace, self.settled.revision.chart))
        refers = self.owner.refers(obj, key.namespace)
        marked = await self.ctx.apply(mark, owned=refers, manager=MANAGER)
        if applied is not None and _version(applied) == _version(marked):
            self.right[kind, key] = _version(marked)
        return marked


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

        What the server refuses keeps no other object from being put right.

        Raises:
            ApiError, UnwatchableError: the server refused one object, or can do nothing for now.
            ReleaseError: it refused several; the message tells of the first ones.
        """
        turn = _Turn(settled, owner, ctx, self._known(settled, owner))
        live: list[Json] = []
        refused: list[tuple[Json, Exception]] = []
        for obj in settled.objects:
            if _is_nameless(obj):
                continue  # Helm made one whose name nobody knows
            try:
                kind, key = await self._placed(obj, settled.revision.release)
                await ctx.watch(owner.dependents(kind, settled.revision.chart, wakes=wakes))
                live.append((await turn.kept(obj, kind, key)).to_wire())
            except (ServerError, TooManyRequests, Unauthorized):
                raise  # it would say so of each
            except (ApiError, UnwatchableError) as error:
                refused.append((obj, error))
        if refused:
            raise _told(refused)
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
    return (obj for obj in reversed(objects) if not is_kept(obj) and not _is_nameless(obj))


def _is_nameless(obj: Json) -> bool:
    """Whether the server finds its name, by a `generateName`."""
    return not obj["metadata"].get("name")


def _told(refused: Sequence[tuple[Json, Exception]]) -> Exception:
    """One error that tells of all, the first ones at length."""
    if len(refused) == 1:
        return refused[0][1]
    told = [f"{identity(obj)}: {str(error)[:_LONGEST]}" for obj, error in refused[:_MOST]]
    more = [f"{len(refused) - _MOST} more were refused"] if len(refused) > _MOST else []
    return ReleaseError("reconcile", "; ".join(told + more))


def _belongs(live: Resource, release: Key) -> bool:
    """Whether Helm made an object for this release, and nobody else's has taken it over since."""
    said = tuple(live.metadata.annotations.get(name, "") for name in _RELEASE)
    return said == tuple(release)
