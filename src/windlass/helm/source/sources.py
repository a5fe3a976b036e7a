from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from typing_extensions import override

from windlass.aio import SystemClock
from windlass.errors import ChartError
from windlass.helm.chart import Chart, ChartFolder
from windlass.helm.source.bucket import SCHEME as BUCKET
from windlass.helm.source.bucket import from_bucket
from windlass.helm.source.cache import ChartCache
from windlass.helm.source.origin import Charts, plain_digest
from windlass.helm.source.policy import shown
from windlass.helm.source.registry import SCHEME as OCI
from windlass.helm.source.registry import from_registry
from windlass.helm.source.repository import from_address, from_repository
from windlass.helm.source.shelf import CacheLimits
from windlass.helm.source.version import highest, is_exact
from windlass.helm.source.web import HttpWeb

if TYPE_CHECKING:
    from windlass.helm.source.origin import Wanted
    from windlass.helm.source.web import Web

_REMEMBERED: Final = 512
_TIME_LIMIT: Final = timedelta(minutes=1)
_ARCHIVES: Final = (".tgz", ".tar.gz")


class Sources(Charts):
    """Charts from wherever an address points.

    What is on disk is read again when it was edited. What comes from elsewhere is kept by its digest, in
    `folder` or in one that goes with this process; an exact version that was fetched once is not fetched
    again for the same origin and credentials. `plain_http` reaches OCI registries without TLS, where the
    policy allows that. `digests_offline` takes a digest that is kept from the folder without asking the
    origin, and so without checking its address again. `time_limit` is for a fetch as a whole: each request,
    redirect and page, and the wait for other fetches from the same host.

    A `folder` belongs to the caller, and is not bounded; the other one is, by `limit`.
    """

    def __init__(
        self,
        *,
        web: Web | None = None,
        folder: Path | None = None,
        plain_http: bool = False,
        digests_offline: bool = False,
        time_limit: timedelta = _TIME_LIMIT,
    ) -> None:
        self._web = web or HttpWeb()
        self._cache = ChartCache(folder, _read, SystemClock())
        self._cache.limit(CacheLimits())
        self._plain_http = plain_http
        self._digests_offline = digests_offline
        self._time_limit = time_limit
        self._folders: dict[str, ChartFolder] = {}
        self._fetched: dict[Wanted, Chart] = {}

    @override
    async def fetch(self, wanted: Wanted) -> Chart:
        if "://" not in wanted.origin:
            return await self._on_disk(wanted)
        if (known := self.known(wanted)) is not None:
            return known
        chart = await self._obtain(wanted)
        self._remember(replace(wanted, version=chart.version), chart)
        if is_exact(wanted.version):
            self._remember(wanted, chart)
        return chart

    @override
    def known(self, wanted: Wanted) -> Chart | None:
        found = self._fetched.get(wanted) if is_exact(wanted.version) else None
        if found is None or not found.path.exists():
            return None
        self._cache.use(found)
        return found

    @override
    def limit(self, limits: CacheLimits) -> None:
        self._cache.limit(limits)

    async def _obtain(self, wanted: Wanted) -> Chart:
        """Return the chart from the cache, else from its origin within the time limit."""
        seconds = self._time_limit.total_seconds()
        deadline = asyncio.timeout(seconds)
        try:
            async with deadline:
                return await self._kept(wanted) or await self._from_origin(wanted)
        except TimeoutError as error:
            if not deadline.expired():
                raise
            raise ChartError(
                f"{shown(wanted.origin)} cannot be fetched within {seconds:g} s: its server is slow, or too "
                "many charts are fetched from it at once"
            ) from error

    async def _kept(self, wanted: Wanted) -> Chart | None:
        if not self._digests_offline or not wanted.digest:
            return None
        return await self._cache.kept(wanted)

    async def _from_origin(self, wanted: Wanted) -> Chart:
        if wanted.origin.startswith(OCI):
            return await from_registry(wanted, self._web, self._cache, plain_http=self._plain_http)
        if wanted.origin.startswith(BUCKET):
            return await from_bucket(wanted, self._web, self._cache)
        if urlsplit(wanted.origin).path.endswith(_ARCHIVES):
            return await from_address(wanted, self._web, self._cache)
        return await from_repository(wanted, self._web, self._cache)

    async def _on_disk(self, wanted: Wanted) -> Chart:
        path, label = Path(wanted.origin), wanted.label or wanted.origin
        if wanted.digest:
            await asyncio.to_thread(_verify, path, label, wanted.digest)
        folder = self._folders.setdefault(wanted.origin, ChartFolder(path, label))
        chart = await asyncio.to_thread(folder.current)
        if not is_any(wanted.version) and highest([chart.version], wanted.version) is None:
            raise ChartError(f"chart {label} has version {chart.version}, not {wanted.version}")
        return chart

    def _remember(self, wanted: Wanted, chart: Chart) -> None:
        self._fetched.pop(wanted, None)
        self._fetched[wanted] = chart
        if len(self._fetched) > _REMEMBERED:
            del self._fetched[next(iter(self._fetched))]


def _read(path: Path, wanted: Wanted, label: str) -> Chart:
    """Return the chart in an archive; messages call it `label`.

    Raises:
        ChartError: it is no chart, or another one than is wanted.
    """
    chart = Chart.read(path, label)
    if wanted.name and chart.name != wanted.name:
        raise ChartError(f"{shown(wanted.origin)} gave the chart {chart.name} for {wanted.name}")
    if not is_any(wanted.version) and highest([chart.version], wanted.version) is None:
        raise ChartError(f"{shown(wanted.origin)} gave version {chart.version}, not {wanted.version}")
    return chart


def _verify(path: Path, label: str, digest: str) -> None:
    """Return if an archive on disk has a digest.

    Raises:
        ChartError: it has another one, or is a folder.
    """
    expected = plain_digest(digest, f"chart {label}")
    if not path.is_file():
        raise ChartError(f"chart {label} is not an archive: only archives have a digest")
    found = sha256(path.read_bytes()).hexdigest()
    if found != expected:
        raise ChartError(f"chart {label} has the digest {found}, not {expected}")


def is_any(version: str) -> bool:
    """Whether a constraint leaves the version open."""
    return version in ("", "latest")
