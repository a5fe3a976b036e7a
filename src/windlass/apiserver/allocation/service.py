from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.allocation.address import AddressPool
from windlass.apiserver.allocation.carry import (
    align_addresses,
    assigns_node_ports,
    carry_over,
    needs_address,
    needs_health_port,
    needs_node_ports,
    node_ports,
)
from windlass.apiserver.allocation.family import settle_families
from windlass.apiserver.allocation.pool import NotFree
from windlass.apiserver.allocation.port import PortChoice, PortPool
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation.names import path_segment
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]
Spec = dict[str, Any]

_SPEC: Final = Path("spec")
_PARENT: Final = _SPEC.child("parentRef").child("name")


class ServiceAllocator:
    """Gives services their addresses, and their ports on nodes."""

    def __init__(self) -> None:
        self._addresses = AddressPool()
        self._ports = PortPool()

    def choose(self, service: Object, old: Object | None, world: World, *, dry_run: bool) -> None:
        """Write into a service the addresses and ports that it needs, and nothing anywhere else.

        Raises:
            Refusal: 422 or 500, what it asks for cannot be had.
        """
        spec: Spec = service.setdefault("spec", {})
        before: Spec | None = None if old is None else old["spec"]
        if before is not None:
            carry_over(spec, before)
        align_addresses(spec, before)
        faults = settle_families(spec, before)
        if faults:
            raise _invalid(service, *faults)
        if before is None or (not needs_address(before) and needs_address(spec)):
            self._choose_address(service, spec, world, dry_run=dry_run)
        choice = PortChoice(self._ports, world, dry_run=dry_run)
        if needs_node_ports(spec):
            if before is None:
                _choose_ports(service, spec, choice)
            else:
                _change_ports(service, spec, before, choice)
        if needs_health_port(spec) and not (before is not None and needs_health_port(before)):
            _choose_health_port(spec, choice)

    def take(self, service: Object, world: World) -> None:
        """Let a service that was just stored have what it names, and no longer what it does not."""
        spec = service["spec"]
        key = _key(service)
        addresses = [each for each in spec.get("clusterIPs") or () if each != "None"]
        self._addresses.hold(key, addresses if needs_address(spec) else (), world)
        ports = node_ports(spec) if needs_node_ports(spec) else []
        if needs_health_port(spec):
            ports.append(spec["healthCheckNodePort"])
        self._ports.hold(key, ports)

    def release(self, service: Object, world: World) -> None:
        """Take everything back from a service that is gone."""
        self._addresses.hold(_key(service), (), world)
        self._ports.hold(_key(service), ())

    def _choose_address(self, service: Object, spec: Spec, world: World, *, dry_run: bool) -> None:
        addresses: list[str] = spec.get("clusterIPs") or []
        if not needs_address(spec) or addresses[:1] == ["None"]:
            return
        if addresses:
            try:
                self._addresses.check(addresses[0], world, dry_run=dry_run)
            except NotFree as error:
                detail = f"failed to allocate IP {addresses[0]}: {error}"
                fault = Fault.invalid(_SPEC.child("clusterIPs"), addresses, detail)
                raise _invalid(service, fault) from error
            _check_named(service, addresses[0], addresses, dry_run=dry_run)
            return
        try:
            address = self._addresses.choose(world, dry_run=dry_run)
        except NotFree as error:
            name = service["metadata"]["name"]
            message = f'failed to allocate a serviceIP for Service "{name}": {error}'
            raise Refusal.internal(message) from error
        _check_named(service, address, [""], dry_run=dry_run)
        spec["clusterIP"], spec["clusterIPs"] = address, [address]


def _check_named(service: Object, address: str, wanted: list[str], *, dry_run: bool) -> None:
    """Refuse a name that the object of the address, which tells whom it belongs to, could not tell.

    Raises:
        Refusal: 422.
    """
    name = service["metadata"].get("name", "")
    faults = [Fault.invalid(_PARENT, name, detail) for detail in path_segment(name)]
    if not name:
        faults = [Fault.required(_PARENT)]
    if dry_run or not faults:
        return
    what = f"IP {address}" if wanted == [address] else "IP"
    refusal = Refusal.invalid("networking.k8s.io", "IPAddress", address, faults)
    detail = f"failed to allocate {what}: {refusal.message}"
    raise _invalid(service, Fault.invalid(_SPEC.child("clusterIPs"), wanted, detail))


def _choose_ports(service: Object, spec: Spec, choice: PortChoice) -> None:
    """The node ports of a new service. One node port serves all protocols of one port."""
    chosen: dict[int, int] = {}
    ports = spec.get("ports") or ()
    for index, port in enumerate(ports):
        wanted, number = port.get("nodePort", 0), port["port"]
        if not wanted and not assigns_node_ports(spec):
            continue
        given = chosen.get(number)
        if given is not None:
            if not wanted:
                port["nodePort"] = given
            elif wanted != given:
                _ask(service, index, wanted, choice)
            continue
        asked = next(
            (each["nodePort"] for each in ports if each["port"] == number and each.get("nodePort")), 0
        )
        if asked:
            _ask(service, index, asked, choice)
        port["nodePort"] = chosen[number] = asked or _any(choice)


def _change_ports(service: Object, spec: Spec, old: Spec, choice: PortChoice) -> None:
    """The node ports of a service that had others, which it may keep."""
    before, asked = set(node_ports(old)), set()
    seen = set()
    for index, port in enumerate(spec.get("ports") or ()):
        wanted = port.get("nodePort", 0)
        if not wanted and not assigns_node_ports(spec):
            continue
        if not wanted:
            port["nodePort"] = _any(choice)
        elif wanted not in before and wanted not in asked:
            _ask(service, index, wanted, choice)
            asked.add(wanted)
        pair = (port.get("protocol"), port["nodePort"])
        if pair in seen:
            raise Refusal(500, f"duplicate nodePort: {{{pair[0]} {pair[1]}}}", "")
        seen.add(pair)


def _ask(service: Object, index: int, port: int, choice: PortChoice) -> None:
    try:
        choice.ask(port)
    except NotFree as error:
        path = _SPEC.child("ports").index(index).child("nodePort")
        raise _invalid(service, Fault.invalid(path, port, str(error))) from error


def _any(choice: PortChoice) -> int:
    try:
        return choice.any()
    except NotFree as error:
        raise Refusal.internal(f"failed to allocate a nodePort: {error}") from error


def _choose_health_port(spec: Spec, choice: PortChoice) -> None:
    wanted = spec.get("healthCheckNodePort", 0)
    try:
        if wanted:
            choice.ask(wanted)
        else:
            spec["healthCheckNodePort"] = choice.any()
    except NotFree as error:
        what = f"requested HealthCheck NodePort {wanted}" if wanted else "a HealthCheck NodePort 0"
        raise Refusal.internal(f"failed to allocate {what}: {error}") from error


def _invalid(service: Object, *faults: Fault) -> Refusal:
    return Refusal.invalid("", "Service", service["metadata"].get("name", ""), faults)


def _key(service: Object) -> str:
    meta = service["metadata"]
    return f"{meta['namespace']}/{meta['name']}"
