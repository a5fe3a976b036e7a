"""Deployments with their replica sets, as tables of tests describe them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.cluster.controller.deployment.rollout import DESIRED_REPLICAS, MAX_REPLICAS, REVISION, Rollout
from windlass.kinds.apps.v1 import Deployment, ReplicaSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json

_LABELS = {"matchLabels": {"app": "web"}}


def rollout(*, sets: Sequence[tuple[int, int]], replicas: int, new: bool = True, **said: Any) -> Rollout:
    """A rollout of `web`: `set-0` is the oldest set, the last one is new unless `new` is false.

    Each set has a size and a number of available pods. `limits` are maxSurge and maxUnavailable, `told` what
    is written on the sets of the size of the whole and of its limit; `pods`, `terminating` and `unobserved`
    (the numbers of sets) differ from what the sizes say. What else is said belongs to the spec.
    """
    made = [_replica_set(number, len(sets), each, new=new, said=said) for number, each in enumerate(sets)]
    return Rollout.of(_deployment(replicas, said), made)


def _deployment(replicas: int, said: dict[str, Any]) -> Deployment:
    surge, unavailable = said.get("limits", (1, 0))
    limits = {"maxSurge": surge, "maxUnavailable": unavailable}
    strategy: Json = {"type": "RollingUpdate", "rollingUpdate": limits}
    spec = {
        "replicas": replicas,
        "selector": _LABELS,
        "template": _template("new"),
        "strategy": {"type": "Recreate"} if said.get("recreate") else strategy,
        "paused": said.get("paused", False),
        **said.get("spec", {}),
    }
    metadata = {"name": "web", "namespace": "default", "generation": 2, **said.get("metadata", {})}
    return Deployment.from_wire({"metadata": metadata, "spec": spec, "status": said.get("status", {})})


def _replica_set(
    number: int, count: int, size_and_available: tuple[int, int], *, new: bool, said: dict[str, Any]
) -> ReplicaSet:
    size, available = size_and_available
    desired, most = said.get("told", (None, None))
    annotations = {REVISION: str(number + 1)}
    annotations |= {DESIRED_REPLICAS: str(desired)} if desired is not None else {}
    annotations |= {MAX_REPLICAS: str(most)} if most is not None else {}
    is_new = new and number == count - 1
    return ReplicaSet.from_wire(
        {
            "metadata": {
                "name": f"set-{number}",
                "namespace": "default",
                "generation": 2,
                "creationTimestamp": f"2026-01-0{number + 1}T00:00:00Z",
                "annotations": annotations,
            },
            "spec": {
                "replicas": size,
                "selector": _LABELS,
                "template": _template("new" if is_new else number),
            },
            "status": {
                "replicas": said["pods"][number] if "pods" in said else size,
                "readyReplicas": available,
                "availableReplicas": available,
                "terminatingReplicas": said["terminating"][number] if "terminating" in said else 0,
                "observedGeneration": 1 if number in said.get("unobserved", ()) else 2,
                "conditions": said.get("failures", {}).get(number, []),
            },
        }
    )


def _template(tag: object) -> Json:
    containers = [{"name": "main", "image": f"web:{tag}"}]
    return {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": containers}}
