"""Runs collectors for tenants: each `Collector` is a release of a chart in its tenant's namespace.

    options = CollectorOptions(otherwise=ClusterSource(url="https://charts.example.com"))
    manager.add(CollectorController(HelmProgram(manager.client), options))

`add_to` does so with the chart that ships; `windlass run windlass.operators.collector` runs that.
"""

from windlass.operators.collector.controller import CollectorController, add_to
from windlass.operators.collector.options import ClusterSource, CollectorOptions
from windlass.operators.collector.types import Collector

__all__ = ["ClusterSource", "Collector", "CollectorController", "CollectorOptions", "add_to"]
