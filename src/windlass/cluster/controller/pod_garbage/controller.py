from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key, format_time
from windlass.client import DeleteOptions, StrategicPatch
from windlass.cluster.controller.pod_garbage.census import OVERFLOW, Pods
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Node, Pod
from windlass.reconcile import Channel, Follow, KeyReconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from windlass.api import Change, Json
    from windlass.reconcile import Context

_OUT_OF_SERVICE: Final = "node.kubernetes.io/out-of-service"


@dataclass(frozen=True, kw_only=True)
class PodGarbageOptions:
    """What counts as garbage: `most_over` pods that are over may stay, a node is gone after `quarantine`.

    A pod that is deleted before it had a node is ended after `pause`: until then whoever holds it back by a
    finalizer sees it end by itself, as in a real cluster, where somebody looks every 20 seconds.
    """

    most_over: int = 12_500
    quarantine: timedelta = timedelta(seconds=40)
    pause: timedelta = timedelta(seconds=3)


def _itself(node: Node) -> Iterable[Key]:
    return (Key("", node.metadata.name),)


def _is_lost(change: Change[Any]) -> bool:
    """Whether a node is gone, or said to be out of service; heartbeats are not worth a look."""
    if change.new is None:
        return True
    taints = change.new.data.get("spec", {}).get("taints") or ()
    return any(each["key"] == _OUT_OF_SERVICE for each in taints)


class PodGarbageCollector(KeyReconciler):
    """Ends pods that no kubelet will end. A key without a namespace is that of a node."""

    name = "pod-garbage-collector"
    reads = (Watch(Pod), Watch(Node, to=_itself, when=_is_lost))

    def __init__(self, options: PodGarbageOptions | None = None) -> None:
        self._options = options or PodGarbageOptions()
        self._pods = Pods()
        self._missing: dict[str, datetime] = {}
        self._suspects = Channel()
        self.sources = (self._suspects,)
        self.follows = (Follow(Pod, self._hear),)

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        if key == OVERFLOW:
            for pod in self._pods.surplus(self._options.most_over):
                await _end(pod, ctx)
            return Result.ready()
        if not key.namespace:
            return await self._look_at_node(key.name, ctx)
        entry = self._pods.get(key)
        if entry is not None and entry.is_going and not entry.node:
            return await self._look_at_unbound(key, ctx)
        return Result.ready()

    def _hear(self, change: Change[Pod]) -> None:
        for key in self._pods.see(change):
            if key != OVERFLOW or self._pods.over > self._options.most_over:
                self._suspects.send(key, change.event)

    async def _look_at_unbound(self, key: Key, ctx: Context) -> Result[Any]:
        pod = await ctx.get(Pod, key.name, key.namespace)
        if pod is None or pod.metadata.deletion_timestamp is None:
            return Result.ready()
        left = pod.metadata.deletion_timestamp + self._options.pause - ctx.now
        if left > timedelta():
            return Result.waiting("Ending", "it may yet end by itself", again=left)
        await _end(key, ctx)
        return Result.ready()

    async def _look_at_node(self, name: str, ctx: Context) -> Result[Any]:
        pods = self._pods.on(name)
        node = await ctx.get(Node, name)
        if node is not None:
            self._missing.pop(name, None)
            if is_out_of_service(node):
                for pod in pods:
                    entry = self._pods.get(pod)
                    if entry is not None and entry.is_going:
                        await _end(pod, ctx)
            return Result.ready()
        if not pods:
            self._missing.pop(name, None)
            return Result.ready()
        left = self._missing.setdefault(name, ctx.now) + self._options.quarantine - ctx.now
        if left > timedelta():
            return Result.waiting("NodeMissing", f"pods are bound to {name}", again=left)
        return await self._mourn(name, pods, ctx)

    async def _mourn(self, name: str, pods: Iterable[Key], ctx: Context) -> Result[Any]:
        """End the pods of a node that the server does not have either, and look again for those that stay."""
        again: timedelta | None = None
        try:
            await ctx.live.get(Node, name)
        except NotFound:
            again = self._options.quarantine
            for pod in pods:
                await _end(pod, ctx, orphaned(ctx.now))
        del self._missing[name]
        return Result.ready(again=again)


def is_out_of_service(node: Node) -> bool:
    """Whether somebody has said that a node is down for good, and it has not come back."""
    ready = any(each.type == "Ready" and each.status == "True" for each in node.status.conditions)
    return not ready and any(each.key == _OUT_OF_SERVICE for each in node.spec.taints)


def orphaned(now: datetime) -> Json:
    """The condition of a pod whose node is gone."""
    return {
        "type": "DisruptionTarget",
        "status": "True",
        "reason": "DeletionByPodGC",
        "message": "PodGC: node no longer exists",
        "lastTransitionTime": format_time(now),
    }


def failure(pod: Pod, condition: Json | None) -> StrategicPatch | None:
    """What has a pod that is not over be over; None for one that is."""
    if pod.status.phase in ("Succeeded", "Failed"):
        return None
    generation = pod.metadata.generation
    status: Json = {"phase": "Failed", "observedGeneration": generation}
    if condition is not None:
        status["conditions"] = [{**condition, "observedGeneration": generation}]
    return StrategicPatch({"metadata": {"uid": pod.metadata.uid}, "status": status})


async def _end(key: Key, ctx: Context, condition: Json | None = None) -> None:
    """Have a pod fail, and delete it without any grace."""
    pod = await ctx.get(Pod, key.name, key.namespace)
    if pod is None:
        return
    failed = failure(pod, condition)
    try:
        if failed is not None:
            await ctx.patch(Pod, key.name, failed, key.namespace, subresource="status")
    except NotFound:
        return
    if not (pod.metadata.deletion_timestamp and pod.metadata.deletion_grace_period_seconds == 0):
        options = DeleteOptions(uid=pod.metadata.uid, grace_period=timedelta())
        await ctx.delete(Pod, key.name, key.namespace, options=options)
