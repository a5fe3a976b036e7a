"""How the operator is run: where the charts of each cluster come from, and what is left behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json, Key

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
    collector has an image of its name. `values` hold where nobody says otherwise.
    """

    url: str = ""
    version: str = ""
    credentials: Key | None = None
    images: str = ""
    values: Json = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CollectorOptions:
    """How Collectors are served.

    `clusters` says by the name of a cluster where its charts come from; `otherwise` holds for all others.
    `charts` is the folder in which `spec.chart.path` is looked up. `period` is how often a Collector is
    looked at even if nothing changes. `delete_namespaces` removes the namespace of a tenant's last Collector
    with all that is in it, if the operator made it. `wait` is how long objects may take to become ready
    before it counts as a failure; None takes what is deployed for available. `history` is how many revisions
    of a release are kept. `selector` are the labels of the Collectors that are served, where another operator
    serves others.

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
    selector: str = ""

    def __post_init__(self) -> None:
        if self.period <= timedelta():
            raise ConfigError(f"period={self.period}: Collectors have to be looked at in some time")
        if self.wait is not None and self.wait <= timedelta():
            raise ConfigError(f"wait={self.wait}: say None to wait for nothing")
        if self.history < 1:
            raise ConfigError(f"history={self.history}: Helm needs the last revision at least")

    def source(self, cluster: str) -> ClusterSource:
        """Where the charts of a cluster come from."""
        return self.clusters.get(cluster, self.otherwise)
