from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key, Selection, format_time
from windlass.client import DeleteOptions, MergePatch, StrategicPatch
from windlass.cluster.controller.node_lifecycle.eviction import eviction_condition, stay
from windlass.cluster.controller.node_lifecycle.health import lost_conditions, next_taints, readiness
from windlass.cluster.controller.node_lifecycle.options import NodeLifecycleOptions
from windlass.cluster.controller.node_lifecycle.roll import Roll
from windlass.errors import NotFound
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import Node, Pod
from windlass.reconcile import Channel, Context, Follow, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change

_LEASES: Final = "kube-node-lease"
_MOMENT: Final = timedelta(milliseconds=1)


def _node_of(lease: Lease) -> Iterable[Key]:
    return (Key("", lease.metadata.name),)


def _is_new(change: Change[Any]) -> bool:
    """Whether a node begins to be expected to be heard of; to see that it falls silent, a timer does."""
    return change.old is None


class NodeLifecycle(Reconciler[Node]):
    """Finds nodes that have fallen silent, taints nodes by their conditions, and drives pods off.

    A node that has never had a lease is not expected to renew one, and is never found lost.
    """

    name = "node-lifecycle"
    reporter = "node-controller"
    reads = (Watch(Lease, to=_node_of, when=_is_new, selection=Selection(namespace=_LEASES)), Watch(Pod))

    def __init__(self, options: NodeLifecycleOptions | None = None) -> None:
        self._options = options or NodeLifecycleOptions()
        self._heard: dict[str, datetime] = {}
        self._tainted: dict[Key, datetime] = {}
        woken = Channel()
        self._roll = Roll(woken)
        self.sources = (woken,)
        self.follows = (Follow(Pod, self._roll.see_pod), Follow(Node, self._roll.see_node))

    async def reconcile(self, node: Node, ctx: Context) -> Result[Any]:
        """Look whether the node was heard of, and see that conditions, taints and pods agree with that."""
        name = node.metadata.name
        lost_at = await self._lost_at(node, ctx)
        if lost_at is not None and lost_at <= ctx.now:
            node = await self._lose(node, ctx)
        taints = next_taints(node, ctx.now, evicts=self._roll.evicts)
        if taints is not None:
            version = {"resourceVersion": node.metadata.resource_version}
            patch = MergePatch({"metadata": version, "spec": {"taints": taints or None}})
            node = await ctx.patch(Node, name, patch)
        due = [await self._drive_off(node, ctx), lost_at]
        left = [each - ctx.now for each in due if each is not None and each > ctx.now]
        return Result.ready(again=max(min(left), _MOMENT) if left else None)

    async def forget(self, key: Key) -> None:
        """Let go of what was heard of a node."""
        self._heard.pop(key.name, None)
        self._tainted.pop(key, None)

    async def _lost_at(self, node: Node, ctx: Context) -> datetime | None:
        """When a node is lost unless it is heard of before; by our clock, since that of a node may err."""
        name = node.metadata.name
        lease = await ctx.get(Lease, name, _LEASES)
        if lease is None:
            return None
        before = self._heard.get(name)
        if before is None:
            ctx.event("RegisteredNode", f"Node {name} event: Registered Node {name} in Controller")
        renewed = lease.spec.renew_time
        heard = ctx.now if before is None or renewed is None else max(before, min(renewed, ctx.now))
        self._heard[name] = heard
        options = self._options
        return heard + (options.grace if readiness(node) else options.startup_grace)

    async def _lose(self, node: Node, ctx: Context) -> Node:
        """Say that nothing is known of a node, and that its pods are not ready."""
        conditions = lost_conditions(node, ctx.now)
        if not conditions:
            return node
        was_ready, name = readiness(node) == "True", node.metadata.name
        patch = StrategicPatch({"status": {"conditions": conditions}})
        lost = await ctx.patch(Node, name, patch, subresource="status")
        if was_ready:
            ctx.event("NodeNotReady", f"Node {name} status is now: NodeNotReady")
            for key in self._roll.pods_on(name):
                await self._mark_not_ready(key, ctx)
        return lost

    async def _mark_not_ready(self, key: Key, ctx: Context) -> None:
        pod = await ctx.get(Pod, key.name, key.namespace)
        if pod is None or not any(
            each.type == "Ready" and each.status == "True" for each in pod.status.conditions
        ):
            return
        said = {"type": "Ready", "status": "False", "lastTransitionTime": format_time(ctx.now)}
        if await _patched(pod, {"conditions": [said]}, ctx):
            ctx.event("NodeNotReady", "Node is not ready", warning=True, about=pod)

    async def _drive_off(self, node: Node, ctx: Context) -> datetime | None:
        """Delete pods whose time on a tainted node is over; returns when the next one's is."""
        taints = [each for each in node.spec.taints if each.effect == "NoExecute"]
        if not taints:
            self._tainted.pop(ctx.key, None)
            return None
        began = self._tainted.setdefault(ctx.key, ctx.now)
        since = max(each.time_added or began for each in taints)
        soonest: datetime | None = None
        for key in self._roll.pods_on(node.metadata.name):
            pod = await ctx.get(Pod, key.name, key.namespace)
            if pod is None or pod.metadata.deletion_timestamp is not None:
                continue
            limit = stay(pod.spec.tolerations, taints)
            if limit is None:
                continue
            due = max(since, pod.metadata.creation_timestamp or since) + limit
            if due > ctx.now:
                soonest = min(soonest or due, due)
            elif await _patched(pod, {"conditions": [eviction_condition(pod, ctx.now)]}, ctx):
                ctx.event("TaintManagerEviction", f"Marking for deletion Pod {key}", about=pod)
                options = DeleteOptions(uid=pod.metadata.uid)
                await ctx.delete(Pod, key.name, key.namespace, options=options)
        return soonest


async def _patched(pod: Pod, status: dict[str, Any], ctx: Context) -> bool:
    """Change the status of this very pod; False where it is gone."""
    metadata = pod.metadata
    patch = StrategicPatch({"metadata": {"uid": metadata.uid}, "status": status})
    try:
        await ctx.patch(Pod, metadata.name, patch, metadata.namespace, subresource="status")
    except NotFound:
        return False
    return True
