"""The ports of a Service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.endpoint import validate_application, validate_label, validate_protocol
from windlass.apiserver.validation.number import port_number, validate_port
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Port = Mapping[str, Any]

_PORT: Final = {"name": "", "protocol": "", "appProtocol": None, "port": 0, "targetPort": 0, "nodePort": 0}


def validate_ports(ports: Sequence[Port], path: Path) -> Iterator[Fault]:
    """Each port on its own; where there are several they have names."""
    names: set[str] = set()
    for index, port in enumerate(ports):
        name, where = port.get("name", ""), path.index(index)
        if name:
            yield from validate_label(name, where.child("name"))
            if name in names:
                yield Fault.duplicate(where.child("name"), name)
            names.add(name)
        elif len(ports) > 1:
            yield Fault.required(where.child("name"))
        number = port.get("port", 0)
        for problem in port_number(number):
            yield Fault.invalid(where.child("port"), number, problem)
        yield from validate_protocol(port, where)
        yield from validate_port(port.get("targetPort", 0), where.child("targetPort"))
        yield from validate_application(port, where)


def validate_unique_ports(ports: Sequence[Port], path: Path, *, inside: bool) -> Iterator[Fault]:
    """The ports beside each other; those of a service that is only reached `inside` have no node ports."""
    if inside:
        for index, port in enumerate(ports):
            if port.get("nodePort"):
                detail = "may not be used when `type` is 'ClusterIP'"
                yield Fault.forbidden(path.index(index).child("nodePort"), detail)
    taken: set[tuple[str, int]] = set()
    for index, port in enumerate(ports):
        key = port.get("protocol", ""), port.get("nodePort", 0)
        if key[1] and key in taken:
            yield Fault.duplicate(path.index(index).child("nodePort"), key[1])
        taken.add(key)
    taken.clear()
    for index, port in enumerate(ports):
        key = port.get("protocol", ""), port.get("port", 0)
        if key in taken:
            shown = as_declared({"protocol": key[0], "port": key[1]}, _PORT)
            yield Fault.duplicate(path.index(index), shown)
        taken.add(key)
