"""What a write to a subresource of a pod may change; everything else is put back."""

from __future__ import annotations

from typing import Any

from windlass.apiserver.traits import WHOLE_METADATA, keep

Object = dict[str, Any]


def keep_observations(obj: Object, old: Object) -> None:
    """Put back what a new status has lost: the quality of service, and which generations were observed.

    Writers who are older than these fields do not send them.
    """
    status, before = obj.setdefault("status", {}), old.get("status", {})
    for name in ("qosClass", "observedGeneration"):
        if not status.get(name) and name in before:
            status[name] = before[name]
    seen: dict[str, list[int]] = {}
    for condition in before.get("conditions", ()):
        seen.setdefault(condition.get("type", ""), []).append(condition.get("observedGeneration", 0))
    for condition in status.get("conditions", ()):
        generations = seen.get(condition.get("type", ""))
        generation = generations.pop(0) if generations else 0
        if generation and not condition.get("observedGeneration"):
            condition["observedGeneration"] = generation


def only_ephemeral_containers(obj: Object, old: Object) -> None:
    """Leave nothing of a write but its ephemeral containers."""
    containers = obj.get("spec", {}).get("ephemeralContainers")
    _put_back(obj, old)
    obj["spec"] = {name: value for name, value in old["spec"].items() if name != "ephemeralContainers"}
    if containers:
        obj["spec"]["ephemeralContainers"] = containers


def only_resources(obj: Object, old: Object) -> None:
    """Leave nothing of a write but the resources of the pod and its containers, and how they are resized.

    Where containers were added, removed, renamed or moved, everything is left for validation to refuse.
    """
    spec, before = obj.get("spec", {}), old["spec"]
    kinds = ("containers", "initContainers")
    if any(len(spec.get(kind) or ()) != len(before.get(kind, ())) for kind in kinds):
        return
    _put_back(obj, old)
    obj["spec"] = dict(before)
    keep(obj["spec"], spec, "resources")
    for kind in kinds:
        if kind in before:
            obj["spec"][kind] = _resized(spec[kind], before[kind])


def _resized(new: list[Object], old: list[Object]) -> list[Object]:
    if any(container.get("name") != kept.get("name") for container, kept in zip(new, old, strict=True)):
        return new
    resized = [dict(kept) for kept in old]
    for container, target in zip(new, resized, strict=True):
        keep(target, container, "resources")
        keep(target, container, "resizePolicy")
    return resized


def _put_back(obj: Object, old: Object) -> None:
    keep(obj, old, "status")
    for name in WHOLE_METADATA:
        keep(obj["metadata"], old["metadata"], name)
