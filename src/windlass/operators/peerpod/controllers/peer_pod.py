from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Condition, set_condition
from windlass.client import JsonPatch
from windlass.errors import ConfigError, NotFound
from windlass.operators.peerpod.cloud import (
    AccessDeniedError,
    CleaningOptions,
    CloudError,
    Clouds,
    InstanceMissingError,
    ThrottledError,
)
from windlass.operators.peerpod.controllers.credentials import credentials_watches, read_credentials
from windlass.operators.peerpod.controllers.dangling import FINALIZER, Dangling
from windlass.operators.peerpod.types import PeerPod
from windlass.reconcile import Context, Follow, Index, Reconciler, Result, Rule

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.peerpod.cloud import Cloud
    from windlass.operators.peerpod.types import PeerPodStatus

CLEANED: Final = "Cleaned"
_RELEASED: Final[Result[Any]] = Result.ready(reason="Released", message="the instance was seen to")


def _owner(peer: PeerPod) -> str | None:
    """The UID of the pod that runs in the instance."""
    owners = (each for each in peer.metadata.owner_references if each.controller and each.kind == "Pod")
    return next((each.uid for each in owners), None)


def _instance(peer: PeerPod) -> str | None:
    return f"{peer.spec.cloud_provider}/{peer.spec.instance_id}" if peer.spec.instance_id else None


BY_OWNER: Final = Index(PeerPod, _owner)
BY_INSTANCE: Final = Index(PeerPod, _instance)


class PeerPodController(Reconciler[PeerPod]):
    """Deletes instances that the cloud-api-adaptor has left behind, when it crashed or lost its node.

    It puts no finalizer on a PeerPod: that the cloud-api-adaptor does, and takes it off again when it has
    deleted the instance. Where that does not come about within the grace period, it is done here.
    """

    indexes = (BY_OWNER, BY_INSTANCE)
    until_gone = True
    reads = credentials_watches(CleaningOptions(clouds={}))
    rules = (Rule.on(PeerPod, "patch", "delete"),)

    def __init__(self, options: CleaningOptions, dangling: Dangling | None = None) -> None:
        self._options = options
        self._clouds = Clouds(options.clouds)
        self.follows = (Follow(PeerPod, (dangling or Dangling()).see),)
        self.reads = credentials_watches(options)

    @override
    async def reconcile(self, peer: PeerPod, ctx: Context) -> Result[PeerPodStatus]:
        if peer.metadata.deletion_timestamp is None:
            await _supersede(peer, ctx)
            return Result.ready(_told(peer, ctx, "InUse", "the instance belongs to a pod"))
        if FINALIZER not in peer.metadata.finalizers:
            return _RELEASED
        why = await _spared(peer, ctx)
        if why:
            ctx.event("InstanceSpared", f"instance {peer.spec.instance_id}: {why}")
            return await _release(peer, ctx)
        return await self._clean(peer, ctx)

    async def _clean(self, peer: PeerPod, ctx: Context) -> Result[PeerPodStatus]:
        left = self._grace_left(peer, ctx)
        if left > timedelta():
            message = "the cloud-api-adaptor is given time to delete the instance"
            return _waiting(peer, ctx, ("Grace", message), left)
        self._clouds.check(peer.spec.cloud_provider)
        try:
            credentials = await read_credentials(peer, ctx, self._options)
            cloud = self._clouds.of(peer.spec.cloud_provider, credentials)
        except ConfigError as error:
            return _waiting(peer, ctx, ("CredentialsUnusable", str(error)))
        try:
            found = await _delete(peer, ctx, cloud)
        except CloudError as error:
            return self._failed(peer, ctx, error)
        message = f"instance {peer.spec.instance_id} was {'deleted' if found else 'gone already'}"
        ctx.event("InstanceDeleted", message)
        try:
            await ctx.checkpoint(_told(peer, ctx, "InstanceDeleted", message, cleaned=True))
        except NotFound:  # the cloud-api-adaptor was at it too, and has let the object go
            return Result.ready()
        return await _release(peer, ctx)

    def _grace_left(self, peer: PeerPod, ctx: Context) -> timedelta:
        """How long the cloud-api-adaptor still has; the server's clock may be ahead of ours."""
        deleted, grace = peer.metadata.deletion_timestamp or ctx.now, self._options.grace
        return min(deleted + grace - ctx.now, grace)

    def _failed(self, peer: PeerPod, ctx: Context, error: CloudError) -> Result[PeerPodStatus]:
        """What a cloud refuses is asked of it again when that makes sense."""
        if isinstance(error, ThrottledError):
            return _waiting(peer, ctx, ("Throttled", str(error)), error.wait)
        if isinstance(error, AccessDeniedError):
            ctx.event("AccessDenied", str(error), warning=True)
            return _waiting(peer, ctx, ("AccessDenied", str(error)), self._options.retry_denied)
        return Result.failed(error, _told(peer, ctx, "CloudFailed", str(error)), reason="CloudFailed")


