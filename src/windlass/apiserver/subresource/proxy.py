"""proxy: requests that are passed on to a pod, a service or a node."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from windlass.apiserver.exchange import Reply
from windlass.apiserver.outside import host_port, ready_endpoints
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.form import connect
from windlass.apiserver.subresource.node import kubelet_of
from windlass.apiserver.subresource.passing import Destination, pass_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_SCHEMES: Final = ("", "http", "https")
_SINGULAR: Final = {"nodes": "node", "pods": "pod", "services": "service"}
_MOST_PARTS: Final = 3
_HTTP: Final = 80
_PARTS: Final = len(["", "api", "v1", "namespaces", "a", "pods", "b", "proxy"])
_PARTS_OF_NODES: Final = len(["", "api", "v1", "nodes", "a", "proxy"])


async def proxy(operation: Operation) -> Reply:
    """The answer of a pod, or of one behind a service, or of a node.

    Raises:
        Refusal: 400, 404, 500 or 503, whatever comes first: the target is missing, may not be reached, or is
            not there.
    """
    route, call = operation.route, operation.call
    path = _path(call.path, route.plural)
    form = f"{_SINGULAR[route.plural].capitalize()}ProxyOptions"
    connect(operation, form, {"path": unquote(path)} if path else {})
    scheme, name, port = _target(route.name, route.plural)
    destination = Destination(_address(operation, name, port), path, secure=scheme == "https")
    if not path and call.method in ("GET", "HEAD"):  # what is relative in an answer would lead elsewhere
        query = f"?{call.query.encoded}" if call.query.encoded else ""
        return Reply(status=301, content_type="", headers={"location": f"{call.path}/{query}"})
    return await pass_on(call, destination, operation.world.network)


def _path(path: str, plural: str) -> str:
    """What follows `proxy` in a path, still percent-encoded."""
    before = _PARTS_OF_NODES if plural == "nodes" else _PARTS
    rest = path.split("/")[before:]
    return f"/{'/'.join(rest)}" if rest else ""


def _address(operation: Operation, name: str, port: str) -> str:
    """Where the target is.

    Raises:
        Refusal: it is nowhere, or where requests are not passed on to.
    """
    plural = operation.route.plural
    if plural == "services":
        return _service_address(operation, name, port)
    if plural == "nodes":
        place = kubelet_of(operation.world, name, plural)
        host, port = place.host, port or str(place.port)
    else:
        host, port = _pod_address(operation, name, port)
    if not _is_proxied(host):
        raise Refusal.bad_request("address not allowed")
    return host_port(host, port or _HTTP)


def _target(text: str, plural: str) -> tuple[str, str, str]:
    """The scheme, the name and the port in `name`, `name:port` or `scheme:name:port`.

    Raises:
        Refusal: 400, it has another form.
    """
    parts = text.split(":")
    scheme, name, port = parts if len(parts) == _MOST_PARTS else ("", parts[0], "".join(parts[1:]))
    if len(parts) > _MOST_PARTS or not name or scheme not in _SCHEMES:
        raise Refusal.bad_request(f'invalid {_SINGULAR[plural]} request "{text}"')
    return scheme, name, port


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


def _service_address(operation: Operation, name: str, port: str) -> str:
    """The address of a pod behind a service, as its Endpoints have it, or else its EndpointSlices.

    Raises:
        Refusal: 404 or 503, there is no such service, or port, or pod.
    """
    namespace, store = operation.route.namespace, operation.world.store
    if port.isdecimal():
        port = _port_name(operation, name, int(port))
    record = store.collection("/endpoints").get(f"{namespace}/{name}")
    found = ready_endpoints(store, namespace, name, port) if record is None else []
    if record is None and not found:
        raise operation.resource.not_found(name)
    subsets = record.object().get("subsets") if record else None
    found = found or list(_of_pods(operation, subsets or (), port))
    if not found:
        raise Refusal(
            503, f'no endpoints available for service "{operation.route.name if subsets else name}"'
        )
    return operation.world.chance.choice(found)


def _port_name(operation: Operation, name: str, number: int) -> str:
    record = operation.resource.collection.get(f"{operation.route.namespace}/{name}")
    if record is None:
        raise operation.resource.not_found(name)
    for each in record.object()["spec"].get("ports", ()):
        if each["port"] == number:
            return str(each.get("name", ""))
    raise Refusal(503, f'no service port {number} found for service "{name}"')


def _of_pods(operation: Operation, subsets: Sequence[Object], port: str) -> Iterator[str]:
    """The addresses in Endpoints that are those of pods of the namespace, and the ports of that name."""
    namespace, pods = operation.route.namespace, operation.world.store.collection("/pods")
    for subset in subsets:
        numbers = [each["port"] for each in subset.get("ports", ()) if each.get("name", "") == port]
        for address in subset.get("addresses", ()) if numbers else ():
            target = address.get("targetRef", {})
            record = pods.get(f"{namespace}/{target.get('name')}")
            if record is None or target.get("namespace") != namespace:
                continue
            if address["ip"] in [each["ip"] for each in record.object().get("status", {}).get("podIPs", ())]:
                yield from (host_port(address["ip"], number) for number in numbers)
