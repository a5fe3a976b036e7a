"""The EndpointSlices of a service, kept as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.client import MergePatch
from windlass.cluster.controller.endpoints.member import addresses_of, endpoint_of, ports_of
from windlass.cluster.controller.endpoints.slices import (
    MANAGED_BY,
    MANAGER,
    arrange,
    labels_for,
    ports_key,
    slice_of,
)
from windlass.cluster.controller.endpoints.trigger import TRIGGER
from windlass.kinds.discovery.v1 import EndpointSlice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Json
    from windlass.cluster.controller.endpoints.slices import Changes, Ports, Slice
    from windlass.kinds.core.v1 import Pod, Service
    from windlass.reconcile import Context


async def keep_slices(
    service: Service, pods: Sequence[Pod], zones: Mapping[str, str], trigger: str | None, ctx: Context
) -> None:
    """Have the slices of a service hold these pods, which lie in these zones by node."""
    existing = await _existing(ctx)
    wanted = _wanted(service, pods, zones)
    changes = arrange(existing, wanted, labels_for(service), service.spec.ip_families)
    await _change(changes, {each.name: each for each in existing}, trigger, ctx)


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
