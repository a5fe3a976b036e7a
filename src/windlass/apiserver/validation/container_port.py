"""The ports that containers name and those that they take on their node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import port_name
from windlass.apiserver.validation.number import port_number
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

_PROTOCOLS: Final = ("SCTP", "TCP", "UDP")


def validate_ports(ports: Sequence[Fields], path: Path) -> Iterator[Fault]:
    """The ports of one container; two may have one number, but not one name."""
    names: set[str] = set()
    for index, port in enumerate(ports):
        if "name" in port:
            yield from _validate_name(port["name"], names, path.index(index).child("name"))
        number = port.get("containerPort", 0)
        if not number:
            yield Fault.required(path.index(index).child("containerPort"))
        for problem in port_number(number) if number else ():
            yield Fault.invalid(path.index(index).child("containerPort"), number, problem)
        on_host = port.get("hostPort", 0)
        for problem in port_number(on_host) if on_host else ():
            yield Fault.invalid(path.index(index).child("hostPort"), on_host, problem)
        protocol = port.get("protocol", "")
        if not protocol:
            yield Fault.required(path.index(index).child("protocol"))
        elif protocol not in _PROTOCOLS:
            yield Fault.not_supported(path.index(index).child("protocol"), protocol, _PROTOCOLS)


def validate_host_ports(containers: Sequence[Fields], path: Path) -> Iterator[Fault]:
    """No two ports of these containers may be one port of their node."""
    taken: set[str] = set()
    for index, container in enumerate(containers):
        for position, port in enumerate(container.get("ports", ())):
            if not port.get("hostPort"):
                continue
            place = f"{port.get('protocol', '')}/{port.get('hostIP', '')}/{port['hostPort']}"
            if place in taken:
                where = path.index(index).child("ports").index(position)
                yield Fault.duplicate(where.child("hostPort"), place)
            taken.add(place)


def validate_same_ports(spec: Fields, path: Path, *, is_pod: bool) -> Iterator[Fault]:
    """In the host's network a container's port is the node's; a template may leave it to be defaulted."""
    for index, container in enumerate(spec.get("containers") or ()):
        for position, port in enumerate(container.get("ports", ())):
            on_host = port.get("hostPort", 0)
            if (is_pod or on_host) and on_host != port.get("containerPort", 0):
                where = path.child("containers").index(index).child("ports").index(position)
                detail = "must match `containerPort` when `hostNetwork` is true"
                yield Fault.invalid(where.child("hostPort"), on_host, detail)


def _validate_name(name: str, names: set[str], path: Path) -> Iterator[Fault]:
    if not name:
        return
    problems = port_name(name)
    for problem in problems:
        yield Fault.invalid(path, name, problem)
    if not problems and name in names:
        yield Fault.duplicate(path, name)
    names.add(name)
