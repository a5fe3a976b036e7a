"""proxy: requests that are passed on to a pod, a service or a node, at whose addresses nobody is."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.form import connect
from windlass.apiserver.subresource.node import kubelet_of

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_SCHEMES: Final = ("", "http", "https")
_SINGULAR: Final = {"nodes": "node", "pods": "pod", "services": "service"}
_MOST_PARTS: Final = 3


async def proxy(operation: Operation) -> Reply:
    """Never an answer from there: the target is missing, or may not be reached, or cannot be.

    Raises:
        Refusal: 400, 404, 500 or 503, whatever comes first.
    """
    plural = operation.route.plural
    path = unquote(operation.call.path).partition("/proxy")[2]
    connect(operation, f"{_SINGULAR[plural].capitalize()}ProxyOptions", {"path": path} if path else {})
    name, port = _target(operation.route.name, plural)
    if plural == "services":
        raise _unserved(operation, name, port)
    if plural == "nodes":
        kubelet = kubelet_of(operation.world, name, plural)
        host, port = kubelet.host, port or str(kubelet.port)
    else:
        host, port = _pod_address(operation, name, port)
    if not _is_proxied(host):
        raise Refusal.bad_request("address not allowed")
    where = f"{host}:{port or 80}"
    raise Refusal(503, f"error trying to reach service: dial tcp {where}: connect: connection refused")


def _target(text: str, plural: str) -> tuple[str, str]:
    """The name and the port in `name`, `name:port` or `scheme:name:port`.

    Raises:
        Refusal: 400, it has another form.
    """
    parts = text.split(":")
    scheme, name, port = parts if len(parts) == _MOST_PARTS else ("", parts[0], "".join(parts[1:]))
    if len(parts) > _MOST_PARTS or not name or scheme not in _SCHEMES:
        raise Refusal.bad_request(f'invalid {_SINGULAR[plural]} request "{text}"')
    return name, port


def _pod_address(operation: Operation, name: str, port: str) -> tuple[str, str]:
    resource = operation.resource
    record = resource.collection.get(resource.key(operation.route.namespace, name))
    if record is None:
        raise resource.not_found(name)
    pod = record.object()
    addresses = pod.get("status", {}).get("podIPs", ())
    ports = [each for container in pod["spec"]["containers"] for each in container.get("ports", ())]
    if not port and ports:
        port = str(ports[0]["containerPort"])
    return (addresses[0]["ip"] if addresses else ""), port


def _is_proxied(host: str) -> bool:
    """Whether an address is one that requests are passed on to: not the server's own, nor one for many."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return not (
        address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified
    )


def _unserved(operation: Operation, name: str, port: str) -> Refusal:
    """Why a service cannot be reached; what its pods would answer is not known here."""
    namespace, store = operation.route.namespace, operation.world.store
    record = operation.resource.collection.get(f"{namespace}/{name}")
    if port.isdecimal():
        if record is None:
            return operation.resource.not_found(name)
        if int(port) not in [each["port"] for each in record.object()["spec"].get("ports", ())]:
            return Refusal(503, f'no service port {port} found for service "{name}"')
    endpoints = store.collection("/endpoints").get(f"{namespace}/{name}")
    if endpoints is None:
        return operation.resource.not_found(name)
    subject = operation.route.name if endpoints.object().get("subsets") else name
    return Refusal(503, f'no endpoints available for service "{subject}"')
