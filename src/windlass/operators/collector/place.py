"""The namespace of a tenant: created where it is missing, and deleted where that is wanted."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from windlass.api import Key, ObjectMeta
from windlass.errors import AlreadyExists
from windlass.kinds.core.v1 import Namespace
from windlass.kinds.rbac.v1 import RoleBinding, RoleRef, Subject
from windlass.operators.collector.desired import CREATED, CREATED_FOR, CREATOR, namespace_of

if TYPE_CHECKING:
    from windlass.operators.collector.types import Collector
    from windlass.reconcile import Context

MANAGED_BY: Final = "app.kubernetes.io/managed-by"
_LONGEST: Final = 200


async def ensure_namespace(collector: Collector, role: str, account: str, ctx: Context) -> bool:
    """Create the namespace of a tenant where there is none; whether it can be used, and is not being deleted.

    The operator does this itself, for namespaces that the tenancy configuration allows. In a namespace that
    it created for Collectors of this namespace, and in no other, the ServiceAccount is given the `role`.
    """
    wanted = namespace_of(collector)
    found = await ctx.get(Namespace, wanted.metadata.name)
    if found is None:
        with suppress(AlreadyExists):  # it is somebody else's
            found = await ctx.create(wanted, owned=False)
    if found is not None and found.metadata.deletion_timestamp is not None:
        return False
    if role and account and found is not None and _is_made_for(found, collector):
        await _ensure_binding(collector, role, account, ctx)
    return True


async def leave_namespace(name: str, collector: Collector, ctx: Context) -> None:
    """Delete the namespace of a tenant's last Collector, and its content, if it was created for that."""
    found = await ctx.get(Namespace, name)
    if found is not None and _is_made_for(found, collector):
        await ctx.delete(Namespace, name)


def binding_of(collector: Collector, role: str, account: str) -> RoleBinding:
    """The RoleBinding that gives a ServiceAccount a ClusterRole in the tenant's namespace."""
    short = account if len(account) <= _LONGEST else sha256(account.encode()).hexdigest()
    return RoleBinding(
        metadata=ObjectMeta(
            name=f"collector:{collector.metadata.namespace}:{short}",
            namespace=namespace_of(collector).metadata.name,
            labels={MANAGED_BY: CREATOR},
        ),
        role_ref=RoleRef(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name=role),
        subjects=[
            Subject(kind="ServiceAccount", name=account, namespace=collector.metadata.namespace),
        ],
    )


async def _ensure_binding(collector: Collector, role: str, account: str, ctx: Context) -> None:
    wanted = binding_of(collector, role, account)
    key = Key(wanted.metadata.namespace, wanted.metadata.name)
    if await ctx.get(RoleBinding, key.name, key.namespace) is None:
        with suppress(AlreadyExists):
            await ctx.create(wanted, owned=False)


def _is_made_for(namespace: Namespace, collector: Collector) -> bool:
    notes = namespace.metadata.annotations
    return notes.get(CREATED) == CREATOR and notes.get(CREATED_FOR) == collector.metadata.namespace
