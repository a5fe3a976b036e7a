"""What the operator does beyond its declarations: for the chart that ships, and for tenants' namespaces."""

from typing import Final

from windlass.reconcile import Rule

_ALL: Final = ("get", "list", "watch", "create", "update", "patch", "delete")

RULES: Final = (
    Rule(groups=("",), resources=("secrets", "services"), verbs=_ALL),
    Rule(groups=("apps",), resources=("deployments",), verbs=_ALL),
    Rule(groups=("monitoring.coreos.com",), resources=("servicemonitors",), verbs=_ALL),
    Rule(groups=("",), resources=("namespaces",), verbs=("create", "delete")),
)
