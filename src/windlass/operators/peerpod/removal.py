from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators.peerpod.desired import is_made_here

if TYPE_CHECKING:
    from windlass.api import Resource
    from windlass.reconcile import Context


async def remove(kind: type[Resource], name: str, namespace: str, ctx: Context) -> None:
    """Delete an object if it is there and was made here."""
    found = await ctx.get(kind, name, namespace)
    if found is not None and is_made_here(found):
        await ctx.delete(kind, name, namespace)
