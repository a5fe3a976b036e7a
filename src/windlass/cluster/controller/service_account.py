from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key, ObjectMeta, Selection
from windlass.cluster.controller.pods import is_terminating
from windlass.errors import AlreadyExists, Forbidden, NotFound
from windlass.kinds.core.v1 import Namespace, ServiceAccount
from windlass.reconcile import Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Resource
    from windlass.reconcile import Context

_NAME: Final = "default"


def _namespace_of(account: ServiceAccount) -> Iterable[Key]:
    return (Key("", account.metadata.namespace),)


class ServiceAccountController(Reconciler[Namespace]):
    """Gives each namespace the account that its pods have unless they name another, and gives it back."""

    name = "serviceaccount"
    reads = (Watch(ServiceAccount, to=_namespace_of, selection=Selection(fields=f"metadata.name={_NAME}")),)

    @override
    async def reconcile(self, namespace: Namespace, ctx: Context) -> Result[Any]:
        name = namespace.metadata.name
        if namespace.status.phase != "Active" or await ctx.get(ServiceAccount, _NAME, name):
            return Result.ready()
        account = ServiceAccount(metadata=ObjectMeta(name=_NAME, namespace=name))
        await furnish(account, ctx)
        return Result.ready()


async def furnish(resource: Resource, ctx: Context) -> None:
    """Create what a namespace is to have, unless somebody was faster, or the namespace is about to go."""
    try:
        await ctx.create(resource, owned=False)
    except AlreadyExists:
        return
    except (NotFound, Forbidden) as error:
        if isinstance(error, Forbidden) and not is_terminating(error):
            raise
