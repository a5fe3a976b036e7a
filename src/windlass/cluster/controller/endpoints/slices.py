"""How the endpoints of a service lie in its EndpointSlices, so that few slices change when few pods do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from windlass.cluster.controller.endpoints.member import is_headless

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from windlass.api import Json
    from windlass.kinds.core.v1 import Service
    from windlass.kinds.discovery.v1 import EndpointSlice

SERVICE: Final = "kubernetes.io/service-name"
MANAGED_BY: Final = "endpointslice.kubernetes.io/managed-by"
HEADLESS: Final = "service.kubernetes.io/headless"
MANAGER: Final = "endpointslice-controller.k8s.io"
MOST: Final = 100
_RESERVED: Final = (SERVICE, MANAGED_BY, HEADLESS)

Ports = tuple[tuple[tuple[str, str | int], ...], ...]
"""The ports of a slice, in a form that can be compared."""


@dataclass(frozen=True)
class Slice:
    """One EndpointSlice: what it has, or is to have. One that is to be created has no name."""

    family: str
    ports: Ports
    endpoints: tuple[Json, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True)
class Changes:
    """What makes the slices of a service what they should be."""

    create: Sequence[Slice] = ()
    update: Sequence[Slice] = ()
    delete: Sequence[Slice] = ()


def slice_of(found: EndpointSlice) -> Slice:
    """What an EndpointSlice has."""
    wire = found.to_wire()
    return Slice(
        found.address_type,
        ports_key(wire.get("ports") or ()),
        tuple(wire.get("endpoints") or ()),
        found.metadata.labels,
        found.metadata.name,
    )


def ports_key(ports: Iterable[Json]) -> Ports:
    """Ports in a form that can be compared, whatever their order."""
    return tuple(sorted(tuple(sorted(each.items())) for each in ports))


def labels_for(service: Service) -> dict[str, str]:
    """The labels of each slice of a service: its own, and those by which slices are found."""
    own = {name: value for name, value in service.metadata.labels.items() if name not in _RESERVED}
    found = {SERVICE: service.metadata.name, MANAGED_BY: MANAGER}
    return own | found | ({HEADLESS: ""} if is_headless(service) else {})


def arrange(
    existing: Sequence[Slice],
    wanted: Mapping[tuple[str, Ports], Sequence[Json]],
    labels: Mapping[str, str],
    families: Sequence[str],
) -> Changes:
    """What to change so that all wanted endpoints, by family and ports, lie in slices of their own.

    A family without any endpoint has an empty slice. What would be created takes the place of what would be
    deleted.
    """
    create: list[Slice] = []
    update: list[Slice] = []
    delete = [each for each in existing if (each.family, each.ports) not in wanted]
    for (family, ports), endpoints in wanted.items():
        there = [each for each in existing if (each.family, each.ports) == (family, ports)]
        found = _pack(there, endpoints, Slice(family, ports, labels=labels))
        create += found.create
        update += found.update
        delete += found.delete
    for family in families:
        gone = {each.name for each in delete}
        left = any(each.family == family and each.name not in gone for each in existing)
        if not left and not any(each.family == family for each in create):
            create.append(Slice(family, (), labels=labels))
    return _in_place(Changes(create, update, delete), existing)


def _pack(there: Sequence[Slice], endpoints: Sequence[Json], blank: Slice) -> Changes:
    """Keep endpoints where they are; others go into slices that change anyway, have room, or are new."""
    left = {_identity(each): each for each in endpoints}
    changed: list[Slice] = []
    unchanged: list[Slice] = []
    delete: list[Slice] = []
    for each in there:
        kept = tuple(left.pop(key) for old in each.endpoints if (key := _identity(old)) in left)
        if each.endpoints and not kept:
            delete.append(each)
        elif kept != each.endpoints or each.labels != blank.labels:
            changed.append(replace(each, endpoints=kept, labels=blank.labels))
        else:
            unchanged.append(each)
    rest = list(left.values())
    changed = [_filled(each, rest) for each in sorted(changed, key=lambda each: -len(each.endpoints))]
    create: list[Slice] = []
    while rest:
        roomy = [each for each in unchanged if len(each.endpoints) + len(rest) <= MOST]
        if roomy and len(rest) < MOST:
            fullest = max(roomy, key=lambda each: len(each.endpoints))
            changed.append(_filled(fullest, rest))
        else:
            create.append(_filled(blank, rest))
    return Changes(create, changed, delete)


def _filled(found: Slice, rest: list[Json]) -> Slice:
    """A slice with as much of the rest as it can take, which is taken off the rest."""
    room = MOST - len(found.endpoints)
    taken, rest[:] = rest[:room], rest[room:]
    return replace(found, endpoints=(*found.endpoints, *taken)) if taken else found


def _in_place(changes: Changes, existing: Sequence[Slice]) -> Changes:
    """Make creations updates of what would be deleted; an empty slice that is to stay empty is left."""
    create, update, delete = list(changes.create), list(changes.update), list(changes.delete)
    for old in changes.delete:
        for new in create:
            if old.family == new.family:
                create.remove(new)
                delete.remove(old)
                update.append(replace(new, name=old.name))
                break
    known = {each.name: each for each in existing}
    return Changes(create, [each for each in update if known[each.name] != each], delete)


def _identity(endpoint: Json) -> Hashable:
    """What makes an endpoint the same although its conditions change."""
    target = endpoint.get("targetRef", {})
    names = endpoint.get("hostname"), target.get("namespace"), target.get("name")
    return tuple(sorted(endpoint["addresses"])), *names
