"""Who owns the number of replicas: in terms of a Scale, and back in those of the object that is scaled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from windlass.schema.ownership.entry import Managed
from windlass.schema.ownership.owner import Managers, Owned
from windlass.schema.ownership.tree import alone, difference, holds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.ownership.rules import Object

FieldPath: TypeAlias = tuple[str, ...]

_SCALE: Final = "autoscaling/v1"
_REPLICAS: Final[FieldPath] = ("spec", "replicas")


@dataclass(frozen=True, slots=True)
class ScaleOwnership:
    """Maps the owners of an object to those of its Scale, on which a write is then judged, and back.

    `api_version`: that of the object.
    `paths`: where the number of replicas is in each version of it, `None` where a version cannot be scaled.

    A Scale is of another version than the object, and an entry of an update is told apart by its version
    too. So an update through the Scale never finds its own entry again: its entry is made anew each time, and
    has no time.
    """

    api_version: str
    paths: Mapping[str, FieldPath | None]

    def to_scale(self, live: Object) -> list[Object]:
        """The entries of a Scale: those of the object that own the number of replicas."""
        managed = Managed.of(live)
        managed.owners = {
            manager: Owned(alone(_steps(_REPLICAS)), _SCALE, owned.applied)
            for manager, owned in managed.owners.items()
            if _owns(owned, self.paths.get(owned.api_version))
        }
        return managed.entries()

    def to_parent(self, live: Object, entries: list[Object]) -> list[Object]:
        """The entries of the object, after a write to its Scale left that with these entries."""
        managed, scale = Managed.of(live), Managed(entries)
        owners: Managers = {}
        for manager, owned in managed.owners.items():
            if owned.api_version not in self.paths:
                continue
            path = self.paths[owned.api_version]
            fields = owned.fields
            if path and _owns(owned, path) and scale.owners.pop(manager, None) is None:
                fields = difference(fields, alone(_steps(path)))
            if fields:
                owners[manager] = owned.reduced(fields)
        path = self.paths[self.api_version]
        for manager, owned in scale.owners.items():
            if path and _owns(owned, _REPLICAS):
                owners[manager] = Owned(alone(_steps(path)), self.api_version, owned.applied)
        managed.owners = owners
        return managed.entries()


def _owns(owned: Owned, path: FieldPath | None) -> bool:
    return bool(path) and holds(owned.fields, _steps(path or ()))


def _steps(path: FieldPath) -> tuple[str, ...]:
    return tuple(f"f:{name}" for name in path)
