"""The namespace of a tenant: made where it is missing, and removed where that is wanted."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from windlass.errors import AlreadyExists
from windlass.kinds.core.v1 import Namespace
from windlass.operators.collector.desired import CREATED, CREATOR, namespace_of

if TYPE_CHECKING:
    from windlass.operators.collector.types import Collector
    from windlass.reconcile import Context


async def ensure_namespace(collector: Collector, ctx: Context) -> bool:
    """Make the namespace of a tenant where there is none; whether it can be used, and does not just go."""
    wanted = namespace_of(collector)
    found = await ctx.get(Namespace, wanted.metadata.name)
    if found is None:
        with suppress(AlreadyExists):  # somebody was quicker, and it is theirs
            await ctx.create(wanted, owned=False)
        return True
    return found.metadata.deletion_timestamp is None


async def leave_namespace(name: str, ctx: Context) -> None:
    """Delete the namespace of a tenant's last Collector, and all that is in it, if it was made here."""
    found = await ctx.get(Namespace, name)
    if found is not None and found.metadata.annotations.get(CREATED) == CREATOR:
        await ctx.delete(Namespace, name)
