"""What keeps pods running: Deployments, StatefulSets, DaemonSets, ReplicationControllers."""

from __future__ import annotations

from typing import Any, Final

_APPS: Final = "io.k8s.api.apps.v1"
_ROLLING: Final = "RollingUpdate"


def rolling_update(strategy: dict[str, Any]) -> None:
    """Pods are replaced gradually, at a pace that has defaults of its own, unless another way is chosen."""
    if strategy.get("type") in (None, "", _ROLLING):
        strategy.setdefault("rollingUpdate", {})


def no_pace(strategy: dict[str, Any]) -> None:
    """Another way has no pace; one that is given nevertheless shows as zero in the refusal that follows."""
    pace = strategy.get("rollingUpdate")
    if pace is not None and strategy.get("type") not in (None, "", _ROLLING):
        pace.setdefault("maxUnavailable", 0)
        pace.setdefault("maxSurge", 0)


def stateful_update(strategy: dict[str, Any]) -> None:
    """The same for a StatefulSet, but only where nothing is said of the way."""
    if not strategy.get("type"):
        strategy["type"] = _ROLLING
        strategy.setdefault("rollingUpdate", {})


def claim_kind(spec: dict[str, Any]) -> None:
    """The templates of claims say what they are."""
    for claim in spec.get("volumeClaimTemplates") or ():
        claim["apiVersion"] = "v1"
        claim["kind"] = "PersistentVolumeClaim"


def selector_of_template(controller: dict[str, Any]) -> None:
    """A controller without a selector selects the pods of its template, and has their labels."""
    labels = (controller.get("spec", {}).get("template") or {}).get("metadata", {}).get("labels")
    if not labels:
        return
    if not controller["spec"].get("selector"):
        controller["spec"]["selector"] = dict(labels)
    meta = controller.setdefault("metadata", {})
    if not meta.get("labels"):
        meta["labels"] = dict(labels)


RULES: Final = {
    f"{_APPS}.DaemonSetUpdateStrategy": (rolling_update,),
    f"{_APPS}.DeploymentStrategy": (rolling_update, no_pace),
    f"{_APPS}.StatefulSetSpec": (claim_kind,),
    f"{_APPS}.StatefulSetUpdateStrategy": (stateful_update,),
    "io.k8s.api.core.v1.ReplicationController": (selector_of_template,),
}
