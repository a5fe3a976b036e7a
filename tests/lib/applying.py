"""Children whose values a server writes in its own way, and a reconciler that applies one for each Widget."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from widget import Widget, WidgetStatus
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Secret, Service
from windlass.reconcile import Context, Reconciler, Result

TEMPLATE: dict[str, Any] = {
    "metadata": {"labels": {"app": "w"}},
    "spec": {
        "containers": [
            {
                "name": "main",
                "image": "main:1",
                "ports": [{"containerPort": 80}],
                "resources": {"requests": {"cpu": "1000m", "memory": "1024Mi"}, "limits": {"cpu": "2000m"}},
            }
        ]
    },
}
CHILDREN: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "a quantity that is written anew, and defaulted lists": (
        Deployment,
        {"spec": {"selector": {"matchLabels": {"app": "w"}}, "template": TEMPLATE}},
    ),
    "stringData": (Secret, {"stringData": {"password": "secret"}}),
    "a service": (Service, {"spec": {"ports": [{"port": 80}], "selector": {"app": "w"}}}),
    "empty maps": (ConfigMap, {"data": {}, "metadata": {"name": "w", "labels": {}}}),
}


class Applying(Reconciler[Widget]):
    """Applies one child for each Widget."""

    owns = (Deployment, Secret, Service, ConfigMap)

    def __init__(self, kind: type[Any], content: dict[str, Any]) -> None:
        self._kind = kind
        self._content = content
        self.runs = 0

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        """Apply the child, and look again in a minute."""
        self.runs += 1
        await ctx.apply(self._kind.from_wire({"metadata": {"name": ctx.key.name}, **self._content}))
        return Result.ready(WidgetStatus(size=resource.spec.size), again=timedelta(minutes=1))