async def _supersede(peer: PeerPod, ctx: Context) -> None:
    """Delete what an earlier start of the same pod has left: a pod has one instance, its newest."""
    owner, created = _owner(peer), peer.metadata.creation_timestamp
    if owner is None or created is None:
        return
    for other in await ctx.list(PeerPod, index=BY_OWNER, value=owner):
        born = other.metadata.creation_timestamp
        if born is not None and born < created and other.metadata.deletion_timestamp is None:
            ctx.event("Superseded", f"a newer instance runs the pod: {peer.metadata.name}", about=other)
            await ctx.delete(PeerPod, other.metadata.name, other.metadata.namespace)


async def _spared(peer: PeerPod, ctx: Context) -> str:
    """Why an instance is not to be deleted with its PeerPod; empty if it is."""
    instance = _instance(peer)
    if instance is None:
        return "there is none"
    if peer.status.cleand:
        return "it is deleted"
    if peer.spec.deletion_policy == "Retain":
        return "it stays, as asked"
    for other in await ctx.list(PeerPod, index=BY_INSTANCE, value=instance):
        if other.metadata.deletion_timestamp is None:
            return f"it is in use by {other.metadata.namespace}/{other.metadata.name}"
    return ""


async def _delete(peer: PeerPod, ctx: Context, cloud: Cloud) -> bool:
    """Delete the instance; whether there was one."""
    instance = peer.spec.instance_id

    async def deletion() -> bool:
        try:
            await cloud.delete_instance(instance)
        except InstanceMissingError:
            return False
        return True

    return await ctx.effect(
        f"delete instance {instance} of {peer.spec.cloud_provider}", deletion, planned=True
    )


async def _release(peer: PeerPod, ctx: Context) -> Result[Any]:
    """Take the finalizer off: of this object, and if it has the finalizers that we saw."""
    names = peer.metadata.finalizers
    left = [each for each in names if each != FINALIZER]
    operations: list[Json] = [
        {"op": "test", "path": "/metadata/uid", "value": peer.metadata.uid},
        {"op": "test", "path": "/metadata/finalizers", "value": names},
        {"op": "replace", "path": "/metadata/finalizers", "value": left},
    ]
    with suppress(NotFound):  # somebody else took it off
        await ctx.patch(PeerPod, peer.metadata.name, JsonPatch(operations))
    return _RELEASED


def _told(peer: PeerPod, ctx: Context, reason: str, message: str, *, cleaned: bool = False) -> PeerPodStatus:
    status = peer.status.model_copy(deep=True)
    status.cleand = cleaned
    condition = Condition(type=CLEANED, status="True" if cleaned else "False", reason=reason, message=message)
    set_condition(status.conditions, condition, ctx.now)
    return status


def _waiting(
    peer: PeerPod, ctx: Context, why: tuple[str, str], again: timedelta | None = None
) -> Result[PeerPodStatus]:
    return Result.waiting(*why, _told(peer, ctx, *why), again=again)
