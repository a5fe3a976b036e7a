"""How the operator is run: where charts come from, what tenants may choose, and what is left behind."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.errors import ConfigError
from windlass.helm.source import CacheLimits, SourcePolicy
from windlass.operators.collector.tenancy import Tenancy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json, Key

_ACCOUNT: Final = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")

SHIPPED: Final = "collector"
"""The name of the chart that comes with this operator."""


def shipped_charts() -> Path:
    """The folder of the charts that come with this operator."""
    return Path(str(files("windlass.operators.collector"))) / "charts"


@dataclass(frozen=True, kw_only=True)
class ClusterSource:
    """Where the charts for the Collectors of one cluster come from.

    `url` is an HTTP repository, `bucket+https://…`, `oci://…` or a path; `{name}` in it stands for the
    collector. Without one it is the chart that ships. `version` holds where a Collector names none.
    `credentials` is a Secret with username and password, or token. `images` is the registry below which each
    collector has an image of its name. `values` hold where nobody says otherwise. `sources` is what `url` has
    to satisfy, such as `SourcePolicy(allow_without_digest=True)` for a bucket.
    """

    url: str = ""
    version: str = ""
    credentials: Key | None = None
    images: str = ""
    values: Json = field(default_factory=dict)
    sources: SourcePolicy = field(default_factory=SourcePolicy)


@dataclass(frozen=True, kw_only=True)
class CollectorOptions:
    """How Collectors are served.

    `clusters` says by the name of a cluster where its charts come from; `otherwise` holds for all others.
    `charts` is the folder in which `spec.chart.path` is looked up. `period` is how often a Collector is
    looked at even if nothing changes. `delete_namespaces` removes the namespace of a tenant's last Collector
    with all that is in it, if the operator made it. `wait` is how long objects may take to become ready
    before it counts as a failure; None takes what is deployed for available. `history` is how many revisions
    of a release are kept. `timeout` is how long one call of Helm may take, hooks included. `selector` are the
    labels of the Collectors that are served, where another operator serves others.

    `default_service_account` is the ServiceAccount, of the Collector's namespace, as which a Collector is
    deployed that names none. Empty deploys as the operator itself, with all its rights: only for clusters
    with a single tenant. `tenancy` is what Collectors may choose. `chart_cache` is how many bytes of
    charts from elsewhere are kept on disk, in total and for the Collectors of one namespace.

    Raises:
        ConfigError: a setting makes no sense.
    """

    clusters: Mapping[str, ClusterSource] = field(default_factory=dict)
    otherwise: ClusterSource = field(default_factory=ClusterSource)
    charts: Path = field(default_factory=shipped_charts)
    period: timedelta = timedelta(minutes=10)
    delete_namespaces: bool = False
    wait: timedelta | None = timedelta(minutes=10)
    history: int = 10
    timeout: timedelta = timedelta(minutes=5)
    selector: str = ""
    default_service_account: str = "default"
    tenancy: Tenancy = field(default_factory=Tenancy)
    chart_cache: CacheLimits = field(default_factory=CacheLimits)

    def __post_init__(self) -> None:
        name = self.default_service_account
        if name and not _ACCOUNT.fullmatch(name):
            raise ConfigError(f"default_service_account={name!r} is no name of a ServiceAccount")
        if self.period <= timedelta():
            raise ConfigError(f"period={self.period}: Collectors have to be looked at in some time")
        if self.wait is not None and self.wait <= timedelta():
            raise ConfigError(f"wait={self.wait}: say None to wait for nothing")
        if self.history < 1:
            raise ConfigError(f"history={self.history}: Helm needs the last revision at least")
        if self.timeout <= timedelta():
            raise ConfigError(f"timeout={self.timeout}: Helm needs some time")

    def source(self, cluster: str) -> ClusterSource:
        """Where the charts of a cluster come from."""
        return self.clusters.get(cluster, self.otherwise)

    @property
    def repositories(self) -> tuple[str, ...]:
        """The repositories that this configuration itself names."""
        named = (each.url for each in (*self.clusters.values(), self.otherwise))
        return tuple(url for url in named if "://" in url and "{name}" not in url)
