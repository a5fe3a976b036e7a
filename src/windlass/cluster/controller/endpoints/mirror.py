from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key
from windlass.cluster.controller.endpoints import endpoints_keeping
from windlass.cluster.controller.endpoints.slice_keeping import keep_slices
from windlass.cluster.controller.endpoints.slices import MANAGED_BY, SERVICE, ports_key
from windlass.cluster.controller.endpoints.trigger import TRIGGER
from windlass.kinds.core.v1 import Endpoints, Service
from windlass.kinds.discovery.v1 import EndpointSlice
from windlass.reconcile import Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Json
    from windlass.cluster.controller.endpoints.slice_keeping import Wanted
    from windlass.kinds.core.v1.endpoints import EndpointAddress, EndpointPort
    from windlass.reconcile import Context

_MANAGER: Final = "endpointslicemirroring-controller.k8s.io"
_SKIP: Final = "endpointslice.kubernetes.io/skip-mirror"
_LEADER: Final = "control-plane.alpha.kubernetes.io/leader"
_NOT_COPIED: Final = (TRIGGER, "kubectl.kubernetes.io/last-applied-configuration")


def _endpoints_of(service: Service) -> Iterable[Key]:
    yield Key(service.metadata.namespace, service.metadata.name)


def _is_made_by_hand(change: Change[Any]) -> bool:
    return endpoints_keeping.MANAGED_BY not in (change.latest.metadata.get("labels") or {})


class EndpointsMirror(Reconciler[Endpoints]):
    """Gives Endpoints that somebody made for a service without a selector their EndpointSlices."""

    name = "endpointslice-mirroring"
    owns = (EndpointSlice,)
    reads = (Watch(Service, to=_endpoints_of),)
    when = _is_made_by_hand

    @override
    async def reconcile(self, endpoints: Endpoints, ctx: Context) -> Result[Any]:
        service = await ctx.get(Service, endpoints.metadata.name)
        is_mirrored = service is not None and not service.spec.selector and _may_be_mirrored(endpoints)
        labels = {**endpoints.metadata.labels, SERVICE: endpoints.metadata.name, MANAGED_BY: _MANAGER}
        annotations = endpoints.metadata.annotations
        copied = {name: value for name, value in annotations.items() if name not in _NOT_COPIED}
        await keep_slices(_wanted(endpoints) if is_mirrored else {}, labels, (), copied, ctx)
        return Result.ready()


def _may_be_mirrored(endpoints: Endpoints) -> bool:
    is_lock = _LEADER in endpoints.metadata.annotations
    return not is_lock and endpoints.metadata.labels.get(_SKIP) != "true"


def _wanted(endpoints: Endpoints) -> Wanted:
    wanted: dict[Any, list[Json]] = {}
    for subset in endpoints.subsets:
        ports = ports_key(_port(each) for each in subset.ports)
        for addresses, ready in ((subset.addresses, True), (subset.not_ready_addresses, False)):
            for each in addresses:
                family = f"IPv{ip_address(each.ip).version}"
                wanted.setdefault((family, ports), []).append(_endpoint(each, ready=ready))
    return wanted


def _endpoint(address: EndpointAddress, *, ready: bool) -> Json:
    found: Json = {"addresses": [str(ip_address(address.ip))], "conditions": {"ready": ready}}
    told = address.to_wire()
    return found | {name: told[name] for name in ("hostname", "nodeName", "targetRef") if told.get(name)}


def _port(port: EndpointPort) -> Json:
    return {"name": "", "protocol": "TCP", **port.to_wire()}
