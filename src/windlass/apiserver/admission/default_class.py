"""The class that objects get which say nothing of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]

_CLAIM_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_INGRESS_CLASS: Final = "kubernetes.io/ingress.class"


def choose_storage_class(claim: Object, world: World) -> None:
    """Give a claim that says nothing the default storage class."""
    annotations = claim["metadata"].get("annotations") or {}
    if _CLAIM_CLASS in annotations or "storageClassName" in claim["spec"]:
        return
    marks = (
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
    )
    name = _default(world, "storage.k8s.io/storageclasses", marks)
    if name:
        claim["spec"]["storageClassName"] = name


def choose_ingress_class(ingress: Object, world: World) -> None:
    """Give a new ingress that says nothing the default ingress class."""
    annotations = ingress["metadata"].get("annotations") or {}
    if _INGRESS_CLASS in annotations or "ingressClassName" in ingress.get("spec", {}):
        return
    marks = ("ingressclass.kubernetes.io/is-default-class",)
    name = _default(world, "networking.k8s.io/ingressclasses", marks)
    if name:
        ingress.setdefault("spec", {})["ingressClassName"] = name


def _default(world: World, collection: str, marks: tuple[str, ...]) -> str:
    """The name of the class that is marked as the default, of the newest if there are several."""
    defaults = []
    for record in world.store.collection(collection).page().records:
        if b"is-default-class" in record.body:  # most classes need not be decoded
            meta = record.object()["metadata"]
            if any((meta.get("annotations") or {}).get(mark) == "true" for mark in marks):
                defaults.append(meta)
    if not defaults:
        return ""
    newest = max(meta["creationTimestamp"] for meta in defaults)
    chosen: str = min(meta["name"] for meta in defaults if meta["creationTimestamp"] == newest)
    return chosen
