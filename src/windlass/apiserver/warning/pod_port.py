"""The ports of containers, which share one address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Object = dict[str, Any]


def port_warnings(containers: Sequence[tuple[Object, str]]) -> Iterator[str]:
    """Warn of ports that get in each other's way, and of names that name two."""
    ports = [
        (port, f"{path}.ports[{index}]")
        for container, path in containers
        for index, port in enumerate(container.get("ports") or ())
    ]
    seen: dict[tuple[int, str], list[tuple[Object, str]]] = {}
    for port, path in ports:
        if port.get("hostIP") and not port.get("hostPort"):
            yield f"{path}: hostIP set without hostPort: {_shown(port)}"
        others = seen.setdefault((port.get("containerPort", 0), port.get("protocol", "")), [])
        for other, where in others:
            clash = _clash(port, other)
            if clash:
                yield f"{path}: {clash} port definition with {where}"
        others.append((port, path))
    named: dict[str, str] = {}
    for port, path in ports:
        name = port.get("name")
        if name in named:
            yield (
                f"{path}: duplicate port name {quoted(name)} with {named[name]}, services and probes "
                f"that select ports by name will use {named[name]}"
            )
        elif name:
            named[name] = path


def _clash(port: Object, other: Object) -> str:
    (address, number), (their_address, their_number) = _host(port), _host(other)
    if (address, number) == (their_address, their_number):
        return "duplicate"
    if not number or not their_number:
        return "overlapping"
    if number == their_number and bool(address) is not bool(their_address):
        return "dangerously ambiguous"
    return ""


def _host(port: Object) -> tuple[str, int]:
    return port.get("hostIP", ""), port.get("hostPort", 0)


def _shown(port: Object) -> str:
    """A port as Go prints it."""
    return (
        f"{{Name:{port.get('name', '')} HostPort:{port.get('hostPort', 0)} "
        f"ContainerPort:{port.get('containerPort', 0)} Protocol:{port.get('protocol', '')} "
        f"HostIP:{port.get('hostIP', '')}}}"
    )
