from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Key, Resource
from windlass.controller import field_changes
from windlass.errors import (
    AlreadyOwnedError,
    ApiError,
    Invalid,
    NotFound,
    ReleaseError,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    UnwatchableError,
)
from windlass.helm.history import BY_RELEASE
from windlass.helm.lists import replace_lists
from windlass.helm.manifest import as_stored, helm_metadata, identity, is_kept
from windlass.helm.ownership import CHART, HELM, MANAGER
from windlass.helm.record import ReleaseRecord
from windlass.helm.shared import Shared
from windlass.helm.step import announce, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.api import Json, Untyped
    from windlass.helm.ownership import Owner
    from windlass.helm.record import Revision
    from windlass.helm.served import Served
    from windlass.helm.wanted import Settlement
    from windlass.reconcile import Context

_MOST: Final = 5
_LONGEST: Final = 600
_RELEASE: Final = ("meta.helm.sh/release-namespace", "meta.helm.sh/release-name")


class _Right(NamedTuple):
    """The versions (uid, resourceVersion) in which the objects of one revision and owner were found right."""

    revision: Revision
    owner: Owner
    versions: dict[tuple[type[Untyped], Key], tuple[str, str]]


@dataclass
class Repair:
    """What a pass over the objects of a release has found and done.

    `live` are the objects as they are now. `refused` could not be put right, `changed` were: what of them,
    for people. `foreign` belong to other releases.
    """

    live: list[Json] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    foreign: list[Shared] = field(default_factory=list)
    refused: list[tuple[Json, Exception]] = field(default_factory=list)

    @property
    def error(self) -> Exception | None:
        """One error for all objects that could not be put right; the message names the first ones."""
        if self.foreign:
            said = [str(each) for each in self.foreign[:_MOST]]
            return ReleaseError("reconcile", "; ".join(said), kind="conflict")
        if not self.refused:
            return None
        said = [f"{identity(obj)}: {_said(error)}" for obj, error in self.refused[:_MOST]]
        more = [f"{len(self.refused) - _MOST} more were refused"] if len(self.refused) > _MOST else []
        answers = [error.answer for _, error in self.refused if isinstance(error, ApiError)]
        return ReleaseError("reconcile", "; ".join(said + more)).refused_by(answers)


class _Turn(NamedTuple):
    """One pass over the objects of a release."""

    settled: Settlement
    owner: Owner
    ctx: Context
    right: dict[tuple[type[Untyped], Key], tuple[str, str]]
    repair: Repair

    @property
    def release(self) -> Key:
        return self.settled.revision.release

    async def keep(self, obj: Json, kind: type[Untyped], key: Key) -> None:
        """Put an object right and mark it, if it is not known to be so."""
        found = await self.ctx.get(kind, key.name, key.namespace)
        if found is not None and self.right.get((kind, key)) == _version(found):
            self.repair.live.append(found.to_wire())
            return
        if found is None and not self.settled.fresh:  # gone, or without the label that the cache selects by
            found = await _stored(self.ctx, kind, key)
        if found is not None and (other := await _keeper(found, self.release, self.ctx)):
            self.repair.foreign.append(Shared(_named(kind, key), other))
            return
        applied = None if self.settled.fresh else await self._apply(obj, kind, key)
        marked = await self._mark(obj, kind, key)
        if self.settled.fresh and (other := await _keeper(marked, self.release, self.ctx)):
            self.repair.foreign.append(Shared(_named(kind, key), other))
            return
        if applied is not None:
            self._note(found, marked, _named(kind, key))
            if _version(applied) == _version(marked):
                self.right[kind, key] = _version(marked)
        self.repair.live.append(marked.to_wire())

    async def _apply(self, obj: Json, kind: type[Untyped], key: Key) -> Untyped:
        wanted = kind.from_wire(_in(helm_metadata(as_stored(obj), self.release), key))
        try:
            return await self.ctx.apply(wanted, owned=False, manager=HELM)
        except Invalid:
            if not await replace_lists(wanted.to_wire(), kind, key, self.ctx):
                raise
        return await self.ctx.apply(wanted, owned=False, manager=HELM)

    async def _mark(self, obj: Json, kind: type[Untyped], key: Key) -> Untyped:
        mark = kind.from_wire(self.owner.mark(obj, key.namespace, self.settled.revision.chart))
        return await self.ctx.apply(mark, owned=self.owner.refers(obj, key.namespace), manager=MANAGER)

    def _note(self, before: Untyped | None, after: Untyped, name: str) -> None:
        """Note what was repaired; an object that is marked for the first time was not damaged."""
        if before is None:
            self.repair.changed.append(f"{name}: created again")
        elif _version(before) != _version(after) and CHART in before.metadata.labels:
            changes = field_changes(before.to_wire(), after.to_wire())
            paths = [change.path for change in changes if not change.path.startswith(".status")]
            shown = ", ".join(paths[:_MOST]) or "metadata"
            more = f" and {len(paths) - _MOST} more" if len(paths) > _MOST else ""
            self.repair.changed.append(f"{name}: {shown}{more}")


