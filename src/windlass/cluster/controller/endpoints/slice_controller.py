from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.client import MergePatch
from windlass.cluster.controller.endpoints.member import (
    addresses_of,
    endpoint_of,
    has_address,
    ports_of,
)
from windlass.cluster.controller.endpoints.selection import LABELS, Selectors, matters, selector_of
from windlass.cluster.controller.endpoints.slices import (
    MANAGED_BY,
    MANAGER,
    arrange,
    labels_for,
    ports_key,
    slice_of,
)
from windlass.cluster.controller.endpoints.trigger import TRIGGER, TriggerTimes
from windlass.kinds.core.v1 import Node, Pod, Service
from windlass.kinds.discovery.v1 import EndpointSlice
from windlass.reconcile import Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Json, Key
    from windlass.cluster.controller.endpoints.slices import Changes, Ports, Slice
    from windlass.reconcile import Context

_ZONE: Final = "topology.kubernetes.io/zone"
_PATIENCE: Final = timedelta(seconds=5)


class EndpointSliceController(Reconciler[Service]):
    """Keeps the EndpointSlices of each service that selects pods."""

    name = "endpointslice"
    owns = (EndpointSlice,)
    reads = (Watch(Pod), Watch(Node))
    indexes = (LABELS,)

    def __init__(self) -> None:
        self._selectors = Selectors()
        self._triggers = TriggerTimes()
        self.reads = (Watch(Pod, to=self._selectors.services_of, when=matters), Watch(Node))

    @override
    async def reconcile(self, service: Service, ctx: Context) -> Result[Any]:
        selector = selector_of(service)
        self._selectors.note(ctx.key, selector)
        if not selector:
            return Result.ready()
        pods = [pod for pod in await self._selectors.pods_of(ctx.key, ctx) if has_address(pod)]
        zones = await _zones(pods, ctx)
        placed = [pod for pod in pods if _is_placed(service, pod, zones)]
        labels, families = labels_for(service), service.spec.ip_families
        existing = await _existing(ctx)
        changes = arrange(existing, _wanted(service, placed, zones), labels, families)
        trigger = self._triggers.since(ctx.key, service, pods)
        await _change(changes, {each.name: each for each in existing}, trigger, ctx)
        if len(placed) < len(pods):
            return Result.waiting("NodeMissing", "a pod lies on a node that is not there", again=_PATIENCE)
        return Result.ready()

    @override
    async def forget(self, key: Key) -> None:
        self._selectors.note(key, {})
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


def _wanted(
    service: Service, pods: Sequence[Pod], zones: Mapping[str, str]
) -> Mapping[tuple[str, Ports], Sequence[Json]]:
    """The endpoints of a service by family and ports: pods may have other numbers for the same name."""
    wanted: dict[tuple[str, Ports], list[Json]] = {}
    for pod in pods:
        ports = ports_key(_port(port, number) for port, number in ports_of(service, pod))
        zone = zones.get(pod.spec.node_name or "", "")
        for family in service.spec.ip_families:
            addresses = addresses_of(pod, family)
            if addresses:
                wanted.setdefault((family, ports), []).append(endpoint_of(service, pod, addresses, zone))
    return wanted


def _port(port: Any, number: int) -> Json:
    found = {"name": port.name or "", "port": number, "protocol": port.protocol or "TCP"}
    return found | ({"appProtocol": port.app_protocol} if port.app_protocol else {})


async def _existing(ctx: Context) -> Sequence[Slice]:
    owned = [each for each in await ctx.owned(EndpointSlice) if each.metadata.deletion_timestamp is None]
    ours = [each for each in owned if each.metadata.labels.get(MANAGED_BY) == MANAGER]
    return [slice_of(each) for each in sorted(ours, key=lambda each: each.metadata.name)]


async def _change(changes: Changes, known: Mapping[str, Slice], trigger: str | None, ctx: Context) -> None:
    for each in changes.create:
        metadata: Json = {"generateName": f"{ctx.key.name}-", "labels": dict(each.labels)}
        if trigger:
            metadata["annotations"] = {TRIGGER: trigger}
        content = {"metadata": metadata, "addressType": each.family, **_content(each)}
        await ctx.create(EndpointSlice.from_wire(content))
    for each in changes.update:
        gone = dict.fromkeys(known[each.name].labels.keys() - each.labels.keys())
        metadata = {"labels": {**each.labels, **gone}, "annotations": {TRIGGER: trigger}}
        await ctx.patch(EndpointSlice, each.name, MergePatch({"metadata": metadata, **_content(each)}))
    for each in changes.delete:
        await ctx.delete(EndpointSlice, each.name)


def _content(wanted: Slice) -> Json:
    return {"endpoints": list(wanted.endpoints), "ports": [dict(each) for each in wanted.ports]}
