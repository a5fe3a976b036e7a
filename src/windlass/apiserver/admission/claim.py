"""Claims and volumes: that they grow only where they can, and that nobody loses one in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.refuse import forbidden
from windlass.apiserver.validation.resource import quantity

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]

_BETA: Final = "volume.beta.kubernetes.io/storage-class"
_CLASSES: Final = "storage.k8s.io/storageclasses"


def protect(obj: Object, finalizer: str) -> None:
    """Let an object be deleted only when nobody uses it any more, which a controller says."""
    finalizers = obj["metadata"].setdefault("finalizers", [])
    if finalizer not in finalizers:
        finalizers.append(finalizer)


def check_growth(claim: Object, old: Object, world: World) -> None:
    """A claim grows only once it is bound, and only if its class allows it.

    Raises:
        Refusal: 403.
    """
    if quantity(_size(claim)) <= quantity(_size(old)):
        return
    if old.get("status", {}).get("phase") != "Bound":
        raise forbidden(
            "persistentvolumeclaims", claim, "Only bound persistent volume claims can be expanded"
        )
    name = class_of(claim)
    record = world.store.collection(_CLASSES).get(name) if name and name == class_of(old) else None
    if record is None or not record.object().get("allowVolumeExpansion"):
        why = (
            "only dynamically provisioned pvc can be resized and "
            "the storageclass that provisions the pvc must support resize"
        )
        raise forbidden("persistentvolumeclaims", claim, why)


def _size(claim: Object) -> str:
    size: str = ((claim["spec"].get("resources") or {}).get("requests") or {}).get("storage", "0")
    return size


def class_of(claim: Object) -> str:
    """The storage class of a claim, which older ones have in an annotation; empty for none."""
    annotations = claim["metadata"].get("annotations") or {}
    name: str = annotations[_BETA] if _BETA in annotations else claim["spec"].get("storageClassName", "")
    return name
