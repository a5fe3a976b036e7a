"""Who is behind a service: the ready endpoints of its EndpointSlices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.store import Store


def ready_endpoints(store: Store, namespace: str, service: str, port: str) -> list[str]:
    """The addresses, `ip:port`, that are ready to answer on the port of a service that has this name."""
    label = f'"kubernetes.io/service-name":"{service}"'.encode()
    slices = store.collection("discovery.k8s.io/endpointslices").page(f"{namespace}/").records
    return [
        address
        for record in slices
        if label in record.body  # most are of other services, and not even read
        for address in _ready(record.object(), service, port)
    ]


def _ready(piece: dict[str, Any], service: str, port: str) -> Iterator[str]:
    if piece["metadata"].get("labels", {}).get("kubernetes.io/service-name") != service:
        return
    ports = [each for each in piece.get("ports") or () if each.get("name", "") == port and "port" in each]
    for endpoint in piece.get("endpoints") or ():
        if endpoint.get("conditions", {}).get("ready") is not False:
            yield from (host_port(endpoint["addresses"][0], each["port"]) for each in ports)


def host_port(host: str, port: int | str) -> str:
    """A host and a port as an address has them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
