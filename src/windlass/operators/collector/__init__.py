"""Runs collectors for tenants: each `Collector` is a release of a chart in its tenant's namespace.

    options = CollectorOptions(otherwise=ClusterSource(url="https://charts.example.com"))
    manager.add(CollectorController(HelmProgram(manager.client), options))

`add_to` does so with the chart that ships; `windlass run windlass.operators.collector` runs that.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.operators.collector.controller import CollectorController as CollectorController
    from windlass.operators.collector.controller import add_to as add_to
    from windlass.operators.collector.options import ClusterSource as ClusterSource
    from windlass.operators.collector.options import CollectorOptions as CollectorOptions
    from windlass.operators.collector.types import Collector as Collector

__lazy__ = {
    "ClusterSource": "windlass.operators.collector.options",
    "Collector": "windlass.operators.collector.types",
    "CollectorController": "windlass.operators.collector.controller",
    "CollectorOptions": "windlass.operators.collector.options",
    "add_to": "windlass.operators.collector.controller",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
