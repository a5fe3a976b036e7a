from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.crd.condition import MARKED, set_condition
from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.crd.registrar import Registrar
    from windlass.apiserver.verb.delete_options import DeleteOptions
    from windlass.apiserver.world import World
    from windlass.schema import Fault

Object = dict[str, Any]

CLEANUP: Final = "customresourcecleanup.apiextensions.k8s.io"
"""The finalizer that holds a definition until its objects are gone."""


class DefinitionTraits(BuiltinTraits):
    """A definition counts the versions it was stored in, and stays until its last object is gone.

    What judges definitions is loaded with the first of them, because a server should start at once.
    """

    lingers = True
    generation = True
    unconditional = False

    def __init__(self, builtin: BuiltinKind) -> None:
        super().__init__(builtin)
        self.registrar: Registrar | None = None

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        stored = _storing(obj)
        obj["status"] = {
            "conditions": None,
            "acceptedNames": {"plural": "", "kind": ""},
            "storedVersions": stored or None,
        }

    @override
    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_update(obj, old, world)
        stored = obj["status"].get("storedVersions") or []
        added = [name for name in _storing(obj) if name not in stored]
        if added:
            obj["status"] = {**obj["status"], "storedVersions": [*stored, *added]}

    @override
    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        from windlass.apiserver.crd.check import definition_faults, status_faults

        if subresource == "status" and old is not None:
            return status_faults(obj, old)
        return definition_faults(obj, old)

    @override
    def warnings(self, obj: Object, old: Object | None) -> Iterable[str]:
        from windlass.apiserver.crd.check import warnings

        return warnings(obj, old)

    @override
    def delete(self, obj: Object, options: DeleteOptions, world: World) -> Object | None:
        meta = obj["metadata"]
        if "deletionTimestamp" not in meta:
            meta["deletionTimestamp"] = world.now()
            if CLEANUP not in meta.get("finalizers", ()):
                meta["finalizers"] = [*meta.get("finalizers", ()), CLEANUP]
            set_condition(obj, MARKED, world.now())
        return obj

    @override
    def stored(self, obj: Object, world: World) -> None:
        if self.registrar is not None:
            self.registrar.changed(obj["metadata"]["name"])

    @override
    def deleted(self, obj: Object, world: World) -> None:
        self.stored(obj, world)


def _storing(crd: Object) -> list[str]:
    """The version in which objects are stored; the first, should several say so."""
    return [each["name"] for each in crd["spec"].get("versions") or () if each.get("storage")][:1]
