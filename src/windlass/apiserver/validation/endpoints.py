"""Endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.address import validate_address
from windlass.apiserver.validation.endpoint import validate_application, validate_label, validate_protocol
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.network import validate_destination
from windlass.apiserver.validation.number import port_number
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """Endpoints: their subsets, unless an update leaves them as they were."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    subsets = obj.get("subsets") or ()
    if old is not None and subsets == (old.get("subsets") or ()):
        return
    for index, subset in enumerate(subsets):
        yield from _validate_subset(subset, Path("subsets").index(index))


def _validate_subset(subset: Object, path: Path) -> Iterator[Fault]:
    if not subset.get("addresses") and not subset.get("notReadyAddresses"):
        yield Fault.required(path, "must specify `addresses` or `notReadyAddresses`")
    for name in ("addresses", "notReadyAddresses"):
        for index, address in enumerate(subset.get(name) or ()):
            yield from _validate_endpoint(address, path.child(name).index(index))
    ports = subset.get("ports") or ()
    for index, port in enumerate(ports):
        yield from _validate_port(port, path.child("ports").index(index), named=len(ports) > 1)


def _validate_endpoint(address: Object, path: Path) -> Iterator[Fault]:
    text = address.get("ip", "")
    yield from validate_address(text, path.child("ip"))
    if address.get("hostname"):
        yield from validate_label(address["hostname"], path.child("hostname"))
    node = address.get("nodeName")
    for problem in dns_subdomain(node) if node is not None else ():
        yield Fault.invalid(path.child("nodeName"), node, problem)
    yield from validate_destination(text, path.child("ip"))


def _validate_port(port: Object, path: Path, *, named: bool) -> Iterator[Fault]:
    if port.get("name"):
        yield from validate_label(port["name"], path.child("name"))
    elif named:
        yield Fault.required(path.child("name"))
    number = port.get("port", 0)
    for problem in port_number(number):
        yield Fault.invalid(path.child("port"), number, problem)
    yield from validate_protocol(port, path)
    yield from validate_application(port, path)
