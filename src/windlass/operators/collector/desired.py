"""What a Collector asks for: a release, its chart and its values. Objects in, data out."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key, ObjectMeta, parse_duration, read_yaml
from windlass.client import Impersonation
from windlass.errors import ChartError, ConfigError, Terminal
from windlass.helm.source import SourcePolicy, Wanted, highest
from windlass.kinds.core.v1 import Namespace
from windlass.operators.collector.options import SHIPPED
from windlass.operators.collector.types import UPDATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from windlass.api import Json
    from windlass.helm import Blueprint, Revision
    from windlass.helm.source import Credentials
    from windlass.operators.collector.options import ClusterSource, CollectorOptions
    from windlass.operators.collector.types import ChartStatus, Collector, CollectorSpec

INVALID: Final = "ConfigurationInvalid"
TENANT: Final = "example.com/tenant-id"
CREATED: Final = "example.com/created-by"
CREATED_FOR: Final = "example.com/created-for"
CREATOR: Final = "collector-operator"
_LABEL_VALUE: Final = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
_ANY: Final = ("", "latest", "*")
_TAG: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
_WILDCARD: Final = re.compile(r"(?:^v?|\.)[xX](?:\.|$)")
_MOST_NODES: Final = 50_000  # of values: ten times those of kube-prometheus-stack; 30 MB to read


@dataclass(frozen=True, kw_only=True)
class Request:
    """Which chart a Collector asks for: where it lies, by which Secret one gets in, and which version."""

    name: str
    origin: str
    version: str = ""
    digest: str = ""
    secret: Key | None = None
    policy: SourcePolicy = field(default_factory=SourcePolicy)

    @property
    def is_remote(self) -> bool:
        """Whether it comes from elsewhere; of a chart on disk there is one version, as it is now."""
        return "://" in self.origin

    def wanted(self, credentials: Credentials | None, version: str = "") -> Wanted:
        """What to ask the source for: the version that was chosen earlier, or what the Collector says."""
        return Wanted(
            name=self.name,
            origin=self.origin,
            version=version or self.version,
            digest=self.digest,
            credentials=credentials,
            policy=self.policy,
        )


def release_of(spec: CollectorSpec) -> Key:
    """The release that a Collector asks for."""
    return Key(spec.tenant.reference.lower(), f"{spec.collector.name}-{spec.tenant.instance}")


def request_of(collector: Collector, options: CollectorOptions) -> Request:
    """The chart that a Collector asks for: its own wish, else what the operator has for its cluster.

    Where neither has one, it is the one that ships, whose version is not the collector's.
    """
    spec = collector.spec
    source, chart = options.source(spec.cluster), spec.chart
    name = (chart.name if chart else None) or spec.collector.name
    version = (chart.version if chart else "") or spec.collector.version
    secret, digest = _secret(collector), chart.digest if chart else ""
    if chart and chart.path:
        return Request(name=name, origin=str(options.charts / chart.path), version=chart.version)
    if chart and chart.repository:
        policy = options.tenancy.sources
        return Request(
            name=name, origin=chart.repository, version=version, digest=digest, secret=secret, policy=policy
        )
    if source.url:
        url = source.url.replace("{name}", spec.collector.name)
        version, secret = version or source.version, secret or source.credentials
        return Request(
            name=name, origin=url, version=version, digest=digest, secret=secret, policy=source.sources
        )
    shipped = chart.name if chart and chart.name else SHIPPED
    return Request(name=shipped, origin=str(options.charts / shipped), version=chart.version if chart else "")


def check_tenancy(collector: Collector, options: CollectorOptions) -> None:
    """Return if a Collector may have the namespace and the chart repository that it chooses.

    Raises:
        Terminal: it may not; the message names the field, its value, what is allowed and who can allow it.
    """
    namespace, chart = collector.metadata.namespace, collector.spec.chart
    options.tenancy.check_namespace(namespace, release_of(collector.spec).namespace)
    if chart and chart.repository:
        options.tenancy.check_repository(namespace, chart.repository, options.repositories)


def account_of(collector: Collector, options: CollectorOptions) -> str:
    """The ServiceAccount of its namespace as which a Collector is deployed; empty for the operator itself."""
    return collector.spec.service_account_name or options.default_service_account


def removing_account(collector: Collector, options: CollectorOptions) -> str:
    """The ServiceAccount as which a release is removed: the one of the spec, else that which deployed it.

    The operator's default may be another one by then, and must not give a release more rights than it had.
    """
    held = collector.status.release
    recorded = held.service_account if held else ""
    if not Impersonation.is_account(recorded):  # only a forged status has one
        recorded = ""
    return collector.spec.service_account_name or recorded or options.default_service_account


def user_of(collector: Collector, account: str, target: str) -> Impersonation | None:
    """Return the ServiceAccount to act as for a release in a namespace; None for the operator itself.

    In another namespace than the Collector's it may write there alone: the records of the release, which
    decide what is written, lie where others may edit them.
    """
    own = collector.metadata.namespace
    writes_in = "" if target == own else target
    return Impersonation.service_account(own, account, writes_in=writes_in) if account else None


def pinned(collector: Collector, request: Request, now: datetime) -> str:
    """The version that was chosen earlier and still holds; empty where one is to be chosen.

    It holds until the Collector or the operator's configuration changes, or the annotation says so.
    """
    chosen, every = collector.status.chart, updates_every(collector)
    if chosen is None or not request.is_remote:
        return ""
    asked = (request.name, request.origin, request.version, collector.metadata.generation)
    if (chosen.name, chosen.origin, chosen.asked, chosen.generation) != asked:
        return ""
    due = every is not None and (chosen.checked is None or now >= chosen.checked + every)
    return "" if due else chosen.version


def updates_every(collector: Collector) -> timedelta | None:
    """How often a newer chart is looked for; None for never, also where the annotation is no duration."""
    try:
        every = parse_duration(collector.metadata.annotations.get(UPDATES, "0s"))
    except ValueError:
        return None
    return max(every, timedelta(minutes=1)) if every > timedelta() else None


def look_again(
    collector: Collector, chart: ChartStatus | None, options: CollectorOptions, now: datetime
) -> timedelta:
    """When to look at a Collector again: after the period, or when a newer chart is to be looked for."""
    every = updates_every(collector)
    if every is None or chart is None or chart.checked is None:
        return options.period
    return min(options.period, max(chart.checked + every - now, timedelta(seconds=1)))


def referred(collector: Collector, kind: str, options: CollectorOptions) -> list[Key]:
    """The Secrets or ConfigMaps that decide about a Collector."""
    namespace, values = collector.metadata.namespace, collector.spec.values_from
    found = [Key(namespace, each.name) for each in values if each.kind == kind]
    secret = request_of(collector, options).secret if kind == "Secret" else None
    return [*found, secret] if secret else found


def _secret(collector: Collector) -> Key | None:
    reference = collector.spec.chart.secret_ref if collector.spec.chart else None
    return Key(collector.metadata.namespace, reference.name) if reference else None


def defaults_of(spec: CollectorSpec, source: ClusterSource, app_version: str = "") -> Json:
    """The values that the operator gives where nobody says otherwise: those of the cluster, and the image.

    Only what is known of the image is said, so that the chart's own tag and pull policy hold. `app_version`
    is that of the chart.

    Raises:
        Terminal: the version is a constraint that the chart that ships does not satisfy.
    """
    name, chart = spec.collector.name, spec.chart
    ships = not source.url and not (chart and (chart.name or chart.repository or chart.path))
    image: Json = {}
    if source.images or ships:
        image["repository"] = "/".join(filter(None, [source.images.rstrip("/"), name]))
    if ships and (tag := image_tag(spec.collector.version, app_version)):
        image["tag"] = tag
    return merged([{"image": image} if image else {}, source.values])


def image_tag(version: str, app_version: str) -> str:
    """Return the tag of the image for a version, with the chart that ships; empty for the chart's own.

    A version is the tag, with `_` for `+`, which tags cannot have. A constraint is satisfied by the chart's
    app version, or not at all: there is no other chart to choose from.

    Raises:
        Terminal: the constraint is not satisfied, or the text is neither a version nor a constraint.
    """
    version = version.strip()
    if version in _ANY:
        return ""
    tag = version.replace("+", "_")
    if _TAG.fullmatch(tag) and not _WILDCARD.search(version):
        return tag
    try:
        is_satisfied = highest([app_version], version) is not None
    except ChartError as error:
        raise Terminal(INVALID, f"spec.collector.version: {error}") from error
    if not is_satisfied:
        raise Terminal(
            INVALID,
            f"spec.collector.version: {version} is not satisfied by the chart that ships, whose app version "
            f"is {app_version or 'not set'}; write an exact version such as 1.2.3, or name a repository of "
            "charts in spec.chart.repository or in the operator's configuration",
        )
    return ""


def merged(layers: Iterable[Mapping[str, Any]]) -> Json:
    """Values over values: maps are merged, everything else is replaced by the later one."""
    result: Json = {}
    for layer in layers:
        for name, value in layer.items():
            both = isinstance(value, dict) and isinstance(result.get(name), dict)
            result[name] = merged([result[name], value]) if both else value
    return result


def decoded(configuration: str) -> Json:
    """The values that stand in `collector.configuration`.

    Raises:
        Terminal: it is not base64, not text, not YAML or no map; the message repeats nothing of it.
    """
    where = "spec.collector.configuration"
    try:
        text = b64decode(re.sub(r"[\r\n]", "", configuration), validate=True).decode()
    except ValueError as error:  # as are those of base64 and of UTF-8
        raise Terminal(INVALID, f"{where} is not base64 of a text: {error}") from None
    return values_in(text, where)


def values_in(text: str, where: str) -> Json:
    """The values in a YAML text.

    Raises:
        Terminal: it is not YAML, no map, or exceeds a limit. The message repeats nothing of it, since it may
            be secret.
    """
    try:
        documents = read_yaml(text, most_nodes=_MOST_NODES)
    except ConfigError as error:
        limit = getattr(error.__cause__, "limit", None)
        if limit:
            raise Terminal(INVALID, f"{where} is refused: {limit}") from None
        mark = getattr(error.__cause__, "problem_mark", None)
        at = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise Terminal(INVALID, f"{where} is not YAML{at}") from None
    if not documents:
        return {}
    if len(documents) > 1 or not isinstance(documents[0], dict):
        raise Terminal(INVALID, f"{where} has to be one YAML map, such as `replicaCount: 2`")
    return documents[0]


def namespace_of(collector: Collector) -> Namespace:
    """The namespace of the tenant, as it is made where there is none."""
    tenant = collector.spec.tenant
    fitting = _LABEL_VALUE.fullmatch(tenant.id)
    return Namespace(
        metadata=ObjectMeta(
            name=release_of(collector.spec).namespace,
            labels={TENANT: tenant.id if fitting else ""},
            annotations={CREATED: CREATOR, CREATED_FOR: collector.metadata.namespace, TENANT: tenant.id},
        )
    )


def version_of(blueprint: Blueprint, revision: Revision) -> str:
    """Return the version of the deployed collector: the tag of its image, or what the chart states."""
    image = blueprint.values.get("image")
    tag = image.get("tag") if isinstance(image, dict) else None
    return str(tag or revision.app_version or revision.chart_version)
