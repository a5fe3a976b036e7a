"""What the server takes and does not keep: fields of features that are off, and lists that are empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.apiserver.defaulting.plan import Rule

_CORE: Final = "io.k8s.api.core.v1"


def drop(*fields: str) -> Rule:
    """The rule that drops some fields."""

    def dropping(structure: dict[str, Any]) -> None:
        for field in fields:
            structure.pop(field, None)

    return dropping


def null(*lists: str) -> Rule:
    """The rule that makes empty lists null: the storage does not tell the two apart."""

    def emptying(structure: dict[str, Any]) -> None:
        for name in lists:
            structure[name] = structure.get(name) or None

    return emptying


def no_stop_signal(container: dict[str, Any]) -> None:
    """Drop the stop signal, and the lifecycle with it where it had nothing else."""
    lifecycle = container.get("lifecycle")
    if lifecycle and "stopSignal" in lifecycle:
        del lifecycle["stopSignal"]
        if not lifecycle:
            del container["lifecycle"]


LATE_RULES: Final[dict[str, tuple[Rule, ...]]] = {
    "io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy": (drop("maxUnavailable"),),
    "io.k8s.api.coordination.v1.LeaseSpec": (drop("preferredHolder", "strategy"),),
    "io.k8s.api.discovery.v1.EndpointSlice": (null("endpoints", "ports"),),
    "io.k8s.api.rbac.v1.ClusterRole": (null("rules"),),
    "io.k8s.api.rbac.v1.Role": (null("rules"),),
    "io.k8s.api.storage.v1.CSIDriverSpec": (drop("preventPodSchedulingIfMissing"),),
    f"{_CORE}.Container": (no_stop_signal,),
    f"{_CORE}.EphemeralContainer": (no_stop_signal,),
    f"{_CORE}.LimitRangeSpec": (null("limits"),),
    f"{_CORE}.NodeSpec": (drop("configSource"),),
    f"{_CORE}.PodSpec": (drop("schedulingGroup"),),
    f"{_CORE}.VolumeProjection": (drop("clusterTrustBundle", "podCertificate"),),
}
