"""Runs collectors for tenants: each `Collector` is a release of a chart in its tenant's namespace.

    options = CollectorOptions(otherwise=ClusterSource(url="https://charts.example.com"))
    manager.add(CollectorController(HelmProgram.of(manager), options))

`add_to` does so with the chart that ships, and what the file that `COLLECTOR_CONFIG` names says; `windlass
run collector` runs that. By default Collectors are deployed as a ServiceAccount of their own namespace, into
that namespace, and may name no chart repository: `Tenancy` allows more.
"""

from windlass.operators.collector.controller import CollectorController, add_to
from windlass.operators.collector.options import ClusterSource, CollectorOptions
from windlass.operators.collector.tenancy import Tenancy
from windlass.operators.collector.types import Collector

__all__ = [
    "ClusterSource",
    "Collector",
    "CollectorController",
    "CollectorOptions",
    "Tenancy",
    "add_to",
]
