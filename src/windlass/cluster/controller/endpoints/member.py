"""What endpoints tell of a pod, as on the wire."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

from windlass.cluster.controller.pod_state import is_ready

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.api import Json
    from windlass.kinds.core.v1 import Pod, Service
    from windlass.kinds.core.v1.service import ServicePort

_VERSIONS: Final = {"IPv4": 4, "IPv6": 6}
_PREFERENCES: Final = ("PreferClose", "PreferSameZone", "PreferSameNode")


def has_address(pod: Pod) -> bool:
    """Whether a pod can be reached, or could: it has an address and has not ended."""
    return bool(pod.status.pod_ip or pod.status.pod_ips) and pod.status.phase not in ("Succeeded", "Failed")


def is_headless(service: Service) -> bool:
    """Whether a service has no address of its own."""
    return service.spec.cluster_ip in (None, "", "None")


def addresses_of(pod: Pod, family: str) -> list[str]:
    """The addresses of a pod in a family, `IPv4` or `IPv6`, in their usual form."""
    found = (ip_address(each.ip) for each in pod.status.pod_ips)
    return [str(each) for each in found if each.version == _VERSIONS[family]]


def ports_of(service: Service, pod: Pod) -> Iterator[tuple[ServicePort, int]]:
    """The ports of a service, each with the number that a pod has for it, if it has one."""
    for port in service.spec.ports:
        number = _number(port, pod)
        if number is not None:
            yield port, number


def endpoint_of(service: Service, pod: Pod, addresses: Sequence[str], zone: str) -> Json:
    """A pod as an EndpointSlice has it."""
    serving, terminating = is_ready(pod), pod.metadata.deletion_timestamp is not None
    ready = bool(service.spec.publish_not_ready_addresses) or (serving and not terminating)
    found: Json = {
        "addresses": list(addresses),
        "conditions": {"ready": ready, "serving": serving, "terminating": terminating},
        "targetRef": reference_to(pod),
    }
    optional = {
        "nodeName": pod.spec.node_name,
        "zone": zone,
        "hostname": hostname_of(service, pod),
        "hints": _hints(service, pod, zone) if ready else None,
    }
    return found | {name: value for name, value in optional.items() if value}


def reference_to(pod: Pod) -> Json:
    """How endpoints name a pod."""
    metadata = pod.metadata
    return {"kind": "Pod", "namespace": metadata.namespace, "name": metadata.name, "uid": metadata.uid}


def hostname_of(service: Service, pod: Pod) -> str | None:
    """The name that a pod has in the domain of a service, if it is of that domain."""
    return pod.spec.hostname if pod.spec.subdomain == service.metadata.name else None


def _number(port: ServicePort, pod: Pod) -> int | None:
    target: Any = port.target_port
    if isinstance(target, int):
        return target
    sidecars = [each for each in pod.spec.init_containers if each.restart_policy == "Always"]
    for container in (*pod.spec.containers, *sidecars):
        for each in container.ports:
            if each.name == target and (each.protocol or "TCP") == (port.protocol or "TCP"):
                return each.container_port
    return None


def _hints(service: Service, pod: Pod, zone: str) -> Json | None:
    """For whom an endpoint is meant, where a service prefers what is near."""
    preference = service.spec.traffic_distribution
    if preference not in _PREFERENCES:
        return None
    hints: Json = {"forZones": [{"name": zone}]} if zone else {}
    if preference == "PreferSameNode" and pod.spec.node_name:
        hints["forNodes"] = [{"name": pod.spec.node_name}]
    return hints or None
