from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.crd.condition import set_condition
from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.crd.registrar import Registrar
    from windlass.apiserver.world import World

Object = dict[str, Any]

CLEANUP: Final = "customresourcecleanup.apiextensions.k8s.io"


class DefinitionTraits(BuiltinTraits):
    """A definition counts the versions it was stored in, and stays until its last object is gone."""

    generation = True
    unconditional = False

    def __init__(self, builtin: BuiltinKind) -> None:
        super().__init__(builtin)
        self.registrar: Registrar | None = None

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        stored = [each["name"] for each in obj["spec"].get("versions", ()) if each.get("storage")]
        obj["status"] = {
            "conditions": None,
            "acceptedNames": {"plural": "", "kind": ""},
            "storedVersions": stored or None,
        }

    @override
    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_update(obj, old, world)
        stored = obj["status"].get("storedVersions") or []
        for each in obj["spec"].get("versions", ()):
            if each.get("storage") and each["name"] not in stored:
                obj["status"] = {**obj["status"], "storedVersions": [*stored, each["name"]]}

    @override
    def delete(self, obj: Object, world: World) -> Object | None:
        meta = obj["metadata"]
        if "deletionTimestamp" not in meta:
            meta["deletionTimestamp"] = world.now()
            meta["deletionGracePeriodSeconds"] = 0
            meta["generation"] += 1
            meta["finalizers"] = [*meta.get("finalizers", ()), CLEANUP]
            terminating = {
                "type": "Terminating",
                "status": "True",
                "reason": "InstanceDeletionPending",
                "message": "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
            }
            set_condition(obj, terminating, world.now())
        return obj

    @override
    def stored(self, obj: Object, world: World) -> None:
        if self.registrar is not None:
            self.registrar.changed(obj["metadata"]["name"])

    @override
    def deleted(self, obj: Object, world: World) -> None:
        self.stored(obj, world)
