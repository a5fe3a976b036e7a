from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.client import DeleteOptions, StrategicPatch
from windlass.cluster.scheduler.ledger import Ledger
from windlass.cluster.scheduler.preemption import Clearance, clear, ineligible
from windlass.cluster.scheduler.report import unschedulable, victim_condition
from windlass.cluster.scheduler.search import Search, Wanted, choose, search
from windlass.cluster.scheduler.sight import SCHEDULER, Sight, is_waiting
from windlass.cluster.scheduler.storage import BY_CLASS, look_up, provide
from windlass.cluster.scheduler.stuck import Stuck
from windlass.cluster.scheduler.verdict import Rule, told
from windlass.cluster.scheduler.volume import Volumes, objection
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod
from windlass.kinds.policy.v1 import PodDisruptionBudget
from windlass.kinds.storage.v1 import StorageClass
from windlass.reconcile import Channel, Context, Follow, Reconciler, Result, Watch

if TYPE_CHECKING:
    from random import Random

    from windlass.api import Key
    from windlass.cluster.scheduler.pod import PodInfo

_LONGEST_NOTE: Final = 1024
_LOOK_AGAIN: Final = timedelta(minutes=5)
_NO_CLAIMS: Final = "no new claims to deallocate"
"""What the real one always says of devices, where a pod has no claims to any."""
_NO_NODES: Final = "no nodes available to schedule pods"


class Scheduler(Reconciler[Pod]):
    """Gives each pod that asks for the default scheduler a node, by the rules of the real one.

    A decision is made in one go, without a wait, from a ledger that every change of pods and nodes is entered
    in. From then on the pod counts as placed, before the cluster knows. Pods are taken by `rank`.
    """

    name = "scheduler"
    reporter = "default-scheduler"
    reads = (
        Watch(Node),
        Watch(Namespace),
        Watch(PersistentVolumeClaim),
        Watch(PersistentVolume),
        Watch(StorageClass),
        Watch(PodDisruptionBudget),
    )
    indexes = (BY_CLASS,)
    when = is_waiting

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._ledger = Ledger()
        self._stuck = Stuck()
        self._next = 0
        woken = Channel()
        sight = Sight(self._ledger, self._stuck, woken)
        self.sources = (woken,)
        self.follows = (
            Follow(Pod, sight.see_pod),
            Follow(Node, sight.see_node),
            Follow(Namespace, sight.see_namespace),
            Follow(PersistentVolumeClaim, sight.see_storage),
            Follow(PersistentVolume, sight.see_storage),
            Follow(StorageClass, sight.see_storage),
        )

    def rank(self, key: Key) -> float:
        """Which of the pods that wait goes first: the most important."""
        pod = self._ledger.waiting.get(key)
        return -pod.priority if pod else 0.0

    async def reconcile(self, pod: Pod, ctx: Context) -> Result[Any]:
        """Find a node and bind the pod to it; or tell why there is none, and make room if the pod may."""
        if pod.spec.scheduler_name != SCHEDULER:  # not every wake asks `when`
            return Result.ready()
        found = await look_up(pod, ctx)
        info = self._ledger.waiting.get(ctx.key)
        if info is None or info.uid != pod.metadata.uid or pod.spec.scheduling_gates:
            return Result.ready()
        volumes = Volumes(found) if found else None
        wanted = Wanted(info, pod.spec, volumes.check if volumes else None)
        refused = objection(pod, found) if found else ""
        result = Search() if refused else search(wanted, self._ledger, self._next)
        if not result.fits:
            return await self._refuse(pod, wanted, result, refused, ctx)
        self._next = (self._next + result.looked) % len(self._ledger.nodes)
        state = choose(wanted, result.fits, self._ledger, self._chance)
        if volumes and state.node and await provide(volumes, state.node, ctx):
            self._stuck.put(ctx.key, (Rule.VOLUME,))
            return Result.waiting("VolumesUnbound", f"its volumes are being bound on {state.name}")
        return await self._bind(info, state.name, ctx)

    async def _bind(self, pod: PodInfo, node: str, ctx: Context) -> Result[Any]:
        self._ledger.assume(pod, node)
        self._stuck.drop(pod.key)
        form = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": pod.key.name, "namespace": pod.key.namespace, "uid": pod.uid},
            "target": {"kind": "Node", "name": node},
        }
        try:
            await ctx.post(Pod, pod.key.name, "binding", form)
        except NotFound:
            self._ledger.drop(pod.key)
            return Result.ready(reason="Gone")
        except BaseException:
            self._ledger.release(pod)
            raise
        ctx.event("Scheduled", f"Successfully assigned {pod.key} to {node}")
        return Result.ready(reason="Scheduled")

    async def _refuse(
        self, pod: Pod, wanted: Wanted, result: Search, refused: str, ctx: Context
    ) -> Result[Any]:
        """Tell why no node does, once others have been sent away from one where that is allowed and helps."""
        rules = {Rule.VOLUME} if refused else {each.rule for each in result.verdicts.values()}
        self._stuck.put(ctx.key, rules or tuple(Rule))
        total, nominated = len(self._ledger.nodes), pod.status.nominated_node_name
        if not total:
            return await self._tell(pod, _NO_NODES, "", ctx)
        message = (
            f"0/{total} nodes are available: {refused}." if refused else told(total, result.verdicts.values())
        )
        why = ineligible(wanted, self._ledger, result.verdicts)
        if why:
            return await self._tell(pod, f"{message} {_NO_CLAIMS}, preemption: {why}", nominated, ctx)
        budgets = await ctx.list(PodDisruptionBudget)
        cleared = clear(wanted, self._ledger, result.verdicts, budgets, self._chance)
        if isinstance(cleared, str):
            return await self._tell(pod, f"{message} {_NO_CLAIMS}, preemption: {cleared}", "", ctx)
        await self._send_away(pod, cleared, ctx)
        return await self._tell(pod, message, cleared.node, ctx)

    async def _tell(self, pod: Pod, message: str, nominated: str, ctx: Context) -> Result[Any]:
        patch = unschedulable(pod, message, nominated, ctx.now)
        if patch:
            await ctx.patch(Pod, ctx.key.name, StrategicPatch({"status": patch}), subresource="status")
        ctx.event("FailedScheduling", message[:_LONGEST_NOTE], warning=True)
        return Result.waiting("Unschedulable", message, again=_LOOK_AGAIN)

    async def _send_away(self, pod: Pod, cleared: Clearance, ctx: Context) -> None:
        """Have the pods go that are in the way of a more important one."""
        for victim in cleared.victims:
            namespace, name = victim.key
            found = await ctx.get(Pod, name, namespace)
            if found is None or found.metadata.uid != victim.uid:
                continue
            status = {"conditions": [victim_condition(found, ctx.now)]}
            patch = StrategicPatch({"metadata": {"uid": victim.uid}, "status": status})
            try:
                await ctx.patch(Pod, name, patch, namespace, subresource="status")
            except NotFound:
                continue
            await ctx.delete(Pod, name, namespace, options=DeleteOptions(uid=victim.uid))
            said = f"Preempted by pod {pod.metadata.uid} on node {cleared.node}"
            ctx.event("Preempted", said, about=found)
