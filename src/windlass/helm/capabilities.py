from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.helm.chart import Chart


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """What a cluster can do, as charts ask for it: `.Capabilities.KubeVersion` and `.APIVersions`.

    `api_versions` has both forms, `apps/v1` and `apps/v1/Deployment`.
    """

    kube_version: str
    api_versions: frozenset[str] = frozenset()

    def asked_by(self, chart: Chart) -> Json:
        """The part that can decide what this chart renders."""
        asks = chart.asks
        served = self.api_versions if asks.api_versions is None else self.api_versions & asks.api_versions
        return {
            "kube": self.kube_version if asks.kube_version else "",
            "served": sorted(served),
        }
