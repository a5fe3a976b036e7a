"""The endpoints of a service in the older form: sets of addresses that have sets of ports."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, Final

from windlass.cluster.controller.endpoints.member import (
    addresses_of,
    has_address,
    hostname_of,
    is_headless,
    ports_of,
    reference_to,
)
from windlass.cluster.controller.pod_state import is_ready

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json
    from windlass.kinds.core.v1 import Pod, Service

MOST: Final = 1000
_Port = tuple[tuple[str, Any], ...]
_NO_PORT: Final[_Port] = ()


def subsets_of(service: Service, pods: Sequence[Pod]) -> list[Json]:
    """The subsets of a service: ports that the same addresses have stand together."""
    addresses: dict[str, Json] = {}
    ready: dict[_Port, dict[str, bool]] = {}
    for pod in pods:
        address = _address(service, pod)
        if address is None:
            continue
        uid = pod.metadata.uid
        addresses[uid] = address
        is_out = bool(service.spec.publish_not_ready_addresses) or is_ready(pod)
        for port in _ports(service, pod):
            ready.setdefault(port, {})[uid] = is_out
    groups: dict[tuple[tuple[str, bool], ...], list[_Port]] = {}
    for port, members in ready.items():
        groups.setdefault(tuple(members.items()), []).append(port)
    return sorted((_subset(group, ports, addresses) for group, ports in groups.items()), key=_order)


def truncated(subsets: Sequence[Json]) -> list[Json]:
    """Subsets with as many addresses as may be, the ready ones first, each in its proportion."""
    ready = sum(len(each.get("addresses", ())) for each in subsets)
    other = sum(len(each.get("notReadyAddresses", ())) for each in subsets)
    if ready + other <= MOST:
        return list(subsets)
    kind, total, room = (
        ("addresses", ready, MOST) if ready > MOST else ("notReadyAddresses", other, MOST - ready)
    )
    left = room
    result: list[Json] = []
    for each in subsets:
        found = each.get(kind, [])
        share = found[: min(ceil(len(found) / total * room), left)]
        left -= len(share)
        cut = {**each, kind: share}
        if kind == "addresses":
            cut.pop("notReadyAddresses", None)
        result.append({name: value for name, value in cut.items() if value})
    return result


def _address(service: Service, pod: Pod) -> Json | None:
    going = pod.metadata.deletion_timestamp is not None
    if not has_address(pod) or (going and not service.spec.publish_not_ready_addresses):
        return None
    found = addresses_of(pod, service.spec.ip_families[0] if service.spec.ip_families else "IPv4")
    if not found:
        return None
    address: Json = {"ip": found[0], "nodeName": pod.spec.node_name or "", "targetRef": reference_to(pod)}
    hostname = hostname_of(service, pod)
    return address | ({"hostname": hostname} if hostname else {})


def _ports(service: Service, pod: Pod) -> Sequence[_Port]:
    if not service.spec.ports:
        return [_NO_PORT] if is_headless(service) else []
    return [
        tuple(
            (name, value)
            for name, value in (
                ("name", port.name),
                ("port", number),
                ("protocol", port.protocol or "TCP"),
                ("appProtocol", port.app_protocol),
            )
            if value
        )
        for port, number in ports_of(service, pod)
    ]


def _subset(members: Sequence[tuple[str, bool]], ports: Sequence[_Port], addresses: dict[str, Json]) -> Json:
    by_address = sorted(members, key=lambda each: (addresses[each[0]]["ip"], each[0]))
    found = {
        "addresses": [addresses[uid] for uid, is_out in by_address if is_out],
        "notReadyAddresses": [addresses[uid] for uid, is_out in by_address if not is_out],
        "ports": [dict(each) for each in sorted(ports) if each],
    }
    return {name: value for name, value in found.items() if value}


def _order(subset: Json) -> str:
    return repr((subset.get("ports"), [each["ip"] for each in subset.get("addresses", ())]))
