"""The pods of a set, each as far as the set has to know it, since there may be very many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self, TypeVar

from windlass.api import ObjectMeta
from windlass.cluster.controller.claim import adopt, by_controller, is_staying, release
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Resource, Selector
    from windlass.reconcile import Context

PODS: Final = by_controller(Pod)
"""To be declared by a reconciler that asks for members."""


class Labelled(Protocol):
    """What a set knows of a pod: at least its labels, by which it is selected."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of the pod."""


M = TypeVar("M", bound=Labelled)


async def members(
    ctx: Context,
    owner: Resource,
    selector: Selector,
    digest: Digest[Pod, M],
    may_move: Callable[[Pod], bool] = is_staying,
) -> list[M]:
    """The pods that an owner controls and selects, after it has released and adopted what it has to.

    To look for pods that change hands is cheap: only those are decoded.

    Raises:
        Conflict, Invalid: a pod was taken by somebody else meanwhile; the next run sees that.
    """
    known = await ctx.digests(digest)
    for key in [key for key, each in known.items() if not selector.matches(each.labels)]:
        pod = await ctx.get(Pod, key.name)
        if pod is not None and may_move(pod):
            await release(ctx, owner, pod)
    if await adopt(ctx, owner, PODS, selector, may_move):
        known = await ctx.digests(digest)
    return [each for each in known.values() if selector.matches(each.labels)]


class Glimpse(NamedTuple):
    """A pod as far as its set has to know it: who it is, where, and how it is. Nobody may change it."""

    pod: Pod

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of the pod."""
        return self.pod.metadata.labels

    @classmethod
    def of(cls, pod: Pod) -> Self:
        """What is kept of a pod."""
        said = pod.metadata
        metadata = ObjectMeta.model_construct(
            name=said.name,
            namespace=said.namespace,
            uid=said.uid,
            labels=said.labels,
            creation_timestamp=said.creation_timestamp,
            deletion_timestamp=said.deletion_timestamp,
        )
        wanted = pod.spec.affinity
        spec = type(pod.spec).model_construct(
            containers=[],
            node_name=pod.spec.node_name,
            affinity=wanted and type(wanted).model_construct(node_affinity=wanted.node_affinity),
        )
        ready = [each for each in pod.status.conditions if each.type == "Ready"]
        status = type(pod.status).model_construct(phase=pod.status.phase, conditions=ready)
        return cls(Pod.model_construct(metadata=metadata, spec=spec, status=status))


GLIMPSES: Final = Digest(Pod, Glimpse.of)
