"""EndpointSlice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.address import validate_address
from windlass.apiserver.validation.domain import validate_domain
from windlass.apiserver.validation.endpoint import PROTOCOLS, validate_application, validate_label
from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.label import validate_labels
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain, label_value
from windlass.apiserver.validation.network import read_address, validate_canonical, validate_destination
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_ADDRESS_TYPES: Final = ("FQDN", "IPv4", "IPv6")
_MOST_ENDPOINTS: Final = 1000
_MOST_ADDRESSES: Final = 100
_MOST_PORTS: Final = 20000
_MOST_TOPOLOGY: Final = 16
_MOST_HINTS: Final = 8
_ENDPOINTS: Final = Path("endpoints")
_PORTS: Final = Path("ports")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """An EndpointSlice: its endpoints, unless an update leaves them as they were, and its ports."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    address_type = obj.get("addressType", "")
    if not address_type:
        yield Fault.required("addressType")
    elif address_type not in _ADDRESS_TYPES:
        yield Fault.not_supported("addressType", address_type, _ADDRESS_TYPES)
    yield from _validate_ports(obj.get("ports") or ())
    endpoints = obj.get("endpoints") or ()
    if old is None or endpoints != (old.get("endpoints") or ()):
        yield from _validate_endpoints(endpoints, address_type)
    if old is not None:
        yield from validate_unchanged(address_type, old.get("addressType", ""), "addressType")


def _validate_endpoints(endpoints: Sequence[Object], address_type: str) -> Iterator[Fault]:
    if len(endpoints) > _MOST_ENDPOINTS:
        yield Fault.too_many(_ENDPOINTS, len(endpoints), _MOST_ENDPOINTS)
        return
    for index, endpoint in enumerate(endpoints):
        path = _ENDPOINTS.index(index)
        addresses = endpoint.get("addresses") or ()
        if not addresses:
            yield Fault.required(path.child("addresses"), "must contain at least 1 address")
        elif len(addresses) > _MOST_ADDRESSES:
            yield Fault.too_many(path.child("addresses"), len(addresses), _MOST_ADDRESSES)
        for position, address in enumerate(addresses):
            yield from _validate_address(address, address_type, path.child("addresses"), position)
        yield from _validate_rest(endpoint, path)


def _validate_address(text: str, address_type: str, path: Path, position: int) -> Iterator[Fault]:
    where = path.index(position)
    if address_type == "FQDN":
        yield from validate_domain(text, where)
    if address_type not in ("IPv4", "IPv6"):
        return
    old_form = address_type == "IPv4"  # came first, so its addresses may be written in several ways
    faults = list(validate_address(text, where) if old_form else validate_canonical(text, where))
    yield from faults
    if faults:
        return
    found = read_address(text)
    if found is not None and f"IPv{found.version}" != address_type:
        yield Fault.invalid(path, text, f"must be an {address_type} address")
    yield from validate_destination(text, where)


def _validate_rest(endpoint: Object, path: Path) -> Iterator[Fault]:
    node = endpoint.get("nodeName")
    for problem in dns_subdomain(node) if node is not None else ():
        yield Fault.invalid(path.child("nodeName"), node, problem)
    topology = endpoint.get("deprecatedTopology") or {}
    if len(topology) > _MOST_TOPOLOGY:
        yield Fault.too_many(path.child("deprecatedTopology"), len(topology), _MOST_TOPOLOGY)
    yield from validate_labels(topology, path.child("deprecatedTopology"))
    if endpoint.get("hostname") is not None:
        yield from validate_label(endpoint["hostname"], path.child("hostname"))
    hints = endpoint.get("hints") or {}
    zones, nodes = hints.get("forZones") or (), hints.get("forNodes") or ()
    yield from _validate_hints(zones, path.child("hints", "forZones"), label_value)
    if len(zones) <= _MOST_HINTS:
        yield from _validate_hints(nodes, path.child("hints", "forNodes"), dns_subdomain)


def _validate_hints(
    hints: Sequence[Object], path: Path, rule: Callable[[str], Sequence[str]]
) -> Iterator[Fault]:
    if len(hints) > _MOST_HINTS:
        yield Fault.too_many(path, len(hints), _MOST_HINTS)
        return
    seen: set[str] = set()
    for index, hint in enumerate(hints):
        name, where = hint.get("name", ""), path.index(index).child("name")
        if name in seen:
            yield Fault.duplicate(where, name)
        seen.add(name)
        for problem in rule(name):
            yield Fault.invalid(where, name, problem)


def _validate_ports(ports: Sequence[Object]) -> Iterator[Fault]:
    if len(ports) > _MOST_PORTS:
        yield Fault.too_many(_PORTS, len(ports), _MOST_PORTS)
        return
    seen: set[str] = set()
    for index, port in enumerate(ports):
        name, path = port.get("name", ""), _PORTS.index(index)
        if name:
            yield from validate_label(name, path.child("name"))
        if name in seen:
            yield Fault.duplicate(path.child("name"), name)
        seen.add(name)
        protocol = port.get("protocol")
        if protocol is None:
            yield Fault.required(path.child("protocol"))
        elif protocol not in PROTOCOLS:
            yield Fault.not_supported(path.child("protocol"), protocol, PROTOCOLS)
        yield from validate_application(port, path)
