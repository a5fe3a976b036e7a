from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.api import LabelSelector
from windlass.cluster.controller.claim import by_controller, claimed, is_orphan
from windlass.cluster.controller.daemon_set.backoff import Backoff
from windlass.cluster.controller.daemon_set.desired import REVISION, pod_on, revision_of
from windlass.cluster.controller.daemon_set.eligible import places
from windlass.cluster.controller.daemon_set.plan import Create, Rules, placing, updating
from windlass.cluster.controller.daemon_set.sight import Nodes, takes_others
from windlass.cluster.controller.daemon_set.status import status_of
from windlass.cluster.controller.history import in_order, present_revision, surplus
from windlass.cluster.controller.members import GLIMPSES, PODS, members
from windlass.cluster.controller.pod_state import counts_otherwise, next_available
from windlass.cluster.controller.pods import create_pod, delete_pod
from windlass.cluster.controller.stepwise import step_by_step
from windlass.kinds.apps.v1 import ControllerRevision, DaemonSet, DaemonSetStatus
from windlass.kinds.core.v1 import Node, Pod
from windlass.reconcile import Follow, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import timedelta

    from windlass.api import Key
    from windlass.cluster.controller.daemon_set.eligible import Place
    from windlass.cluster.controller.daemon_set.plan import Step
    from windlass.reconcile import Context


_REVISIONS: Final = by_controller(ControllerRevision)


def _all_nodes(_: DaemonSet) -> LabelSelector:
    return LabelSelector()


class DaemonSetController(Reconciler[DaemonSet]):
    """Puts a pod on each node that will have it, and replaces old ones a few at a time."""

    reporter = "daemonset-controller"
    owns = (Owns(Pod, when=counts_otherwise), ControllerRevision)
    reads = (
        Watch(Node, selects=_all_nodes, when=takes_others),
        Watch(Pod, selects=lambda daemon_set: daemon_set.spec.selector, when=is_orphan),
    )
    indexes = (PODS, _REVISIONS)

    def __init__(self) -> None:
        self._backoff = Backoff()
        self._nodes = Nodes()
        self.follows = (Follow(Node, self._nodes.see),)

    @override
    async def reconcile(self, resource: DaemonSet, ctx: Context) -> Result[DaemonSetStatus]:
        selector = resource.spec.selector.selector()
        history = in_order(await claimed(ctx, resource, _REVISIONS, selector))
        present, collisions = await present_revision(
            history, lambda taken: revision_of(resource, taken), resource.status.collision_count, ctx
        )
        rules = Rules(resource, present.metadata.labels.get(REVISION, present.metadata.name), ctx.now)
        work = _Round(rules, self._nodes.all, self._backoff, ctx)
        failure = await step_by_step(work.plan, work.act)
        status = status_of(work.seen, rules, collisions)
        if failure:
            return Result.failed(failure, status)
        pods = [pod for place in work.seen for pod in place.pods]
        used = {pod.metadata.labels.get(REVISION) for pod in pods}
        old = [each for each in history if each.metadata.name != present.metadata.name]
        live = [each.metadata.name for each in old if each.metadata.labels.get(REVISION) in used]
        for each in surplus(old, live, resource.spec.revision_history_limit):
            await ctx.delete(ControllerRevision, each.metadata.name)
        soon = next_available(pods, resource.spec.min_ready_seconds, ctx.now)
        waits = [*work.resting.values(), *([soon] if soon else [])]
        return Result.ready(status, again=min(waits, default=None))

    @override
    async def forget(self, key: Key) -> None:
        self._backoff.forget(key)


class _Round:
    """One run for one set: what it saw last, and what it does."""

    def __init__(self, rules: Rules, nodes: Collection[Node], backoff: Backoff, ctx: Context) -> None:
        self._rules = rules
        self._nodes = nodes
        self._backoff = backoff
        self._ctx = ctx
        self.seen: Sequence[Place] = ()
        self._where: Mapping[str, tuple[Pod, str]] = {}
        self.resting: Mapping[str, timedelta] = {}

    async def plan(self) -> Sequence[Step]:
        """Look, and tell what to do: to have pods in their places comes before updating them."""
        owner, ctx = self._rules.owner, self._ctx
        found = await members(ctx, owner, owner.spec.selector.selector(), GLIMPSES)
        self.seen = places(owner, self._nodes, [each.pod for each in found])
        self._where = {pod.metadata.uid: (pod, place.name) for place in self.seen for pod in place.pods}
        broken = [each.name for each in self.seen if any(pod.status.phase == "Failed" for pod in each.pods)]
        self.resting = self._backoff.resting(ctx.key, broken, ctx.now)
        return placing(self.seen, self._rules, self.resting) or updating(self.seen, self._rules)

    async def act(self, step: Step) -> None:
        """Make a pod, or delete one."""
        if isinstance(step, Create):
            await create_pod(pod_on(self._rules.owner, self._rules.revision, step.node), self._ctx)
            return
        self._tell_why(*self._where[step.uid])
        await delete_pod(step.name, step.uid, self._ctx)

    def _tell_why(self, pod: Pod, node: str) -> None:
        """Tell people of a pod that ended, which a daemon does not do; a node that failed it has to rest."""
        ctx = self._ctx
        found = f"daemon pod {ctx.key.namespace}/{pod.metadata.name} on node {node}, will try to"
        if pod.status.phase == "Failed":
            self._backoff.failed(ctx.key, node, ctx.now)
            ctx.event("FailedDaemonPod", f"Found failed {found} kill it", warning=True)
        elif pod.status.phase == "Succeeded":
            ctx.event("SucceededDaemonPod", f"Found succeeded {found} delete it")
