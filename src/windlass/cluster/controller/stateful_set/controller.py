from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key
from windlass.client import DeleteOptions, MergePatch
from windlass.cluster.controller.claim import by_controller, claimed, is_orphan
from windlass.cluster.controller.history import in_order, present_revision, surplus, template_of
from windlass.cluster.controller.members import GLIMPSES, PODS, members
from windlass.cluster.controller.pod_state import counts_otherwise, next_available
from windlass.cluster.controller.pods import is_terminating
from windlass.cluster.controller.stateful_set.desired import (
    REVISION,
    claims_of,
    ordinal_of,
    ordinals,
    pod_name,
    pod_of,
    revision_of,
)
from windlass.cluster.controller.stateful_set.plan import Create, Step, steps
from windlass.cluster.controller.stateful_set.retention import is_stale, owners_of_claim
from windlass.cluster.controller.stateful_set.status import Revisions, status_of
from windlass.cluster.controller.stepwise import step_by_step
from windlass.errors import ApiError
from windlass.kinds.apps.v1 import ControllerRevision, StatefulSet, StatefulSetStatus
from windlass.kinds.core.v1 import PersistentVolumeClaim, Pod
from windlass.reconcile import Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.api import Change, OwnerReference
    from windlass.reconcile import Context


_REVISIONS: Final = by_controller(ControllerRevision)


def _sets_of_claim(claim: PersistentVolumeClaim) -> Iterator[Key]:
    """The sets that a claim's name may speak of: `data-web-0` is of `web`."""
    words = claim.metadata.name.split("-")[:-1]
    for start in range(1, len(words)):
        yield Key(claim.metadata.namespace, "-".join(words[start:]))


def _gone(change: Change[Any]) -> bool:
    return change.new is None


class StatefulSetController(Reconciler[StatefulSet]):
    """Makes the pods of a set one by one, gives each its claims, and updates them from the last on."""

    reporter = "statefulset-controller"
    owns = (Owns(Pod, when=counts_otherwise), ControllerRevision)
    reads = (
        Watch(PersistentVolumeClaim, to=_sets_of_claim, when=_gone),
        Watch(Pod, selects=lambda owner: owner.spec.selector, when=is_orphan),
    )
    indexes = (PODS, _REVISIONS)

    @override
    async def reconcile(self, resource: StatefulSet, ctx: Context) -> Result[StatefulSetStatus]:
        selector = resource.spec.selector.selector()
        history = in_order(await claimed(ctx, resource, _REVISIONS, selector))
        update, collisions = await present_revision(
            history, lambda taken: revision_of(resource, taken), resource.status.collision_count, ctx
        )
        named = {each.metadata.name: each for each in history}
        current = named.get(resource.status.current_revision, update)
        pods, failure = await self._act(resource, current, update, ctx)
        revisions = Revisions(current.metadata.name, update.metadata.name, collisions)
        status = status_of(resource, pods, revisions, ctx.now)
        if failure:
            return Result.failed(failure, status)
        used = {status.current_revision, status.update_revision, *map(_revision, pods)}
        past = [each for each in history if each.metadata.name not in used]
        for each in surplus(past, used, resource.spec.revision_history_limit):
            await ctx.delete(ControllerRevision, each.metadata.name)
        return Result.ready(status, again=next_available(pods, resource.spec.min_ready_seconds, ctx.now))

    async def _act(
        self, owner: StatefulSet, current: ControllerRevision, update: ControllerRevision, ctx: Context
    ) -> tuple[Sequence[Pod], ApiError | None]:
        """Do what can be done; returns the pods that there are then, and what was refused."""
        pods: Sequence[Pod] = ()

        async def plan() -> Sequence[Step]:
            nonlocal pods
            selector = owner.spec.selector.selector()
            found = await members(ctx, owner, selector, GLIMPSES, lambda pod: _may_move(owner, pod))
            pods = [each.pod for each in found]
            await self._assign_claims(owner, pods, ctx)
            return steps(owner, pods, update.metadata.name, ctx.now)

        async def act(step: Step) -> None:
            if isinstance(step, Create):
                revision = current if _is_kept_back(owner, step.ordinal) else update
                try:
                    await self._create(owner, revision, step.ordinal, ctx)
                except ApiError as error:
                    if not is_terminating(error):  # the set goes with its namespace
                        raise
            else:
                await ctx.delete(Pod, step.name, options=DeleteOptions(uid=step.uid))
                _tell(owner, "Delete", step.name, ctx)

        failure = await step_by_step(plan, act)
        return pods, failure

    async def _create(
        self, owner: StatefulSet, revision: ControllerRevision, ordinal: int, ctx: Context
    ) -> None:
        """Make a pod, its claims first; where one of these is about to go, its deletion wakes us."""
        name = pod_name(owner, ordinal)
        for claim in claims_of(owner, ordinal):
            found = await ctx.get(PersistentVolumeClaim, claim.metadata.name)
            if found is None:
                await ctx.create(claim, owned=False)
                message = (
                    f"Create Claim {claim.metadata.name} Pod {name} in StatefulSet {owner.metadata.name}"
                )
                ctx.event("SuccessfulCreate", f"{message} success")
            elif is_stale(owner, found, name):
                return
        try:
            await ctx.create(pod_of(owner, template_of(revision), revision.metadata.name, ordinal))
        except ApiError as error:
            if is_terminating(error):
                raise
            said = f"Create Pod {name} in StatefulSet {owner.metadata.name} failed error: {error}"
            ctx.event("FailedCreate", said, warning=True)
            raise
        _tell(owner, "Create", name, ctx)

    async def _assign_claims(self, owner: StatefulSet, pods: Sequence[Pod], ctx: Context) -> None:
        """Let the claims of pods go with their pod or with the set, as the set says; make those that lack."""
        places = ordinals(owner)
        for pod in pods:
            ordinal = ordinal_of(owner, pod)
            if ordinal is None or not owner.spec.volume_claim_templates:
                continue
            condemned = ordinal not in places
            for claim in claims_of(owner, ordinal):
                found = await ctx.get(PersistentVolumeClaim, claim.metadata.name)
                if found is None and pod.status.phase == "Pending" and not condemned:
                    found = await ctx.create(claim, owned=False)
                owners = owners_of_claim(owner, found, pod, condemned=condemned) if found else None
                if found and owners is not None:
                    await _give(found, owners, ctx)


async def _give(claim: PersistentVolumeClaim, owners: Sequence[OwnerReference], ctx: Context) -> None:
    """Say whose a claim is, if it is still the same one."""
    metadata = {"uid": claim.metadata.uid, "ownerReferences": [each.to_wire() for each in owners]}
    await ctx.patch(PersistentVolumeClaim, claim.metadata.name, MergePatch({"metadata": metadata}))


def _may_move(owner: StatefulSet, pod: Pod) -> bool:
    """Whether a pod may change hands: it stays, and has a name that the set gives."""
    return not pod.metadata.deletion_timestamp and ordinal_of(owner, pod) is not None


def _is_kept_back(owner: StatefulSet, ordinal: int) -> bool:
    """Whether a pod lies below the partition, where the old revision stays."""
    strategy = owner.spec.update_strategy
    rolling = strategy.rolling_update if strategy else None
    return ordinal - ordinals(owner).start < ((rolling.partition if rolling else 0) or 0)


def _revision(pod: Pod) -> str:
    return pod.metadata.labels.get(REVISION, "")


def _tell(owner: StatefulSet, verb: str, name: str, ctx: Context) -> None:
    ctx.event(f"Successful{verb}", f"{verb} Pod {name} in StatefulSet {owner.metadata.name} successful")