class Upkeep:
    """Keeps the objects of releases as their manifests have them, and marks whose they are.

    An object that was found right is not compared again until it, the revision or the owner is another one:
    most passes are over releases to which nothing has happened.
    """

    def __init__(self, served: Served) -> None:
        self._served = served
        self._right: dict[Key, _Right] = {}

    async def repair(self, settled: Settlement, owner: Owner, ctx: Context, *, wakes: bool = True) -> Repair:
        """Put right what has changed, bring back what is gone, and return the objects as they are now.

        Drift is repaired in Helm's own name, so that its next upgrade meets no conflict. What Helm has just
        applied is only marked. From then on each kind is watched; a change wakes the owner if it `wakes`.

        What the server refuses, and what belongs to another release, keeps no other object from being put
        right. Each repair is announced.

        Raises:
            ApiError: the server can do nothing for now.
        """
        turn = _Turn(settled, owner, ctx, self._known(settled, owner), Repair())
        for obj in settled.objects:
            if _is_nameless(obj):
                continue  # Helm made one, under a name that only the server knows
            try:
                kind, key = await self.placed(obj, settled.revision.release)
                await ctx.watch(owner.dependents(kind, settled.revision.chart, wakes=wakes))
                await turn.keep(obj, kind, key)
            except (ServiceUnavailable, TooManyRequests, Unauthorized):
                raise  # it would say so of each
            except (ApiError, UnwatchableError, AlreadyOwnedError) as error:
                turn.repair.refused.append((obj, error))
        for change in turn.repair.changed:
            announce(ctx, "Repaired", f"Repaired {change}")
        return turn.repair

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

    async def lacks_kinds(self, objects: Sequence[Json]) -> bool:
        """Whether the server, which is asked anew, does not serve some kind of these any more."""
        self._served.outdate()
        try:
            for obj in objects:
                await self._served.kind(obj["apiVersion"], obj["kind"])
        except NotFound:
            return True
        return False

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
        """Return those of some objects whose kinds the server still serves."""
        found = []
        for obj in objects:
            with suppress(NotFound):
                await self._served.kind(obj["apiVersion"], obj["kind"])
                found.append(obj)
        return found

    async def foreign(self, objects: Sequence[Json], release: Key, ctx: Context) -> list[Shared]:
        """Return the objects that exist and belong to other releases, as the server has them."""
        found = []
        for obj in objects:
            if _is_nameless(obj):
                continue
            with suppress(NotFound):
                kind, key = await self.placed(obj, release)
                live = await ctx.live.get(kind, key.name, key.namespace)
                if other := await _keeper(live, release, ctx):
                    found.append(Shared(_named(kind, key), other))
        return found

    async def own(self, objects: Sequence[Json], release: Key, ctx: Context) -> list[Json]:
        """Return those of some objects that are served and that no other release has taken over."""
        served = await self.served(objects)
        return [obj for obj in served if not await self.foreign([obj], release, ctx)]

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
            kind, key = await self.placed(obj, release)
            live = await ctx.live.get(kind, key.name, key.namespace)
        except NotFound:
            return None
        return live if _belongs(live, release) else None

    async def placed(self, obj: Json, release: Key) -> tuple[type[Untyped], Key]:
        """Return the kind of an object, and where it lies.

        Raises:
            NotFound: the kind is not served.
        """
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


def _said(error: Exception) -> str:
    return shortened((error.answer.message if isinstance(error, ApiError) else "") or str(error), _LONGEST)


def _named(kind: type[Untyped], key: Key) -> str:
    return f"{kind.__kind__.name} {key}"


async def _stored(ctx: Context, kind: type[Untyped], key: Key) -> Untyped | None:
    try:
        return await ctx.live.get(kind, key.name, key.namespace)
    except NotFound:
        return None


async def _keeper(live: Resource, release: Key, ctx: Context) -> Key | None:
    """Return the other release that an object belongs to; None if it is ours, or of no known release."""
    named = Key(*(live.metadata.annotations.get(name, "") for name in _RELEASE))
    if not named.name or named == release:
        return None
    records = await ctx.list(ReleaseRecord, index=BY_RELEASE, value=str(named))
    return named if records else None


def _belongs(live: Resource, release: Key) -> bool:
    """Whether Helm made an object for this release, and nobody else's has taken it over since."""
    said = tuple(live.metadata.annotations.get(name, "") for name in _RELEASE)
    return said == tuple(release)
