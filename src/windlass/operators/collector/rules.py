"""What the operator does: for the chart that ships, and for the namespaces of tenants."""

from typing import Final

from windlass.helm import ReleaseRecord
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Namespace, Service
from windlass.operators.collector.types import Collector
from windlass.reconcile import READ, Rule

_WRITE: Final = ("create", "update", "patch", "delete")

RULES: Final = (
    *(Rule.on(kind, *READ, *_WRITE) for kind in (ReleaseRecord, Deployment, Service)),
    Rule(groups=("monitoring.coreos.com",), resources=("servicemonitors",), verbs=(*READ, *_WRITE)),
    Rule.on(Namespace, *READ, "create", "delete"),
    Rule.on(ConfigMap, *READ),
    Rule.on(CustomResourceDefinition, *READ),
    Rule.on(Collector, "update", subresource="finalizers"),  # of whom the objects belong to
)
"""The release's objects and records, which are Secrets, and what a Collector refers to."""
