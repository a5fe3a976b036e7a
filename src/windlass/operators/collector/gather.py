"""What a Collector needs before it is deployed: its values, its chart, and who may fetch that."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.api import Key
from windlass.errors import NotFound, ReleaseError, Terminal
from windlass.helm.source import Credentials, Fetches
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.operators.collector.desired import decoded, defaults_of, merged, pinned, request_of, values_in
from windlass.operators.collector.options import SHIPPED
from windlass.operators.collector.types import ChartStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Json
    from windlass.helm import Chart
    from windlass.helm.source import Charts, Wanted
    from windlass.operators.collector.options import CollectorOptions
    from windlass.operators.collector.types import Collector, ValuesReference
    from windlass.reconcile import Context

    Texts = Mapping[str, str]

_FETCHES: Final = 6
"""How many charts are fetched at a time; half as many for one namespace."""

_FETCH_DELAY: Final = timedelta(seconds=10)


class Gathered:
    """Reads what Collectors refer to, each version once.

    The cache has of Secrets and ConfigMaps no more than that they changed: what is in those that nobody
    refers to is none of our business, and may be much. Charts from elsewhere are fetched in the background.
    """

    def __init__(self, options: CollectorOptions, charts: Charts) -> None:
        self._options = options
        self._charts = charts
        charts.limit(options.chart_cache)
        self._fetches = Fetches(charts, _FETCHES, _FETCHES // 2)
        self._read: dict[tuple[type, Key], tuple[str, Texts]] = {}

    def forget(self, key: Key) -> None:
        """Stop fetching a chart for a Collector that is being deleted, or is gone."""
        self._fetches.forget(key)

    async def values(self, collector: Collector, chart: Chart, ctx: Context) -> Json:
        """The values for the chart: of the operator, of valuesFrom, of the configuration, in the open.

        Raises:
            Terminal: one of them is missing or cannot be read, or the version is not satisfied.
        """
        spec = collector.spec
        defaults = defaults_of(spec, self._options.source(spec.cluster), chart.app_version)
        referred = [await self._referred(each, ctx) for each in spec.values_from]
        return merged([defaults, *referred, decoded(spec.collector.configuration), spec.values])

    async def chart(
        self, collector: Collector, ctx: Context, wake: Callable[[], None]
    ) -> tuple[Chart, ChartStatus]:
        """The chart of a Collector, and what is to be remembered of the choice.

        It has the version that was chosen earlier, unless it is time to choose again, and another one was
        found.

        Raises:
            ChartError: it cannot be had.
            ReleaseError: it is being fetched; `wake` is called when that has ended.
            Terminal: the credentials for it are missing.
        """
        request, chosen = request_of(collector, self._options), collector.status.chart
        credentials = await self._credentials(request.secret, ctx)
        version = pinned(collector, request, ctx.now)
        wanted = replace(
            request.wanted(credentials, version), tenant=ctx.key.namespace, label=_label(collector)
        )
        try:
            chart = await self._fetched(wanted, ctx, wake)
        except ReleaseError:
            held = pinned(collector, request, chosen.checked) if chosen and chosen.checked else ""
            earlier = self._charts.known(replace(wanted, version=held)) if held else None
            if chosen is None or earlier is None:
                raise
            return earlier, chosen
        if version and chosen is not None:
            return chart, chosen
        choice = ChartStatus(name=request.name, asked=request.version, version=chart.version)
        if request.is_remote:
            choice.origin, choice.checked = request.origin, ctx.now
            choice.generation = collector.metadata.generation or 0
        return chart, choice

    async def _fetched(self, wanted: Wanted, ctx: Context, wake: Callable[[], None]) -> Chart:
        if "://" not in wanted.origin:
            return await self._charts.fetch(wanted)
        if (known := self._charts.known(wanted)) is not None:
            self._fetches.forget(ctx.key)
            return known
        chart = self._fetches.ask(ctx.key, wanted, wake)
        if chart is not None:
            return self._charts.known(replace(wanted, version=chart.version)) or chart
        is_fetching = self._fetches.is_fetching(ctx.key)
        when = "is being fetched" if is_fetching else "is fetched when fewer charts are being fetched"
        raise ReleaseError(
            "reconcile",
            f"the chart {wanted.name} {when}",
            kind="queued",
            retry_at=ctx.now + _FETCH_DELAY,
            tried=False,
        )

    async def _credentials(self, secret: Key | None, ctx: Context) -> Credentials | None:
        if secret is None:
            return None
        texts = await self._texts(Secret, secret, ctx)
        if texts is None:
            raise Terminal("ChartFetchFailed", f"there is no Secret {secret} with credentials for the chart")
        if not texts.get("username") and not texts.get("token"):
            raise Terminal("ChartFetchFailed", f"Secret {secret} has neither username and password nor token")
        known = {name: texts.get(name, "") for name in ("username", "password", "token")}
        return Credentials(**known)

    async def _referred(self, reference: ValuesReference, ctx: Context) -> Json:
        kind: type[Secret | ConfigMap] = Secret if reference.kind == "Secret" else ConfigMap
        where = f"{reference.kind} {ctx.key.namespace}/{reference.name}"
        texts = await self._texts(kind, Key(ctx.key.namespace, reference.name), ctx)
        text = None if texts is None else texts.get(reference.key)
        if text is not None:
            return values_in(text, f"{where}, key {reference.key},")
        if reference.optional:
            return {}
        lacks = f"there is no {where}" if texts is None else f"{where} has no key {reference.key}"
        raise Terminal("ValuesMissing", f"{lacks}, which spec.valuesFrom names")

    async def _texts(self, kind: type[Secret | ConfigMap], key: Key, ctx: Context) -> Texts | None:
        """What is in a Secret or a ConfigMap, None where there is none; the server is asked if it changed."""
        seen = await ctx.get(kind, key.name, key.namespace)
        version, texts = self._read.get((kind, key), ("", {}))
        if seen is not None and seen.metadata.resource_version == version:
            return texts
        self._read.pop((kind, key), None)
        if seen is None:
            return None
        try:
            found = await ctx.live.get(kind, key.name, key.namespace)
        except NotFound:
            return None
        texts = {
            name: value if isinstance(value, str) else value.decode(errors="replace")
            for name, value in (found.data or {}).items()
        }
        self._read[kind, key] = (found.metadata.resource_version, texts)
        return texts


def _label(collector: Collector) -> str:
    """What messages call a chart on disk: not its path, which is the operator's affair."""
    chart = collector.spec.chart
    return (chart.path or chart.name if chart else "") or SHIPPED
