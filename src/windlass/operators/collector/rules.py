"""What the operator itself may do; the objects of releases are written by the ServiceAccounts of tenants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.helm import ReleaseRecord
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Namespace, Service, ServiceAccount
from windlass.kinds.rbac.v1 import ClusterRole, RoleBinding
from windlass.operators.collector.options import CollectorOptions
from windlass.operators.collector.types import Collector
from windlass.reconcile import READ, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITE: Final = ("create", "update", "patch", "delete")
_MONITORING: Final = "monitoring.coreos.com"


def rules_for(options: CollectorOptions) -> Iterator[Rule]:
    """What the operator does with these options.

    It reads what it watches for drift, and acts as ServiceAccounts. Only where it deploys as itself it writes
    the objects of the chart that ships, and only where it creates namespaces it may do that.
    """
    writes = () if options.default_service_account else _WRITE
    for kind in (ReleaseRecord, Deployment, Service):
        yield Rule.on(kind, *READ, *writes)
    yield Rule(groups=(_MONITORING,), resources=("servicemonitors",), verbs=(*READ, *writes))
    yield Rule.on(ConfigMap, *READ)
    yield Rule.on(CustomResourceDefinition, *READ)
    yield Rule.on(ServiceAccount, "get", "impersonate")
    if not options.default_service_account:
        yield Rule.on(Collector, "update", subresource="finalizers")  # for owner references
    yield from _namespace_rules(options)


def _namespace_rules(options: CollectorOptions) -> Iterator[Rule]:
    creates = ("create",) if options.tenancy.reaches_others else ()
    deletes = ("delete",) if creates and options.delete_namespaces else ()
    yield Rule.on(Namespace, *READ, *creates, *deletes)
    role = options.tenancy.namespace_role
    if creates and role:
        yield Rule.on(RoleBinding, *READ, "create")
        group, plural = ClusterRole.__kind__.group, ClusterRole.__kind__.plural
        yield Rule(groups=(group,), resources=(plural,), verbs=("bind",), names=(role,))


RULES: Final = tuple(rules_for(CollectorOptions()))
"""What the operator does with the default options."""
