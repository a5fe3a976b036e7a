"""What stands in the Secrets and ConfigMaps that Collectors refer to."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Key, ObjectMeta
    from windlass.kinds.core.v1 import ConfigMap, Secret
    from windlass.reconcile import Context

_MOST: Final = 512
_LARGEST: Final = 64 * 1024


class _Kept(NamedTuple):
    uid: str
    version: str
    texts: Mapping[str, str]


class Contents:
    """Reads an object once for each of its versions.

    Of all the Secrets of a cluster, whose metadata is watched, only those have their values in memory that a
    Collector refers to.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[type, Key], _Kept] = OrderedDict()

    async def texts(self, kind: type[Secret | ConfigMap], key: Key, ctx: Context) -> Mapping[str, str] | None:
        """The texts of an object by their names; None if there is no such object."""
        seen = await ctx.get(kind, key.name, key.namespace)
        kept = self._kept.pop((kind, key), None)
        if seen is None:
            return None
        if kept is None or not _is_of(kept, seen.metadata):
            try:
                found = await ctx.live.get(kind, key.name, key.namespace)
            except NotFound:
                return None
            kept = _Kept(found.metadata.uid, found.metadata.resource_version, _texts(found))
        self._keep(kind, key, kept)
        return kept.texts

    def _keep(self, kind: type, key: Key, kept: _Kept) -> None:
        if sum(map(len, kept.texts.values())) > _LARGEST:
            return
        self._kept[kind, key] = kept
        if len(self._kept) > _MOST:
            self._kept.popitem(last=False)


def _is_of(kept: _Kept, metadata: ObjectMeta) -> bool:
    return (kept.uid, kept.version) == (metadata.uid, metadata.resource_version)


def _texts(resource: Secret | ConfigMap) -> Mapping[str, str]:
    return {
        name: value if isinstance(value, str) else value.decode(errors="replace")
        for name, value in (resource.data or {}).items()
    }
