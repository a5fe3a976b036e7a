from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Quantity
from windlass.apiserver.quota.amount import ONE, ZERO, Amounts
from windlass.apiserver.quota.meter import Meter

if TYPE_CHECKING:
    from datetime import datetime

Object = dict[str, Any]

_PORTS: Final = "services.nodeports"
_BALANCERS: Final = "services.loadbalancers"


class ServiceMeter(Meter):
    """A service may use ports on the nodes, and a load balancer; it may become one that does."""

    alike = False

    def __init__(self, group: str, plural: str) -> None:
        super().__init__(group, plural)
        self.names = frozenset({self.count, "services", _PORTS, _BALANCERS})

    @override
    def handles(self, subresource: str, obj: Object, old: Object | None) -> bool:
        return not subresource

    @override
    def usage(self, obj: Object, now: datetime) -> Amounts:
        spec = obj["spec"]
        ports, kind = spec.get("ports") or (), spec.get("type")
        if kind == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is False:
            ports = [port for port in ports if port.get("nodePort")]
        on_nodes = len(ports) if kind in ("NodePort", "LoadBalancer") else 0
        return {
            self.count: ONE,
            "services": ONE,
            _PORTS: Quantity(on_nodes),
            _BALANCERS: ONE if kind == "LoadBalancer" else ZERO,
        }
