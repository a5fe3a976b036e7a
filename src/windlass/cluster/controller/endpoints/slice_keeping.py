"""EndpointSlices, kept as they should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from windlass.api import Json
from windlass.client import MergePatch
from windlass.cluster.controller.endpoints.member import addresses_of, endpoint_of, ports_of
from windlass.cluster.controller.endpoints.slices import (
    MANAGED_BY,
    Ports,
    arrange,
    ports_key,
    slice_of,
)
from windlass.kinds.discovery.v1 import EndpointSlice

if TYPE_CHECKING:
    from windlass.cluster.controller.endpoints.slices import Changes, Slice
    from windlass.kinds.core.v1 import Pod, Service
    from windlass.reconcile import Context


Wanted = Mapping[tuple[str, Ports], Sequence[Json]]
"""Endpoints by family and ports."""


async def keep_slices(
    wanted: Wanted,
    labels: Mapping[str, str],
    families: Sequence[str],
    annotations: Mapping[str, str | None],
    ctx: Context,
) -> None:
    """Have the slices of our object hold these endpoints; they are known by who manages them.

    Each family has a slice, if an empty one. Annotations are written with what changes, never for themselves.
    """
    existing = await _existing(labels[MANAGED_BY], ctx)
    changes = arrange(existing, wanted, labels, families)
    await _change(changes, {each.name: each for each in existing}, annotations, ctx)


def endpoints_of(service: Service, pods: Sequence[Pod], zones: Mapping[str, str]) -> Wanted:
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


async def _existing(manager: str, ctx: Context) -> Sequence[Slice]:
    owned = [each for each in await ctx.owned(EndpointSlice) if each.metadata.deletion_timestamp is None]
    ours = [each for each in owned if each.metadata.labels.get(MANAGED_BY) == manager]
    return [slice_of(each) for each in sorted(ours, key=lambda each: each.metadata.name)]


async def _change(
    changes: Changes, known: Mapping[str, Slice], annotations: Mapping[str, str | None], ctx: Context
) -> None:
    said = {name: value for name, value in annotations.items() if value}
    for each in changes.create:
        metadata: Json = {
            "generateName": f"{ctx.key.name}-",
            "labels": dict(each.labels),
            "annotations": said,
        }
        content = {"metadata": metadata, "addressType": each.family, **_content(each)}
        await ctx.create(EndpointSlice.from_wire(content))
    for each in changes.update:
        gone = dict.fromkeys(known[each.name].labels.keys() - each.labels.keys())
        metadata = {"labels": {**each.labels, **gone}, "annotations": dict(annotations)}
        await ctx.patch(EndpointSlice, each.name, MergePatch({"metadata": metadata, **_content(each)}))
    for each in changes.delete:
        await ctx.delete(EndpointSlice, each.name)


def _content(wanted: Slice) -> Json:
    return {"endpoints": list(wanted.endpoints), "ports": [dict(each) for each in wanted.ports]}
