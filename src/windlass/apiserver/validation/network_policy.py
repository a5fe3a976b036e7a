"""NetworkPolicy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.label import has_odd_value, validate_selector
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.network import read_range, validate_range
from windlass.apiserver.validation.number import port_number, validate_port
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_PROTOCOLS: Final = ("TCP", "UDP", "SCTP")
_TYPES: Final = ("Ingress", "Egress")
_DIRECTIONS: Final = (("ingress", "from"), ("egress", "to"))


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A NetworkPolicy; an update may keep odd values of its selector, and odd ranges."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), (old or {}).get("spec", {})
    any_values = has_odd_value(before.get("podSelector"))
    kept = frozenset(_ranges(before))
    yield from validate_selector(spec.get("podSelector"), _SPEC.child("podSelector"), any_values=any_values)
    for direction, side in _DIRECTIONS:
        for index, rule in enumerate(spec.get(direction) or ()):
            path = _SPEC.child(direction).index(index)
            for position, port in enumerate(rule.get("ports") or ()):
                yield from _validate_port(port, path.child("ports").index(position))
            for position, peer in enumerate(rule.get(side) or ()):
                where = path.child(side).index(position)
                yield from _validate_peer(peer, where, kept, any_values=any_values)
    yield from _validate_types(spec)


def _validate_types(spec: Object) -> Iterator[Fault]:
    kinds, path = spec.get("policyTypes") or (), _SPEC.child("policyTypes")
    if len(kinds) > len(_TYPES):
        yield Fault.invalid(path, kinds, "may not specify more than two policyTypes")
        return
    for index, kind in enumerate(kinds):
        if kind not in _TYPES:
            yield Fault.not_supported(path.index(index), kind, _TYPES)


def _validate_port(rule: Object, path: Path) -> Iterator[Fault]:
    protocol, port, end = rule.get("protocol"), rule.get("port"), rule.get("endPort")
    if protocol is not None and protocol not in _PROTOCOLS:
        yield Fault.not_supported(path.child("protocol"), protocol, _PROTOCOLS)
    where = path.child("endPort")
    if end is not None and port is None:
        yield Fault.invalid(where, end, "may not be specified when `port` is not specified")
    elif end is not None and isinstance(port, str):
        yield Fault.invalid(where, end, "may not be specified when `port` is non-numeric")
    if port is not None:
        yield from validate_port(port, path.child("port"))
    if end is not None and isinstance(port, int):
        if end < port:
            yield Fault.invalid(where, port, "must be greater than or equal to `port`")
        for problem in port_number(end):
            yield Fault.invalid(where, end, problem)


def _validate_peer(peer: Object, path: Path, kept: Collection[str], *, any_values: bool) -> Iterator[Fault]:
    for name in ("podSelector", "namespaceSelector"):
        yield from validate_selector(peer.get(name), path.child(name), any_values=any_values)
    block = peer.get("ipBlock")
    if block is not None:
        yield from _validate_block(block, path.child("ipBlock"), kept)
    given = [name for name in ("podSelector", "namespaceSelector", "ipBlock") if peer.get(name) is not None]
    if not given:
        yield Fault.required(path, "must specify a peer")
    elif len(given) > 1 and block is not None:
        yield Fault.forbidden(path, "may not specify both ipBlock and another peer")


def _validate_block(block: Object, path: Path, kept: Collection[str]) -> Iterator[Fault]:
    text = block.get("cidr", "")
    if not text:
        yield Fault.required(path.child("cidr"))
        return
    yield from validate_range(text, path.child("cidr"), kept)
    whole = read_range(text)
    for index, each in enumerate(block.get("except") or () if whole else ()):
        where = path.child("except").index(index)
        yield from validate_range(each, where, kept)
        part = read_range(each)
        if whole is None or part is None:
            continue
        inside = part.version == whole.version and part.network_address in whole
        if not inside or part.prefixlen <= whole.prefixlen:
            yield Fault.invalid(where, each, "must be a strict subset of `cidr`")


def _ranges(spec: Object) -> Iterator[str]:
    for direction, side in _DIRECTIONS:
        for rule in spec.get(direction) or ():
            for peer in rule.get(side) or ():
                block = peer.get("ipBlock") or {}
                yield from (block.get("cidr", ""), *(block.get("except") or ()))
