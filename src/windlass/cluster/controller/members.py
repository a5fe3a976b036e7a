"""The pods of a set, each as far as the set has to know it, since there may be very many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.cluster.controller.claim import by_controller, claimed, orphans_in
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Json, LabelSelector, Resource, Snapshot
    from windlass.reconcile import Context

PODS: Final = Index(Pod, by_controller)
"""To be declared by a reconciler that asks for members."""
_OF_POD: Final = ("name", "namespace", "uid", "labels", "creationTimestamp", "deletionTimestamp")
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"


def _stays(pod: Pod) -> bool:
    return pod.metadata.deletion_timestamp is None


async def members(
    ctx: Context, owner: Resource, selector: LabelSelector, may_move: Callable[[Pod], bool] = _stays
) -> list[Pod]:
    """The pods that an owner controls and selects, as glimpses: look at them, do not write them.

    Pods change hands before, where there are any to take or to let go; to look for those is cheap.
    """
    wanted = selector.selector()
    orphans = await ctx.list(Pod, labels=wanted, index=PODS, value=orphans_in(owner.metadata.namespace))
    if orphans:
        await claimed(ctx, owner, PODS, wanted, may_move)
    found = await ctx.glance(Pod)
    ours = [each for each in found if wanted.matches(each.metadata.get("labels") or {})]
    if len(ours) < len(found):
        await claimed(ctx, owner, PODS, wanted, may_move)
    return [glimpse(each) for each in ours]


def glimpse(snapshot: Snapshot[Pod]) -> Pod:
    """A pod as far as its set has to know it: who it is, where, and how it is."""
    data = snapshot.data
    spec, status = data["spec"], data.get("status") or {}
    of_nodes = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    ready = [each for each in status.get("conditions") or () if each["type"] == "Ready"]
    return Pod.from_wire(
        {
            "metadata": _chosen(data["metadata"], *_OF_POD),
            "spec": {
                "containers": [],
                **_chosen(spec, "nodeName"),
                "affinity": {"nodeAffinity": _chosen(of_nodes, _REQUIRED)},
            },
            "status": {**_chosen(status, "phase"), "conditions": ready},
        }
    )


def _chosen(data: Mapping[str, Any], *names: str) -> Json:
    return {name: data[name] for name in names if name in data}
