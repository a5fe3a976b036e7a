"""What is done to objects: each step is meant for one object in one state, and refused for any other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windlass.api import Untyped
from windlass.client import DeleteOptions, JsonPatch
from windlass.cluster.controller.garbage.graph import Reference
from windlass.errors import Conflict, Invalid, NotFound, WindlassError

if TYPE_CHECKING:
    from windlass.api import Kind
    from windlass.client import Propagation
    from windlass.cluster.controller.garbage.graph import Node
    from windlass.reconcile import Context


class Undecided(WindlassError):
    """Whether an object exists cannot be told: nobody serves its kind, or not where it was named."""


async def read(kind: Kind, name: str, namespace: str, ctx: Context) -> Untyped | None:
    """An object as the server has it now, None if it has none.

    Raises:
        Undecided: there is no such kind, which says nothing about its objects.
    """
    try:
        return await ctx.live.get(Untyped.of(kind), name, namespace)
    except NotFound as error:
        if (error.answer.details or {}).get("name") != name:
            raise Undecided(f"{kind} is not served any more") from error
        return None


async def read_again(node: Node, ctx: Context) -> Untyped | None:
    """The object of a node as the server has it now, None if it is gone or another has its name.

    Raises:
        Undecided: there is no such kind, which says nothing about its objects.
    """
    found = await read(node.kind, node.key.name, node.key.namespace, ctx)
    return found if found is not None and found.metadata.uid == node.uid else None


def references(live: Untyped) -> list[Reference]:
    """The owners that an object names."""
    return [
        Reference(each.uid, each.api_version, each.kind, each.name, bool(each.block_owner_deletion))
        for each in live.metadata.owner_references
    ]


async def release(live: Untyped, owners: frozenset[str], ctx: Context) -> None:
    """Take owners off an object; one that is gone is no fault."""
    left = [each for each in _wire(live, "ownerReferences") if each["uid"] not in owners]
    if len(left) < len(live.metadata.owner_references):
        await _replace(live, "ownerReferences", left, ctx)


async def unblock(live: Untyped, ctx: Context) -> Untyped:
    """Have an object hold back none of its owners; returns it as it is then."""
    free = [{**each, "blockOwnerDeletion": False} for each in _wire(live, "ownerReferences")]
    return await _replace(live, "ownerReferences", free, ctx) or live


async def finalize(live: Untyped, finalizer: str, ctx: Context) -> None:
    """Take a finalizer off an object; one that is gone is no fault."""
    left = [each for each in live.metadata.finalizers if each != finalizer]
    await _replace(live, "finalizers", left, ctx)


async def delete(live: Untyped, propagation: Propagation, ctx: Context) -> None:
    """Delete an object if its owners are still those that it was judged by, whatever else has changed.

    Raises:
        Conflict: its owners are others by now.
    """
    kind, metadata = type(live), live.metadata
    options = DeleteOptions(
        uid=metadata.uid, resource_version=metadata.resource_version, propagation=propagation
    )
    try:
        await ctx.delete(kind, metadata.name, metadata.namespace, options=options)
    except Conflict:
        now = await read(kind.__kind__, metadata.name, metadata.namespace, ctx)
        if now is None or now.metadata.uid != metadata.uid:
            return
        if now.metadata.owner_references != metadata.owner_references:
            raise
        free = replace(options, resource_version="")
        await ctx.delete(kind, metadata.name, metadata.namespace, options=free)


async def _replace(live: Untyped, field: str, value: list[Any], ctx: Context) -> Untyped | None:
    """Replace a list of the metadata of this very object if it is still what it was; None if it is gone.

    Raises:
        Conflict: it is not.
    """
    path, metadata = f"/metadata/{field}", live.metadata
    steps: list[dict[str, Any]] = [
        {"op": "test", "path": "/metadata/uid", "value": metadata.uid},
        {"op": "test", "path": path, "value": _wire(live, field)},
        {"op": "replace", "path": path, "value": value},
    ]
    try:
        return await ctx.patch(type(live), metadata.name, JsonPatch(steps), metadata.namespace)
    except NotFound:
        return None
    except Invalid as error:  # one of the tests failed
        raise Conflict(error.answer) from error


def _wire(live: Untyped, field: str) -> list[Any]:
    found: list[Any] = live.to_wire()["metadata"].get(field) or []
    return found
