"""The priority of a pod, which follows from a PriorityClass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.refuse import forbidden
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.store import Collection
    from windlass.apiserver.world import World

Object = dict[str, Any]

_GROUP: Final = "scheduling.k8s.io"
_NO_CLASS: Final[Object] = {"metadata": {"name": ""}, "value": 0, "preemptionPolicy": "PreemptLowerPriority"}
_COMPUTED: Final = "priority admission controller computed {} from the given PriorityClass name"


def set_priority(pod: Object, old: Object | None, world: World) -> None:
    """Give a new pod the priority of its class, or of the default one; a change keeps what it leaves out.

    Raises:
        Refusal: 403, there is no such class, or the pod says otherwise than its class.
    """
    spec = pod["spec"]
    if old is not None:
        for name in ("priority", "preemptionPolicy"):
            if name not in spec and name in old["spec"]:
                spec[name] = old["spec"][name]
        return
    found = _class_of(pod, world)
    if found["metadata"]["name"]:
        spec["priorityClassName"] = found["metadata"]["name"]
    value = found.get("value", 0)
    if spec.setdefault("priority", value) != value:
        why = f"the integer value of priority ({spec['priority']}) must not be provided in pod spec; "
        raise forbidden("pods", pod, why + _COMPUTED.format(value))
    policy = found.get("preemptionPolicy")
    if policy is not None and spec.setdefault("preemptionPolicy", policy) != policy:
        given = spec["preemptionPolicy"]
        why = f"the string value of PreemptionPolicy ({given}) must not be provided in pod spec; "
        raise forbidden("pods", pod, why + _COMPUTED.format(policy))


def check_default(priority_class: Object, old: Object | None, world: World) -> None:
    """Only one class is the default.

    Raises:
        Refusal: 403, another one is.
    """
    if not priority_class.get("globalDefault"):
        return
    default = _default(_classes(world))
    if default is None:
        return
    name, present = priority_class["metadata"].get("name", ""), default["metadata"]["name"]
    if old is None or present != name:
        why = f"PriorityClass {present} is already marked as default. Only one default can exist"
        raise Refusal.forbidden(_GROUP, "priorityclasses", name, why)


def _class_of(pod: Object, world: World) -> Object:
    name = pod["spec"].get("priorityClassName")
    classes = _classes(world)
    if not name:
        return _default(classes) or _NO_CLASS
    record = classes.get(name)
    if record is None:
        raise forbidden("pods", pod, f"no PriorityClass with name {name} was found")
    return record.object()


def _default(classes: Collection) -> Object | None:
    defaults = [
        record.object() for record in classes.page().records if b'"globalDefault":true' in record.body
    ]
    return min(defaults, key=lambda each: each.get("value", 0), default=None)


def _classes(world: World) -> Collection:
    return world.store.collection(f"{_GROUP}/priorityclasses")
