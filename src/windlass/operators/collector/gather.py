"""What a Collector refers to: values and credentials in Secrets and ConfigMaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import Key
from windlass.errors import Terminal
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.operators.collector.desired import decoded, defaults_of, merged, pinned, request_of, values_in
from windlass.operators.collector.source import Credentials
from windlass.operators.collector.types import ChartStatus

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.helm import Chart
    from windlass.operators.collector.contents import Contents
    from windlass.operators.collector.options import ClusterSource, CollectorOptions
    from windlass.operators.collector.source import Charts
    from windlass.operators.collector.types import Collector, ValuesReference
    from windlass.reconcile import Context


async def gather_values(
    collector: Collector, source: ClusterSource, contents: Contents, ctx: Context
) -> Json:
    """The values for the chart: of the operator, of valuesFrom, of the configuration, and those in the open.

    Raises:
        Terminal: one of them is missing or cannot be read.
    """
    spec = collector.spec
    referred = [await _referred(each, contents, ctx) for each in spec.values_from]
    return merged([defaults_of(spec, source), *referred, decoded(spec.collector.configuration), spec.values])


async def gather_chart(
    collector: Collector, charts: Charts, options: CollectorOptions, contents: Contents, ctx: Context
) -> tuple[Chart, ChartStatus]:
    """The chart of a Collector, and what is to be remembered of the choice.

    It has the version that was chosen earlier, unless it is time to choose again.

    Raises:
        ChartError: it cannot be had.
        Terminal: the credentials for it are missing.
    """
    request = request_of(collector, options)
    credentials = await _credentials(request.secret, contents, ctx)
    version = pinned(collector, request, ctx.now)
    chart = await charts.fetch(request.wanted(credentials, version))
    if version and collector.status.chart is not None:
        return chart, collector.status.chart
    chosen = ChartStatus(name=request.name, asked=request.version, version=chart.version)
    if request.is_remote:
        chosen.origin, chosen.checked = request.origin, ctx.now
        chosen.generation = collector.metadata.generation or 0
    return chart, chosen


async def _credentials(secret: Key | None, contents: Contents, ctx: Context) -> Credentials | None:
    """What a Secret says about who asks for a chart.

    Raises:
        Terminal: there is no such Secret, or it says nothing.
    """
    if secret is None:
        return None
    texts = await contents.texts(Secret, secret, ctx)
    if texts is None:
        raise Terminal("ChartFetchFailed", f"there is no Secret {secret} with credentials for the chart")
    if not texts.get("username") and not texts.get("token"):
        raise Terminal("ChartFetchFailed", f"Secret {secret} has neither username and password nor token")
    return Credentials(
        username=texts.get("username", ""), password=texts.get("password", ""), token=texts.get("token", "")
    )


async def _referred(reference: ValuesReference, contents: Contents, ctx: Context) -> Json:
    kind = Secret if reference.kind == "Secret" else ConfigMap
    key = Key(ctx.key.namespace, reference.name)
    texts = await contents.texts(kind, key, ctx)
    where = f"{reference.kind} {key}"
    if texts is None:
        if reference.optional:
            return {}
        raise Terminal("ValuesMissing", f"there is no {where}, which spec.valuesFrom names")
    text = texts.get(reference.key)
    if text is None:
        if reference.optional:
            return {}
        raise Terminal("ValuesMissing", f"{where} has no key {reference.key}, which spec.valuesFrom names")
    return values_in(text, f"{where}, key {reference.key},")
