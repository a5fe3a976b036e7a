"""What is particular to volumes, and to claims on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.apiserver import admission
from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]


class PersistentVolumeTraits(BuiltinTraits):
    """A volume says since when it is in its phase, and stays while it is bound."""

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            admission.protect(obj, "kubernetes.io/pv-protection")

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        obj["status"] = {"phase": "Pending", "lastPhaseTransitionTime": world.now()}

    @override
    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_status(obj, old, world)
        status, before = obj["status"], old["status"]
        since, known = status.get("lastPhaseTransitionTime"), before.get("lastPhaseTransitionTime")
        if status.get("phase") != before.get("phase"):
            if since in (None, known):
                status["lastPhaseTransitionTime"] = world.now()
        elif since is None and known is not None:
            status["lastPhaseTransitionTime"] = known


class PersistentVolumeClaimTraits(BuiltinTraits):
    """A claim is pending until it is bound, and stays while a pod uses it."""

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            admission.choose_storage_class(obj, world)
            admission.protect(obj, "kubernetes.io/pvc-protection")

    @override
    def permit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None or "deletionTimestamp" not in old["metadata"]:
            admission.check_claim(obj, world)
        if old is not None:
            admission.check_growth(obj, old, world)

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        obj["status"] = {}

    @override
    def settle(self, obj: Object) -> bool:
        waits = "phase" not in obj["status"]
        obj["status"].setdefault("phase", "Pending")
        return waits


class VolumeAttributesClassTraits(BuiltinTraits):
    """A class of attributes stays while a volume has it."""

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            admission.protect(obj, "kubernetes.io/vac-protection")


class CSIDriverTraits(BuiltinTraits):
    """Changes of a driver are counted from nothing."""

    @override
    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_update(obj, old, world)
        if self.counts(obj, old):
            obj["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1
