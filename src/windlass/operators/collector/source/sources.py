from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.errors import ChartError
from windlass.helm import Chart, ChartFolder
from windlass.operators.collector.source.bucket import SCHEME as BUCKET
from windlass.operators.collector.source.bucket import from_bucket
from windlass.operators.collector.source.cache import ChartCache
from windlass.operators.collector.source.origin import Charts
from windlass.operators.collector.source.registry import SCHEME as OCI
from windlass.operators.collector.source.registry import from_registry
from windlass.operators.collector.source.repository import from_repository
from windlass.operators.collector.source.version import highest, is_exact
from windlass.operators.collector.source.web import HttpWeb

if TYPE_CHECKING:
    from windlass.operators.collector.source.origin import Wanted
    from windlass.operators.collector.source.web import Web

_REMEMBERED: Final = 512


class Sources(Charts):
    """Charts from wherever an address points.

    What is on disk is read again when it was edited. What comes from elsewhere is kept by its digest, in
    `folder` or in one that goes with this process; a whole version that was fetched once is not asked for
    again.
    """

    def __init__(
        self, *, web: Web | None = None, folder: Path | None = None, plain_http: bool = False
    ) -> None:
        self._web = web or HttpWeb()
        self._cache = ChartCache(folder)
        self._plain_http = plain_http
        self._folders: dict[str, ChartFolder] = {}
        self._fetched: dict[Wanted, Chart] = {}

    @override
    async def fetch(self, wanted: Wanted) -> Chart:
        if "://" not in wanted.origin:
            return await self._on_disk(wanted)
        known = self._fetched.get(wanted) if is_exact(wanted.version) else None
        if known is not None and known.path.exists():
            return known
        chart = await asyncio.to_thread(Chart.read, await self._archive(wanted))
        if chart.name != wanted.name:
            raise ChartError(f"{wanted.origin} gave the chart {chart.name} for {wanted.name}")
        self._remember(replace(wanted, version=chart.version), chart)
        if is_exact(wanted.version):
            self._remember(wanted, chart)
        return chart

    async def _archive(self, wanted: Wanted) -> Path:
        if wanted.origin.startswith(OCI):
            return await from_registry(wanted, self._cache, plain_http=self._plain_http)
        if wanted.origin.startswith(BUCKET):
            return await from_bucket(wanted, self._web, self._cache)
        return await from_repository(wanted, self._web, self._cache)

    async def _on_disk(self, wanted: Wanted) -> Chart:
        folder = self._folders.setdefault(wanted.origin, ChartFolder(Path(wanted.origin)))
        chart = await asyncio.to_thread(folder.current)
        if not is_any(wanted.version) and highest([chart.version], wanted.version) is None:
            raise ChartError(f"{wanted.origin} has version {chart.version}, not {wanted.version}")
        return chart

    def _remember(self, wanted: Wanted, chart: Chart) -> None:
        self._fetched.pop(wanted, None)
        self._fetched[wanted] = chart
        if len(self._fetched) > _REMEMBERED:
            del self._fetched[next(iter(self._fetched))]


def is_any(version: str) -> bool:
    """Whether a constraint leaves the version open."""
    return version in ("", "latest")
