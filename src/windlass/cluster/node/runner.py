from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.api import Key, Selection
from windlass.client import DeleteOptions
from windlass.cluster.node.config import Config
from windlass.cluster.node.pod import Host, Pace, PodLife, Seen, advance, recover, status
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from windlass.cluster.node.nodes import Nodes
    from windlass.cluster.node.pod import Step
    from windlass.cluster.node.runtime import Runtime
    from windlass.cluster.node.state import NodeState
    from windlass.kinds.core.v1.pod import PodStatus

_OVER: Final = ("Failed", "Succeeded")
_AT_ONCE: Final = timedelta(milliseconds=1)
_MOST_STEPS: Final = 100  # that a pod can take without time passing, far more than it has containers


class PodRunner(Reconciler[Pod]):
    """Runs the pods of our nodes: one step of each pod's life after the other, until nothing changes now."""

    name = "pod"
    selection = Selection(fields="spec.nodeName!=")
    until_gone = True

    def __init__(self, nodes: Nodes, runtime: Runtime) -> None:
        self._nodes = nodes
        self._runtime = runtime
        self._knows_addresses = False
        self._pace = Pace(nodes.options.moment, nodes.options.backoff)
        self.sources = (nodes.wake_pod,)

    @override
    async def reconcile(self, pod: Pod, ctx: Context) -> Result[PodStatus]:
        state = self._nodes.states.get(pod.spec.node_name or "")
        if state is None:
            return Result.ready()
        self._nodes.arrived(ctx.key, state)
        if not state.is_up or state.network is None:
            await self._abandon(ctx.key)
            return Result.ready()
        life = await self._known(pod, state, ctx)
        if life is None:
            return await self._bury(pod, ctx)
        step = await self._live(pod, life, ctx)
        self._nodes.lives[ctx.key] = step.life
        new = status(pod, step.life, Host(state.address), ctx.now)
        if pod.metadata.deletion_timestamp is not None and step.life.is_at_rest:
            with suppress(NotFound):  # it was deleted by force
                await ctx.checkpoint(new)  # people see how it ended
            return await self._bury(pod, ctx)
        wait = None if step.due is None else max(step.due - ctx.now, _AT_ONCE)
        return Result.ready(new, again=wait)

    @override
    async def forget(self, key: Key) -> None:
        life = self._nodes.lives.get(key)
        if life is not None:
            await self._runtime.abandon(life)
        self._nodes.forget(key)

    async def _known(self, pod: Pod, state: NodeState, ctx: Context) -> PodLife | None:
        """What is known of the pod; None for one that is over and has to be buried only."""
        life = self._nodes.lives.get(ctx.key)
        if life is not None and life.uid != pod.metadata.uid:  # another one had the name
            await self.forget(ctx.key)
            self._nodes.arrived(ctx.key, state)
            life = None
        if life is None:
            if pod.metadata.deletion_timestamp and pod.status.phase in _OVER:
                return None
            life = recover(pod, ctx.now)
            await self._respect_addresses(ctx)
        if not life.address and not pod.spec.host_network:
            life = replace(life, address=state.address_for(life.uid))
        return life

    async def _respect_addresses(self, ctx: Context) -> None:
        """Know the addresses of all pods that ran before this process did, before the first one is given."""
        if self._knows_addresses:
            return
        for pod in await ctx.list(Pod):
            state = self._nodes.states.get(pod.spec.node_name or "")
            if state is not None and pod.status.pod_ip:
                state.take(pod.status.pod_ip, pod.metadata.uid)
        self._knows_addresses = True

    async def _live(self, pod: Pod, life: PodLife, ctx: Context) -> Step:
        """Take one step after the other, until one changes nothing."""
        config = Config(pod, ctx.live)
        for _ in range(_MOST_STEPS):
            seen = await self._look(pod, life, config, ctx)
            step = advance(pod, life, seen)
            await self._do(pod, step, ctx)
            if step.life == life:
                return step
            life = step.life
            self._nodes.lives[ctx.key] = life
        raise RuntimeError(f"the life of pod {ctx.key} does not come to rest")

    async def _look(self, pod: Pod, life: PodLife, config: Config, ctx: Context) -> Seen:
        looks = self._runtime.looks(pod, life, ctx.now)
        return Seen(
            now=ctx.now,
            pace=self._pace,
            looks=looks,
            unpullable=self._runtime.unpullable(pod),
            unfit=await config.unfit(life),
            unmounted="" if life.has_sandbox else await config.unmounted(),
        )

    async def _do(self, pod: Pod, step: Step, ctx: Context) -> None:
        for name in step.starts:
            await self._runtime.start(pod, step.life.containers[name], name)
        for stop in step.stops:
            await self._runtime.stop(step.life.containers[stop.container], stop.grace)
        if self._nodes.options.events:
            for told in (*self._runtime.told(step.life), *step.told):
                ctx.event(told.reason, told.message, warning=told.warning)

    async def _bury(self, pod: Pod, ctx: Context) -> Result[PodStatus]:
        """Let a pod go that is deleted, and of which nothing runs any more."""
        options = DeleteOptions(grace_period=timedelta(), uid=pod.metadata.uid)
        await ctx.delete(Pod, pod.metadata.name, options=options)
        return Result.ready()

    async def _abandon(self, key: Key) -> None:
        """End what a pod runs, without a word to anybody."""
        life = self._nodes.lives.pop(key, None)
        if life is not None:
            await self._runtime.abandon(life)
