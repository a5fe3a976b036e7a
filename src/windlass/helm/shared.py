"""Objects that several releases have, among the releases of one operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Key
from windlass.client import Request
from windlass.errors import Forbidden, NotFound, ReleaseError
from windlass.helm.history import BY_RELEASE
from windlass.helm.record import ReleaseRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from windlass.api import Json
    from windlass.client import Client
    from windlass.errors import ReleaseStep
    from windlass.helm.engine import Guard
    from windlass.reconcile import Context

RELEASE: Final = ("meta.helm.sh/release-namespace", "meta.helm.sh/release-name")
"""The annotations that name the release of an object."""

_MOST: Final = 5


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


class Foreign:
    """The objects of other releases that kept the last attempt at a release from being deployed."""

    def __init__(self) -> None:
        self._found: dict[Key, list[Shared]] = {}

    def of(self, release: Key) -> list[Shared]:
        """Return those of a release."""
        return self._found.get(release, [])

    def forget(self, release: Key) -> None:
        """Drop those of a release that is tried again, or is gone."""
        self._found.pop(release, None)

    def refuse(self, step: ReleaseStep, release: Key, found: Sequence[Shared], addition: str = "") -> None:
        """Note which objects of others a release has, if any.

        Raises:
            ReleaseError: it has some.
        """
        if found:
            self._found[release] = list(found)
            raise ReleaseError(step, "; ".join(map(str, found[:_MOST])) + addition, kind="conflict")

    def guard(self, client: Client, release: Key, ctx: Context) -> Guard:
        """Return what refuses to let Helm delete an object of another release.

        Helm deletes whatever has the name of a hook before it creates that.
        """

        async def check(path: str) -> None:
            request = Request(method="GET", path=path, headers={"Accept": "application/json"})
            try:
                live: Json = await client.json(request)
            except (NotFound, Forbidden):
                return
            metadata = live.get("metadata") or {}
            other = await keeper_of(metadata.get("annotations") or {}, release, ctx)
            if other is not None:
                where = Key(metadata.get("namespace", ""), metadata.get("name", ""))
                shared = Shared(f"{live.get('kind')} {where}", other)
                self._found[release] = sorted({*self.of(release), shared})
                raise ReleaseError("reconcile", str(shared), kind="conflict")

        return check


async def keeper_of(annotations: Mapping[str, str], release: Key, ctx: Context) -> Key | None:
    """Return the other release that an object belongs to; None if it is ours, or of no known release."""
    named = Key(*(annotations.get(name, "") for name in RELEASE))
    if not named.name or named == release:
        return None
    records = await ctx.list(ReleaseRecord, index=BY_RELEASE, value=str(named))
    return named if records else None
