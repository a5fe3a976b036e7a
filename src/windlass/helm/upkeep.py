from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.api import Key, Resource, UncachedValues, is_secret
from windlass.client import DeleteOptions
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
from windlass.helm.drift import is_untouched, owned_fields, repaired_fields
from windlass.helm.lists import is_replaceable, replace_refused
from windlass.helm.manifest import as_stored, helm_metadata, identity, is_kept
from windlass.helm.ownership import HELM, MANAGER
from windlass.helm.readiness import summary
from windlass.helm.shared import RELEASE, Shared, keeper_of
from windlass.helm.step import announce, shortened

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from windlass.api import Json, Untyped
    from windlass.helm.ownership import Owner
    from windlass.helm.record import Revision
    from windlass.helm.served import Served
    from windlass.helm.wanted import Settlement
    from windlass.reconcile import Context

_MOST: Final = 5
_ROUNDS: Final = 3
_LONGEST: Final = 600


class _Right(NamedTuple):
    """The versions (uid, resourceVersion) in which the objects of one revision and owner were found right."""

    revision: Revision
    owner: Owner
    versions: dict[tuple[type[Untyped], Key], tuple[str, str]]


@dataclass
class Repair:
    """What a pass over the objects of a release has found and done.

    `live` are the objects as they are now. `refused` could not be put right, `changed` were: what of them,
    for people. `foreign` belong to other releases. `missing` says of which objects there is none of ours.
    """

    live: list[Json] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    foreign: list[Shared] = field(default_factory=list)
    refused: list[tuple[Json, Exception]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def unready(self) -> str:
        """What the release waits for, which is empty if all of its objects are there and ready."""
        return "; ".join(filter(None, (*self.missing[:_MOST], summary(self.live))))

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


class _Applied(NamedTuple):
    """An object with Helm's fields; `replaced` are the paths of lists and maps that were replaced."""

    object: Untyped
    replaced: tuple[str, ...] = ()
    recreated: bool = False


class _Turn(NamedTuple):
    """One pass over the objects of a release; `place` finds out where each lies."""

    place: Callable[[Json, Key], Awaitable[tuple[type[Untyped], Key]]]
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
        found = await self.ctx.get(kind, key.name, key.namespace, cached_only=True)
        known = self.right.get((kind, key))
        if found is not None and known == _version(found):
            self.repair.live.append(_as_cached(found))
            return
        wanted = kind.from_wire(_in(helm_metadata(as_stored(obj), self.release), key))
        is_cached = self.settled.fresh or self._is_right(wanted, found)
        if not is_cached:
            found = await _stored(self.ctx, kind, key)  # the cache may be late, or select by a lost label
        if found is not None and (
            other := await keeper_of(found.metadata.annotations, self.release, self.ctx)
        ):
            self._yield(kind, key, other)
            return
        try:
            applied = None if self.settled.fresh else await self._apply(wanted, found, key)
        except Invalid:
            await self._mark(obj, kind, key)  # so that its deletion, which is the way out, wakes its owner
            raise
        marked = await self._mark(obj, kind, key)
        if self.settled.fresh and (
            other := await keeper_of(marked.metadata.annotations, self.release, self.ctx)
        ):
            self._yield(kind, key, other)
            return
        if applied is not None:
            after: Untyped | None = marked
            if not is_cached and is_secret(kind.__kind__):
                after = await _stored(self.ctx, kind, key)  # what is compared has its values, or none has
            was_marked = known is not None and found is not None and known[0] == found.metadata.uid
            self._note(found, after or marked, applied, was_marked=was_marked)
            same = _version(applied.object) == _version(marked)
            if same or is_untouched(wanted.to_wire(), marked.to_wire(), HELM):  # Helm's fields, also marked
                self.right[kind, key] = _version(marked)
        self.repair.live.append(_as_cached(marked))

    async def refuse(self, obj: Json, error: Exception) -> None:
        """Note an object that could not be put right, and how it is now."""
        self.repair.refused.append((obj, error))
        found: Untyped | None = None
        with suppress(ApiError, UnwatchableError):  # of which the error tells
            kind, key = await self.place(obj, self.release)
            found = await self.ctx.get(kind, key.name, key.namespace, cached_only=True)
        if found is None:
            self.repair.missing.append(f"{identity(obj)} is missing")
        else:
            self.repair.live.append(_as_cached(found))

    async def _keeper(self, found: Untyped | None) -> Key | None:
        """Return the other release that an object belongs to."""
        return await keeper_of(found.metadata.annotations, self.release, self.ctx) if found else None

    def _yield(self, kind: type[Untyped], key: Key, other: Key) -> None:
        name = _named(kind, key)
        self.repair.foreign.append(Shared(name, other))
        self.repair.missing.append(f"{name} belongs to release {other}")

    def _is_right(self, wanted: Untyped, found: Untyped | None) -> bool:
        """Whether Helm applied this revision, and it is unchanged, as far as the cache keeps it."""
        if found is None or self.settled.failure is not None:
            return False
        has_values = not isinstance(found.get("data"), UncachedValues)
        return is_untouched(wanted.to_wire(), _as_cached(found), HELM, values=has_values)

    async def _apply(self, wanted: Untyped, found: Untyped | None, key: Key) -> _Applied:
        """Apply the rendered fields, and replace what keeps the server from accepting them.

        Raises:
            Invalid: it still does not accept them.
        """
        if found is not None and self._is_right(wanted, found):
            return _Applied(found)
        kind, replaced, recreated, rounds = type(wanted), list[str](), False, 0
        while True:
            rounds += 1
            try:
                applied = await self.ctx.apply(wanted, owned=False, manager=HELM)
            except Invalid as error:
                causes = error.answer.causes
                paths = await replace_refused(wanted.to_wire(), kind, key, causes, self.ctx)
                recreated = recreated or (not paths and await self._delete(wanted, key, causes))
                if rounds == _ROUNDS or not (paths or recreated):
                    raise
                replaced += paths
            else:
                return _Applied(applied, tuple(replaced), recreated=recreated)

    async def _delete(self, wanted: Untyped, key: Key, causes: Sequence[Mapping[str, Any]]) -> bool:
        """Delete an object that is to be created again, if it is immutable and that loses nothing."""
        live = await _stored(self.ctx, type(wanted), key)
        if live is None or not is_replaceable(wanted.to_wire(), live.to_wire(), causes):
            return False
        meant = DeleteOptions(uid=live.metadata.uid, resource_version=live.metadata.resource_version)
        await self.ctx.delete(type(wanted), key.name, key.namespace, options=meant)
        return True

    async def _mark(self, obj: Json, kind: type[Untyped], key: Key) -> Untyped:
        mark = kind.from_wire(self.owner.mark(obj, key.namespace, self.settled.revision.chart))
        return await self.ctx.apply(mark, owned=self.owner.refers(obj, key.namespace), manager=MANAGER)

    def _note(self, before: Untyped | None, after: Untyped, applied: _Applied, *, was_marked: bool) -> None:
        """Note what was repaired; an object that is marked for the first time was not damaged."""
        name = _named(type(after), Key(after.metadata.namespace, after.metadata.name))
        if before is None:
            self.repair.changed.append(f"{name}: created again")
            return
        if _version(before) == _version(after):
            return
        old, new = before.to_wire(), after.to_wire()
        fields = repaired_fields(old, new, HELM)
        if was_marked or self._was_marked(before):
            fields += repaired_fields(old, new, MANAGER)
        inner = tuple(f"{path}{end}" for path in applied.replaced for end in ".[")
        paths = list(
            dict.fromkeys([*applied.replaced, *(each for each in fields if not each.startswith(inner))])
        )
        if paths or applied.recreated:
            more = [f"{len(paths) - _MOST} more fields"] if len(paths) > _MOST else []
            how = ["deleted and created again"] if applied.recreated else []
            self.repair.changed.append(f"{name}: {', '.join([*paths[:_MOST], *more, *how])}")

    def _was_marked(self, before: Untyped) -> bool:
        """Whether an object was marked already, and not for an owner that is gone."""
        others = [each for each in before.metadata.owner_references if each.controller]
        return owned_fields(before.to_wire(), MANAGER) is not None and all(
            each.uid == self.owner.uid for each in others
        )


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
        turn = _Turn(self.placed, settled, owner, ctx, self._known(settled, owner), Repair())
        for obj in settled.objects:
            await asyncio.sleep(0)  # let others run: a large object takes long to compare
            if _is_nameless(obj):
                continue  # Helm made one, under a name that only the server knows
            try:
                kind, key = await self.placed(obj, settled.revision.release)
                await ctx.watch(owner.dependents(kind, settled.revision.chart, wakes=wakes))
                await turn.keep(obj, kind, key)
            except (ServiceUnavailable, TooManyRequests, Unauthorized):
                raise  # it would say so of each
            except (ApiError, UnwatchableError, AlreadyOwnedError) as error:
                await turn.refuse(obj, error)
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
                if other := await keeper_of(live.metadata.annotations, release, ctx):
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


def _as_cached(found: Untyped) -> Json:
    """Return an object as the cache keeps it: of a Secret without values, the names of those."""
    values = found.get("data")
    if not isinstance(values, UncachedValues):
        return found.to_wire()
    named = found.model_copy()
    named["data"] = dict.fromkeys(values.keys(), "")
    return named.to_wire()


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


def _belongs(live: Resource, release: Key) -> bool:
    """Whether Helm made an object for this release, and nobody else's has taken it over since."""
    said = tuple(live.metadata.annotations.get(name, "") for name in RELEASE)
    return said == tuple(release)
