"""Which archives a cache keeps: their sizes, their tenants, which are in use and which goes next."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from windlass.errors import ChartError, ConfigError

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_CHART: Final = 16 * 2**20
"""Of a packed chart; Helm stores a chart in a Secret of 1 MiB, packed."""


@dataclass(frozen=True, kw_only=True)
class CacheLimits:
    """How many bytes of archives are kept: in `total`, and of one tenant.

    The default leaves 384 MiB of the 512 MiB that the temporary folder of a generated Deployment has: 120 MiB
    for six downloads at a time, the rest for the files of `helm`.

    Raises:
        ConfigError: a tenant could not have a single chart, or more than all.
    """

    total: int = 128 * 2**20
    of_tenant: int = 32 * 2**20

    def __post_init__(self) -> None:
        if not LARGEST_CHART <= self.of_tenant <= self.total:
            raise ConfigError(
                f"a chart cache of {self.total} bytes, of one namespace {self.of_tenant}: a namespace needs "
                f"{LARGEST_CHART} (16Mi) at least, and no more than the cache has in total"
            )


@dataclass
class _Archive:
    size: int
    tenant: str
    aliases: set[Path] = field(default_factory=set)


class Shelf:
    """The archives that a process has put into its folder, within limits.

    Where there is no room, the archive that was least recently used goes: one of the tenant, if that has used
    up its share, else one of the tenant that has most. An archive stays while a task uses it, which is until
    that task uses another one or is gone.
    """

    def __init__(self) -> None:
        self.limits: CacheLimits | None = None
        self._archives: dict[Path, _Archive] = {}
        self._used: WeakKeyDictionary[asyncio.Task[Any], Path] = WeakKeyDictionary()

    def add(self, path: Path, size: int, tenant: str) -> None:
        """Make room for an archive, and count it.

        Raises:
            ChartError: there is no room, since all other archives are in use.
        """
        if path in self._archives:  # it was damaged, and is written again
            return
        if self.limits is not None:
            self._make_room(size, tenant, self.limits)
        self._archives[path] = _Archive(size, tenant)

    def use(self, path: Path) -> None:
        """Keep an archive for as long as the current task uses no other one."""
        if path in self._archives:
            self._archives[path] = self._archives.pop(path)
        try:
            task = asyncio.current_task()
        except RuntimeError:  # no task, no other one that could remove it meanwhile
            return
        if task is not None:
            self._used[task] = path

    def note_alias(self, path: Path, alias: Path) -> None:
        """Remove another file with an archive."""
        if path in self._archives:
            self._archives[path].aliases.add(alias)

    def _make_room(self, size: int, tenant: str, limits: CacheLimits) -> None:
        while tenant and self._sizes()[tenant] + size > limits.of_tenant:
            self._remove_one(tenant, f"the share of the namespace, {limits.of_tenant >> 20} MiB")
        while (sizes := self._sizes()).total() + size > limits.total:
            in_use = set(self._used.values())
            free = {each.tenant for path, each in self._archives.items() if path not in in_use}
            largest = max(free, key=lambda each: sizes[each], default="")
            self._remove_one(largest, f"{limits.total >> 20} MiB")

    def _sizes(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for each in self._archives.values():
            found[each.tenant] += each.size
        return found

    def _remove_one(self, tenant: str, limit: str) -> None:
        in_use = set(self._used.values())
        for path, archive in self._archives.items():  # the least recently used one comes first
            if archive.tenant == tenant and path not in in_use:
                break
        else:
            raise ChartError(f"the cache of charts is full ({limit}), and all of them are in use now")
        del self._archives[path]
        for each in (path, *archive.aliases):
            each.unlink(missing_ok=True)
        with suppress(OSError):  # there are others in it
            path.parent.rmdir()
