from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]

_TOLERATED: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_TOLERATED_SECONDS: Final = 300
_ENDED: Final = ("Succeeded", "Failed")


class PodTraits(BuiltinTraits):
    """A pod starts as pending, and is given time to end once it has a node."""

    generation = True
    returns_deleted = True
    field_labels = {
        "spec.nodeName": ("spec", "nodeName"),
        "spec.restartPolicy": ("spec", "restartPolicy"),
        "spec.schedulerName": ("spec", "schedulerName"),
        "spec.serviceAccountName": ("spec", "serviceAccountName"),
        "spec.hostNetwork": ("spec", "hostNetwork"),
        "status.phase": ("status", "phase"),
        "status.podIP": ("status", "podIP"),
        "status.nominatedNodeName": ("status", "nominatedNodeName"),
    }

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            _tolerate(obj)
            obj["spec"].setdefault("priority", 0)
            obj["spec"].setdefault("preemptionPolicy", "PreemptLowerPriority")

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        obj["status"] = {"phase": "Pending", "qosClass": "BestEffort"}

    @override
    def grace(self, obj: Object, wanted: int | None) -> int | None:
        if not obj["spec"].get("nodeName") or obj.get("status", {}).get("phase") in _ENDED:
            return 0
        if wanted is not None:
            return wanted
        seconds: int = obj["spec"].get("terminationGracePeriodSeconds", 30)
        return seconds


def _tolerate(obj: Object) -> None:
    """Every pod bears it for five minutes that its node is not ready, or cannot be reached."""
    tolerations = obj["spec"].setdefault("tolerations", [])
    for key in _TOLERATED:
        if any(_bears(toleration, key) for toleration in tolerations):
            continue
        tolerations.append(
            {
                "key": key,
                "operator": "Exists",
                "effect": "NoExecute",
                "tolerationSeconds": _TOLERATED_SECONDS,
            }
        )


def _bears(toleration: Object, key: str) -> bool:
    return toleration.get("key", "") in ("", key) and toleration.get("effect", "") in ("", "NoExecute")
