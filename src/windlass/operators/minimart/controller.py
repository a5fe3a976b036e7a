from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.helm import HelmController, HelmProgram, ReleaseRecord
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.autoscaling.v2 import HorizontalPodAutoscaler
from windlass.kinds.core.v1 import ConfigMap, Service, ServiceAccount
from windlass.kinds.networking.v1 import Ingress
from windlass.operators.minimart.types import Minimart
from windlass.reconcile import READ, Rule

if TYPE_CHECKING:
    from windlass.helm import Helm, HelmOptions
    from windlass.manager import Manager

CHART: Final = Path(str(files("windlass.operators.minimart") / "charts" / "minimart"))

_WRITE: Final = ("create", "update", "patch", "delete")
_MADE: Final = (ConfigMap, Deployment, HorizontalPodAutoscaler, Ingress, Service, ServiceAccount)


class MinimartController(HelmController):
    """Has each Minimart be a release of the chart."""

    of = Minimart
    rules = (
        *(Rule.on(kind, *READ, *_WRITE) for kind in (ReleaseRecord, *_MADE)),
        Rule.on(Minimart, "update", subresource="finalizers"),  # of whom the objects belong to
    )

    def __init__(self, helm: Helm, options: HelmOptions | None = None) -> None:
        super().__init__(of=Minimart, chart=CHART, helm=helm, options=options, rules=self.rules)


def add_to(manager: Manager) -> None:
    """Have a manager run it."""
    manager.add(MinimartController(HelmProgram.of(manager)))
