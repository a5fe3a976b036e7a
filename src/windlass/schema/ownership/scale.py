"""The managed fields of a Scale, and what becomes of those of the object that it scales.

A Scale is made up on demand, so its managed fields are too: everybody who owns the replicas of the object
owns those of its Scale. After a write to the Scale its owners are carried back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from windlass.schema.ownership.entry import Managed
from windlass.schema.ownership.owner import Managers, Owned
from windlass.schema.ownership.tree import Tree, alone, difference, holds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.schema.ownership.rules import Object

SCALE_VERSION: Final = "autoscaling/v1"
_REPLICAS: Final = ("f:spec", "f:replicas")

ReplicasPaths: TypeAlias = "Mapping[str, tuple[str, ...]]"
"""For each `apiVersion` of a kind, the steps to its replicas; none if that version cannot be scaled."""


def to_scale(entries: Sequence[Object], paths: ReplicasPaths) -> list[Object]:
    """The managed fields of the Scale of an object."""
    managed = Managed(entries)
    managed.owners = {
        manager: Owned(alone(_REPLICAS), SCALE_VERSION, owned.applied)
        for manager, owned in managed.owners.items()
        if _owns(owned, paths)
    }
    return managed.entries()


def from_scale(
    entries: Sequence[Object], scale: Sequence[Object], api_version: str, paths: ReplicasPaths
) -> list[Object]:
    """The managed fields of an object after its Scale was written through a version of its kind."""
    managed, scaling = Managed(entries), Managed(scale)
    left: Managers = {}
    for manager, owned in managed.owners.items():
        if owned.api_version not in paths:
            continue
        fields: Tree = owned.fields
        if _owns(owned, paths) and scaling.owners.pop(manager, None) is None:
            fields = difference(fields, alone(paths[owned.api_version]))
        if fields:
            left[manager] = owned.reduced(fields)
    for manager, owned in scaling.owners.items():
        if holds(owned.fields, _REPLICAS):
            left[manager] = Owned(alone(paths[api_version]), api_version, owned.applied)
    managed.owners = left
    return managed.entries()


def _owns(owned: Owned, paths: ReplicasPaths) -> bool:
    path = paths.get(owned.api_version)
    return bool(path) and holds(owned.fields, path or ())
