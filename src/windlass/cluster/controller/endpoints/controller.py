from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key
from windlass.cluster.controller.endpoints.endpoints_keeping import keep_endpoints
from windlass.cluster.controller.endpoints.member import has_address
from windlass.cluster.controller.endpoints.selection import matters, pods_of, selector_of
from windlass.cluster.controller.endpoints.slice_keeping import endpoints_of, keep_slices
from windlass.cluster.controller.endpoints.slices import labels_for
from windlass.cluster.controller.endpoints.trigger import TRIGGER, TriggerTimes
from windlass.cluster.controller.label import BY_LABEL
from windlass.kinds.core.v1 import Endpoints, Node, Pod, Service
from windlass.kinds.discovery.v1 import EndpointSlice
from windlass.reconcile import Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windlass.reconcile import Context

_ZONE: Final = "topology.kubernetes.io/zone"
_PATIENCE: Final = timedelta(seconds=5)


def _service_of(endpoints: Endpoints) -> Iterable[Key]:
    yield Key(endpoints.metadata.namespace, endpoints.metadata.name)


class EndpointsController(Reconciler[Service]):
    """Keeps the EndpointSlices and the Endpoints of each service that selects pods."""

    name = "endpoints"
    owns = (EndpointSlice,)
    reads = (
        Watch(Pod, selects=selector_of, when=matters),
        Watch(Node),
        Watch(Endpoints, to=_service_of),
    )
    indexes = (BY_LABEL,)

    def __init__(self) -> None:
        self._triggers = TriggerTimes()

    @override
    async def reconcile(self, service: Service, ctx: Context) -> Result[Any]:
        if selector_of(service) is None:
            return Result.ready()
        pods = [pod for pod in await pods_of(service, ctx) if has_address(pod)]
        trigger = self._triggers.since(ctx.key, service, pods)
        zones = await _zones(pods, ctx)
        placed = [pod for pod in pods if _is_placed(service, pod, zones)]
        wanted, families = endpoints_of(service, placed, zones), service.spec.ip_families
        await keep_slices(wanted, labels_for(service), families, {TRIGGER: trigger}, ctx)
        await keep_endpoints(service, pods, trigger, ctx)
        if len(placed) < len(pods):
            return Result.waiting("NodeMissing", "a pod lies on a node that is not there", again=_PATIENCE)
        return Result.ready()

    @override
    async def forget(self, key: Key) -> None:
        self._triggers.forget(key)


async def _zones(pods: Sequence[Pod], ctx: Context) -> Mapping[str, str]:
    """The zone of each node that is there; empty for one that has none."""
    zones: dict[str, str] = {}
    for name in dict.fromkeys(pod.spec.node_name for pod in pods):
        node = await ctx.get(Node, name) if name else None
        if name and node is not None:
            zones[name] = node.metadata.labels.get(_ZONE, "")
    return zones


def _is_placed(service: Service, pod: Pod, zones: Mapping[str, str]) -> bool:
    """Whether a pod lies on a node; where addresses are told before they are ready, that does not matter."""
    return bool(service.spec.publish_not_ready_addresses) or pod.spec.node_name in zones
