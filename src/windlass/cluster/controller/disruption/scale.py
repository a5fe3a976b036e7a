"""How many pods their owners want."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.client import find_kind
from windlass.cluster.controller.claim import controller_of
from windlass.errors import NotFound, Terminal
from windlass.kinds.apps.v1 import Deployment, ReplicaSet, StatefulSet
from windlass.kinds.core.v1 import ReplicationController

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import OwnerReference
    from windlass.client import Client
    from windlass.cluster.controller.disruption.status import Member
    from windlass.reconcile import Context


class _Scale(NamedTuple):
    uid: str
    replicas: int


async def wanted_by_owners(pods: Sequence[Member], client: Client, ctx: Context) -> int:
    """How many pods the owners of these pods want together; a pod without an owner counts for nothing.

    Raises:
        Terminal: the owner of a pod is not to be found, or has no scale.
    """
    scales: dict[str, _Scale] = {}
    for pod in pods:
        owner = pod.owner
        if owner is not None and owner.uid not in scales:
            found = await _scale_of(owner, client, ctx)
            if found is None:
                raise Terminal("SyncFailed", f'found no controllers for pod "{pod.name}"')
            scales[owner.uid] = found
    return sum({each.uid: each.replicas for each in scales.values()}.values())


async def _scale_of(owner: OwnerReference, client: Client, ctx: Context) -> _Scale | None:
    """The scale of an owner, or of the Deployment whose set it is; None if it is gone."""
    found: ReplicaSet | StatefulSet | ReplicationController | None
    match owner.api_version.rpartition("/")[0], owner.kind:
        case "apps", "ReplicaSet":
            found = await ctx.get(ReplicaSet, owner.name)
        case "apps", "StatefulSet":
            found = await ctx.get(StatefulSet, owner.name)
        case "", "ReplicationController":
            found = await ctx.get(ReplicationController, owner.name)
        case _:
            return await _scale_of_other(owner, ctx.key.namespace, client)
    if found is None or found.metadata.uid != owner.uid:
        return None
    above = controller_of(found)
    if isinstance(found, ReplicaSet) and above is not None and above.kind == "Deployment":
        deployment = await ctx.get(Deployment, above.name)
        if deployment is None or deployment.metadata.uid != above.uid:
            return None
        return _Scale(above.uid, deployment.spec.replicas or 0)
    return _Scale(owner.uid, found.spec.replicas or 0)


async def _scale_of_other(owner: OwnerReference, namespace: str, client: Client) -> _Scale | None:
    """The scale that an owner of any kind tells."""
    kind = await find_kind(client, owner.api_version, owner.kind)
    if "scale" not in kind.__kind__.subresources:
        resource = ".".join(filter(None, (kind.__kind__.plural, kind.__kind__.group)))
        raise Terminal("SyncFailed", f"{resource} does not implement the scale subresource")
    try:
        form = await client.subresource("scale").read_form(kind, owner.name, namespace)
    except NotFound:
        return None
    uid = str(form["metadata"].get("uid", ""))
    return _Scale(uid, int(form["spec"].get("replicas", 0))) if uid == owner.uid else None
