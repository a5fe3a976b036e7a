from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.api import Key
from windlass.cluster.controller.endpoints.endpoints_keeping import MANAGED_BY, MANAGER
from windlass.kinds.core.v1 import Endpoints, Service
from windlass.reconcile import KeyReconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Resource
    from windlass.reconcile import Context


def _key_of(resource: Resource) -> Iterable[Key]:
    yield Key(resource.metadata.namespace, resource.metadata.name)


def _is_new(change: Change[Any]) -> bool:
    return change.old is None


class EndpointsLeftovers(KeyReconciler):
    """Deletes the Endpoints of services that are gone: they belong to a service by their name alone."""

    name = "endpoints-leftovers"
    reads = (Watch(Service, to=_key_of), Watch(Endpoints, to=_key_of, when=_is_new))

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        if await ctx.get(Service, key.name) is None:
            live = await ctx.get(Endpoints, key.name)
            if live is not None and _had_a_service(live, ctx):
                await ctx.delete(Endpoints, key.name)
        return Result.ready()


def _had_a_service(live: Endpoints, ctx: Context) -> bool:
    """Whether there was a service; somebody may just have made Endpoints of his own before it."""
    was_deleted = any(each.kind == "Service" and each.event == "deleted" for each in ctx.causes)
    return was_deleted or live.metadata.labels.get(MANAGED_BY) == MANAGER
