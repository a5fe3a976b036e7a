"""What a RuntimeClass adds to the pods that run in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.refuse import forbidden

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.world import World

Object = dict[str, Any]

_MISMATCH: Final = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
_NO_CLASS: Final = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"


def set_runtime(pod: Object, world: World) -> None:
    """Give a new pod the overhead, the nodes and the tolerations of its class.

    Raises:
        Refusal: 403, there is no such class, or the pod contradicts it.
    """
    found = _class_of(pod, world)
    if found is None:
        return
    spec, fixed = pod["spec"], _fixed(found)
    if fixed is not None:
        if spec.get("overhead") and spec["overhead"] != fixed:
            raise forbidden("pods", pod, _MISMATCH)
        if fixed:
            spec["overhead"] = dict(fixed)
    _schedule(pod, found.get("scheduling") or {})


def check_overhead(pod: Object, world: World) -> None:
    """The overhead of a new pod is that of its class, and nothing without one.

    Raises:
        Refusal: 403.
    """
    found = _class_of(pod, world)
    fixed = None if found is None else _fixed(found)
    overhead = pod["spec"].get("overhead") or {}
    if fixed is None and overhead:
        raise forbidden("pods", pod, _NO_CLASS)
    if fixed is not None and overhead != fixed:
        raise forbidden("pods", pod, _MISMATCH)


def _class_of(pod: Object, world: World) -> Object | None:
    name = pod["spec"].get("runtimeClassName")
    if name is None:
        return None
    record = world.store.collection("node.k8s.io/runtimeclasses").get(name)
    if record is None:
        raise forbidden("pods", pod, f'pod rejected: RuntimeClass "{name}" not found')
    return record.object()


def _fixed(runtime_class: Object) -> Object | None:
    overhead = runtime_class.get("overhead")
    return None if overhead is None else overhead.get("podFixed") or {}


def _schedule(pod: Object, scheduling: Mapping[str, Any]) -> None:
    spec = pod["spec"]
    for key, value in (scheduling.get("nodeSelector") or {}).items():
        wanted = spec.setdefault("nodeSelector", {}).setdefault(key, value)
        if wanted != value:
            why = (
                f"conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; "
                f"pod.spec.nodeSelector[{key}] = {wanted}"
            )
            raise forbidden("pods", pod, why)
    if scheduling.get("tolerations"):
        spec["tolerations"] = _merged([*(spec.get("tolerations") or ()), *scheduling["tolerations"]])


def _merged(tolerations: list[Object]) -> list[Object]:
    """Tolerations without those that others include; of equal ones the first stays."""
    kept: list[Object] = []
    for index, each in enumerate(tolerations):
        if any(_includes(wide, each) for wide in kept):
            continue
        if not any(wide != each and _includes(wide, each) for wide in tolerations[index + 1 :]):
            kept.append(each)
    return kept


def _includes(wide: Object, narrow: Object) -> bool:
    """Whether whoever bears the one bears the other too."""
    if wide == narrow:
        return True
    exists, effect = wide.get("operator") == "Exists", wide.get("effect", "")
    if narrow.get("key", "") != wide.get("key", "") and (wide.get("key") or not exists):
        return False
    if effect not in ("", narrow.get("effect", "")):
        return False
    seconds = wide.get("tolerationSeconds") if effect == "NoExecute" else None
    if seconds is not None and ("tolerationSeconds" not in narrow or narrow["tolerationSeconds"] > seconds):
        return False
    return exists or (narrow.get("operator") == "Equal" and narrow.get("value") == wide.get("value"))
