from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver import admission
from windlass.apiserver.kind.builtin import BuiltinTraits
from windlass.apiserver.kind.pod_part import keep_observations, only_ephemeral_containers, only_resources
from windlass.apiserver.kind.pod_setting import merge_label_keys, read_profiles
from windlass.apiserver.kind.topology import inherit_topology
from windlass.apiserver.validation.quality import quality_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.world import World

Object = dict[str, Any]

_ENDED: Final = ("Succeeded", "Failed")
_GATED: Final = {
    "type": "PodScheduled",
    "status": "False",
    "lastProbeTime": None,
    "reason": "SchedulingGated",
    "message": "Scheduling is blocked due to non-empty scheduling gates",
}


def _shares_network(pod: Mapping[str, Any]) -> str:
    return "true" if pod["spec"].get("hostNetwork") else "false"


def _nothing(_pod: Mapping[str, Any]) -> str:
    return ""


class PodTraits(BuiltinTraits):
    """A pod starts as pending, and is given time to end once it has a node."""

    field_labels = {
        "spec.nodeName": ("spec", "nodeName"),
        "spec.host": ("spec", "nodeName"),
        "spec.restartPolicy": ("spec", "restartPolicy"),
        "spec.schedulerName": ("spec", "schedulerName"),
        "spec.serviceAccountName": ("spec", "serviceAccountName"),
        "spec.hostNetwork": _shares_network,
        "status.phase": ("status", "phase"),
        "status.podIP": ("status", "podIP"),
        "status.podIPs": _nothing,
        "status.nominatedNodeName": ("status", "nominatedNodeName"),
    }

    runs_as_account = False
    """Whether a pod needs a ServiceAccount, which it must have where there are controllers to make them."""

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            admission.set_limits(obj, world)
            if self.runs_as_account:
                admission.set_account(obj, world)
        admission.set_priority(obj, old, world)
        admission.tolerate(obj)
        if old is None:
            admission.set_runtime(obj, world)
            inherit_topology(obj, world)

    @override
    def permit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            admission.check_limits(obj, world)
            if self.runs_as_account:
                admission.check_account(obj, world)
            admission.check_overhead(obj, world)

    @override
    def admit_part(self, part: str, obj: Object, old: Object | None, world: World) -> None:
        if part == "resize" and old and "deletionTimestamp" not in old["metadata"]:
            admission.set_limits(obj, world)

    @override
    def permit_part(self, part: str, obj: Object, old: Object | None, world: World) -> None:
        if part == "resize" and old:
            if "deletionTimestamp" not in old["metadata"]:
                admission.check_limits(obj, world)
            admission.check_resize(obj, old, world)
        elif part == "ephemeralcontainers" and self.runs_as_account:
            admission.check_added_containers(obj, world)

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        said = (obj.get("status") or {}).get("qosClass")
        obj["status"] = {"phase": "Pending", "qosClass": said or quality_of(obj["spec"])}
        if obj["spec"].get("schedulingGates"):
            obj["status"]["conditions"] = [{**_GATED, "lastTransitionTime": world.now()}]
        merge_label_keys(obj)
        read_profiles(obj)

    @override
    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_status(obj, old, world)
        keep_observations(obj, old)

    @override
    def prepare_part(self, part: str, obj: Object, old: Object, world: World) -> None:
        if part == "ephemeralcontainers":
            only_ephemeral_containers(obj, old)
        elif part == "resize":
            only_resources(obj, old)
        else:
            super().prepare_part(part, obj, old, world)

    @override
    def reset(self, subresource: str) -> Object:
        # The real server forgets to say what these two leave alone, so whoever writes there owns even that.
        return {} if subresource in ("ephemeralcontainers", "resize") else super().reset(subresource)

    @override
    def grace(self, obj: Object, wanted: int | None) -> int | None:
        if not obj["spec"].get("nodeName") or obj.get("status", {}).get("phase") in _ENDED:
            return 0
        if wanted is not None:
            return wanted
        seconds: int = obj["spec"].get("terminationGracePeriodSeconds", 30)
        return seconds
