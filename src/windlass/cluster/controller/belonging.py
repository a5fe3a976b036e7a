"""Which objects belong to a set: those that it made, and those that an earlier one left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from windlass.api import Resource
from windlass.client import MergePatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import OwnerReference, Selector
    from windlass.reconcile import Context

R = TypeVar("R", bound=Resource)


async def members(kind: type[R], selector: Selector, ctx: Context) -> list[R]:
    """The objects of a kind that our object controls; one whose labels no longer fit is let go."""
    kept: list[R] = []
    for each in await ctx.owned(kind):
        if selector.matches(each.metadata.labels):
            kept.append(each)
        elif not each.metadata.deletion_timestamp:
            await _release(each, ctx)
    return kept


async def adopt(owner: Resource, kind: type[Resource], selector: Selector, ctx: Context) -> None:
    """Take what fits and is nobody's, as it is after somebody deleted an owner and kept what it had.

    It looks at all objects of the namespace: that is for an owner that is new.
    """
    for each in await ctx.list(kind, owner.metadata.namespace, labels=selector):
        if not each.metadata.deletion_timestamp and not controller_uid(each):
            await own(each, [*each.metadata.owner_references, owner.owner_reference()], ctx)


def controller_uid(resource: Resource) -> str:
    """The uid of an object's controller, empty if it has none."""
    return next((each.uid for each in resource.metadata.owner_references if each.controller), "")


async def own(resource: Resource, owners: Sequence[OwnerReference], ctx: Context) -> None:
    """Say who the owners of an object are, if it is still the same object."""
    metadata = {"uid": resource.metadata.uid, "ownerReferences": [each.to_wire() for each in owners]}
    await ctx.patch(
        type(resource),
        resource.metadata.name,
        MergePatch({"metadata": metadata}),
        resource.metadata.namespace,
    )


async def _release(resource: Resource, ctx: Context) -> None:
    await own(resource, [each for each in resource.metadata.owner_references if not each.controller], ctx)
