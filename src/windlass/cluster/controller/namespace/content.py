from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Untyped
from windlass.client import DeleteOptions, Request
from windlass.errors import MethodNotAllowed, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json
    from windlass.client import Client, Served
    from windlass.reconcile import Context

_JSON: Final = "application/json"
_METADATA: Final = f"{_JSON};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,{_JSON}"
_BACKGROUND: Final = DeleteOptions(propagation="Background")
_OVER: Final = ("Succeeded", "Failed")


@dataclass(frozen=True)
class Remains:
    """What is left of a kind: how many objects, which finalizers hold how many, and for how long to wait."""

    count: int = 0
    finalizers: Counter[str] = field(default_factory=Counter)
    grace: timedelta = timedelta()

    @property
    def is_stuck(self) -> bool:
        """Whether something is left although nothing holds it."""
        return bool(self.count and not self.finalizers and not self.grace)


class Content:
    """The objects in one namespace, kind by kind.

    `age` is how long ago the namespace was deleted: pods have as long as the most patient of them wants.
    """

    def __init__(self, client: Client, namespace: str, age: timedelta) -> None:
        self._client = client
        self._namespace = namespace
        self._age = age

    async def clear(self, served: Served, ctx: Context) -> Remains:
        """Delete everything of a kind; returns what is still there then."""
        found = await self._list(served)
        if not found:
            return Remains()
        grace = grace_of(found) if is_pod(served) else timedelta()
        await ctx.effect(f"delete every {served.kind} in it", lambda: self._delete(served, found))
        left = await self._list(served)
        held = Counter(name for each in left for name in each["metadata"].get("finalizers") or ())
        return Remains(len(left), held, grace if grace > self._age else timedelta())

    async def _list(self, served: Served) -> Sequence[Json]:
        if "list" not in served.verbs:
            return ()
        accept = _JSON if is_pod(served) else _METADATA
        path = served.kind.path(namespace=self._namespace)
        try:
            said = await self._client.json(Request(method="GET", path=path, headers={"Accept": accept}))
        except (NotFound, MethodNotAllowed):  # the kind is gone, or has nothing that could be listed
            return ()
        items: Sequence[Json] = said.get("items") or ()
        return items

    async def _delete(self, served: Served, found: Iterable[Json]) -> bool:
        kind = Untyped.of(served.kind)
        if "deletecollection" in served.verbs:
            await self._client.delete_collection(kind, self._namespace, options=_BACKGROUND)
            return True
        for each in found:
            try:
                await self._client.delete(
                    kind, each["metadata"]["name"], self._namespace, options=_BACKGROUND
                )
            except NotFound:
                continue
        return True


def is_pod(served: Served) -> bool:
    """Whether a kind is Pod, whose objects take their time."""
    return served.kind.resource == "pods"


def grace_of(pods: Iterable[Json]) -> timedelta:
    """How long the most patient of the pods that are not over may take to end."""
    periods: Iterable[Any] = (
        pod.get("spec", {}).get("terminationGracePeriodSeconds") or 0
        for pod in pods
        if pod.get("status", {}).get("phase") not in _OVER
    )
    return timedelta(seconds=max(periods, default=0))
