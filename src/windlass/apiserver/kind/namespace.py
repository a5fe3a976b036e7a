from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.kind.builtin import BuiltinTraits
from windlass.apiserver.traits import keep

if TYPE_CHECKING:
    from windlass.apiserver.verb.delete_options import DeleteOptions
    from windlass.apiserver.world import World

Object = dict[str, Any]

FINALIZER: Final = "kubernetes"
NAME_LABEL: Final = "kubernetes.io/metadata.name"
_OF_POLICIES: Final = {"Orphan": "orphan", "Foreground": "foregroundDeletion"}


class NamespaceTraits(BuiltinTraits):
    """A namespace is gone when what it held is gone, which a controller says by `/finalize`."""

    lingers = True

    field_labels = {"status.phase": ("status", "phase")}

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        finalizers = obj.setdefault("spec", {}).setdefault("finalizers", [])
        if FINALIZER not in finalizers:
            finalizers.append(FINALIZER)
        obj["status"] = {"phase": "Active"}
        obj["metadata"].setdefault("labels", {})[NAME_LABEL] = obj["metadata"].get("name", "")

    @override
    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_update(obj, old, world)
        finalizers = old.get("spec", {}).get("finalizers")
        obj.setdefault("spec", {})["finalizers"] = finalizers
        if not finalizers:
            obj["spec"].pop("finalizers")
        obj["metadata"].setdefault("labels", {})[NAME_LABEL] = obj["metadata"].get("name", "")

    @override
    def prepare_part(self, part: str, obj: Object, old: Object, world: World) -> None:
        if part == "finalize":
            keep(obj, old, "status")
        else:
            super().prepare_part(part, obj, old, world)

    @override
    def delete(self, obj: Object, options: DeleteOptions, world: World) -> Object | None:
        meta = obj["metadata"]
        if "deletionTimestamp" in meta:
            return obj if obj.get("spec", {}).get("finalizers") else None
        meta["deletionTimestamp"] = world.now()
        obj["status"] = {**obj.get("status", {}), "phase": "Terminating"}
        policy = "Foreground" if options.cascades else options.policy
        if policy:
            others = [name for name in meta.get("finalizers", ()) if name not in _OF_POLICIES.values()]
            chosen = [_OF_POLICIES[policy]] if policy in _OF_POLICIES else []
            meta["finalizers"] = [*others, *chosen]
        if not meta.get("finalizers"):
            meta.pop("finalizers", None)
        return obj

    @override
    def freed(self, obj: Object) -> bool:
        return super().freed(obj) and not obj.get("spec", {}).get("finalizers")
