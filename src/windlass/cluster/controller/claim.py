"""Which objects a controller may call its own: those that it owns and selects, and orphans that it selects.

What an owner owns and no longer selects is released; an orphan that it selects is adopted, once the server
has confirmed that the owner is not being deleted, lest what was orphaned on purpose is taken again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from windlass.api import Resource
from windlass.client import StrategicPatch
from windlass.errors import NotFound
from windlass.reconcile import Index

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Change, Json, OwnerReference, Selector, Snapshot
    from windlass.reconcile import Context

R = TypeVar("R", bound=Resource)


def controller_of(resource: Resource) -> OwnerReference | None:
    """The one owner that controls an object."""
    return next((each for each in resource.metadata.owner_references if each.controller), None)


def by_controller(kind: type[R]) -> Index[R]:
    """Finds objects by the uid of their controller, and orphans by their namespace (`orphans_in`)."""
    return Index(kind, _controller_uid, undecoded=True)


def _controller_uid(snapshot: Snapshot[Any]) -> str:
    owners = snapshot.metadata.get("ownerReferences") or ()
    uids = (str(each["uid"]) for each in owners if each.get("controller"))
    return next(uids, orphans_in(snapshot.metadata.get("namespace", "")))


def orphans_in(namespace: str) -> str:
    """The value by which `by_controller` finds what has no controller."""
    return f"orphans in {namespace}"


def is_orphan(change: Change[Any]) -> bool:
    """Whether an object that changed has no controller, so that it is free to be adopted."""
    if change.new is None:
        return False
    return not any(each.get("controller") for each in change.new.metadata.get("ownerReferences") or ())


def is_staying(resource: Resource) -> bool:
    """Whether nobody has deleted an object."""
    return resource.metadata.deletion_timestamp is None


async def claimed(
    ctx: Context,
    owner: Resource,
    index: Index[R],
    selector: Selector,
    may_move: Callable[[R], bool] = is_staying,
) -> list[R]:
    """The objects that an owner controls and selects, after it has released and adopted what it has to.

    `index` finds the objects `by_controller`. `may_move` tells which of them may change hands at all.

    Raises:
        Conflict, Invalid: an object was taken by somebody else meanwhile; the next run sees that.
    """
    kept: list[R] = []
    for each in await ctx.owned(index.kind):
        if selector.matches(each.metadata.labels):
            kept.append(each)
        elif may_move(each):
            await release(ctx, owner, each)
    return [*kept, *await adopt(ctx, owner, index, selector, may_move)]


async def release(ctx: Context, owner: Resource, resource: Resource) -> None:
    """Let go of an object."""
    await _handed(ctx, resource, {"$patch": "delete", "uid": owner.metadata.uid})


async def adopt(
    ctx: Context,
    owner: Resource,
    index: Index[R],
    selector: Selector,
    may_move: Callable[[R], bool] = is_staying,
) -> list[R]:
    """Take the orphans that an owner selects; returns those."""
    namespace = owner.metadata.namespace
    found = await ctx.list(index.kind, namespace, labels=selector, index=index, value=orphans_in(namespace))
    orphans = [each for each in found if may_move(each)]
    if not orphans or not await _is_there(ctx, owner):
        return []
    taken = [await _handed(ctx, each, owner.owner_reference().to_wire()) for each in orphans]
    return [each for each in taken if each is not None]


async def _handed(ctx: Context, resource: R, reference: Json) -> R | None:
    """The object with one owner reference changed, if it is still there."""
    metadata = resource.metadata
    patch = StrategicPatch({"metadata": {"uid": metadata.uid, "ownerReferences": [reference]}})
    try:
        return await ctx.patch(type(resource), metadata.name, patch, metadata.namespace)
    except NotFound:
        return None


async def _is_there(ctx: Context, owner: Resource) -> bool:
    """Whether the owner exists and is to stay, by the server's own word."""
    try:
        found = await ctx.live.get(type(owner), owner.metadata.name, owner.metadata.namespace)
    except NotFound:
        return False
    return found.metadata.uid == owner.metadata.uid and found.metadata.deletion_timestamp is None
