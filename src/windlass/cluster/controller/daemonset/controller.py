from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import LabelSelector
from windlass.client import DeleteOptions
from windlass.cluster.controller.claim import by_controller, claimed, is_orphan
from windlass.cluster.controller.daemonset.backoff import Backoff
from windlass.cluster.controller.daemonset.desired import REVISION, pod_on, revision_of
from windlass.cluster.controller.daemonset.eligible import places
from windlass.cluster.controller.daemonset.plan import Create, Rules, placing, updating
from windlass.cluster.controller.daemonset.status import status_of
from windlass.cluster.controller.history import in_order, present_revision, surplus
from windlass.cluster.controller.pod_state import counts_otherwise, next_available
from windlass.cluster.controller.stepwise import step_by_step
from windlass.errors import ApiError
from windlass.kinds.apps.v1 import ControllerRevision, DaemonSet, DaemonSetStatus
from windlass.kinds.core.v1 import Node, Pod
from windlass.reconcile import Index, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import timedelta

    from windlass.api import Change, Key
    from windlass.cluster.controller.daemonset.eligible import Place
    from windlass.cluster.controller.daemonset.plan import Step
    from windlass.reconcile import Context


_PODS: Final = Index(Pod, by_controller)
_REVISIONS: Final = Index(ControllerRevision, by_controller)


def _all_nodes(_: DaemonSet) -> LabelSelector:
    return LabelSelector()


def _takes_others(change: Change[Any]) -> bool:
    """Whether a node may want other pods than before; most of what changes are its heartbeats."""
    if change.old is None or change.new is None:
        return True
    old, new = change.old.data, change.new.data
    taints = [(each.get("spec") or {}).get("taints") for each in (old, new)]
    return taints[0] != taints[1] or old["metadata"].get("labels") != new["metadata"].get("labels")


class DaemonSetController(Reconciler[DaemonSet]):
    """Puts a pod on each node that will have it, and replaces old ones a few at a time."""

    owns = (Owns(Pod, when=counts_otherwise), ControllerRevision)
    reads = (
        Watch(Node, selects=_all_nodes, when=_takes_others),
        Watch(Pod, selects=lambda daemon_set: daemon_set.spec.selector, when=is_orphan),
    )
    indexes = (_PODS, _REVISIONS)

    def __init__(self) -> None:
        self._backoff = Backoff()

    @override
    async def reconcile(self, resource: DaemonSet, ctx: Context) -> Result[DaemonSetStatus]:
        selector = resource.spec.selector.selector()
        await claimed(ctx, resource, _PODS, selector)
        history = in_order(await claimed(ctx, resource, _REVISIONS, selector))
        present, collisions = await present_revision(
            history, lambda taken: revision_of(resource, taken), resource.status.collision_count, ctx
        )
        rules = Rules(resource, present.metadata.labels[REVISION], ctx.now)
        work = _Round(rules, await ctx.list(Node), self._backoff, ctx)
        await step_by_step(work.plan, work.act)
        pods = [pod for place in work.seen for pod in place.pods]
        used = {pod.metadata.labels.get(REVISION) for pod in pods}
        old = [each for each in history if each.metadata.name != present.metadata.name]
        live = [each.metadata.name for each in old if each.metadata.labels.get(REVISION) in used]
        for each in surplus(old, live, resource.spec.revision_history_limit):
            await ctx.delete(ControllerRevision, each.metadata.name)
        soon = next_available(pods, resource.spec.min_ready_seconds, ctx.now)
        waits = [*work.resting.values(), *([soon] if soon else [])]
        return Result.ready(status_of(work.seen, rules, collisions), again=min(waits, default=None))

    @override
    async def forget(self, key: Key) -> None:
        self._backoff.forget(key)


class _Round:
    """One run for one set: what it saw last, and what it does."""

    def __init__(self, rules: Rules, nodes: Sequence[Node], backoff: Backoff, ctx: Context) -> None:
        self._rules = rules
        self._nodes = nodes
        self._backoff = backoff
        self._ctx = ctx
        self.seen: Sequence[Place] = ()
        self.resting: Mapping[str, timedelta] = {}

    async def plan(self) -> Sequence[Step]:
        """Look, and tell what to do: to have pods in their places comes before updating them."""
        owner, ctx = self._rules.owner, self._ctx
        selector = owner.spec.selector.selector()
        pods = [pod for pod in await ctx.owned(Pod) if selector.matches(pod.metadata.labels)]
        self.seen = places(owner, self._nodes, pods)
        broken = [each.name for each in self.seen if any(pod.status.phase == "Failed" for pod in each.pods)]
        self.resting = self._backoff.resting(ctx.key, broken, ctx.now)
        return placing(self.seen, self._rules, self.resting) or updating(self.seen, self._rules)

    async def act(self, step: Step) -> None:
        """Make a pod, or delete one."""
        if isinstance(step, Create):
            await self._create(step.node)
            return
        for place in self.seen:
            for pod in place.pods:
                if pod.metadata.uid == step.uid:
                    self._tell_why(pod, place.name)
        await self._ctx.delete(Pod, step.name, options=DeleteOptions(uid=step.uid))
        self._ctx.event("SuccessfulDelete", f"Deleted pod: {step.name}")

    async def _create(self, node: str) -> None:
        try:
            pod = await self._ctx.create(pod_on(self._rules.owner, self._rules.revision, node))
        except ApiError as error:
            self._ctx.event("FailedCreate", f"Error creating: {error}", warning=True)
            raise
        self._ctx.event("SuccessfulCreate", f"Created pod: {pod.metadata.name}")

    def _tell_why(self, pod: Pod, node: str) -> None:
        """Tell people of a pod that ended, which a daemon does not do; a node that failed it has to rest."""
        ctx = self._ctx
        found = f"daemon pod {ctx.key.namespace}/{pod.metadata.name} on node {node}, will try to"
        if pod.status.phase == "Failed":
            self._backoff.failed(ctx.key, node, ctx.now)
            ctx.event("FailedDaemonPod", f"Found failed {found} kill it", warning=True)
        elif pod.status.phase == "Succeeded":
            ctx.event("SucceededDaemonPod", f"Found succeeded {found} delete it")
