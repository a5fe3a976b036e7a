from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.api import Condition, set_condition
from windlass.client import JsonPatch
from windlass.errors import ConfigError, NotFound, Terminal
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
from windlass.operators.peerpod.controllers.usage import BY_INSTANCE, BY_OWNER, spared, supersede
from windlass.operators.peerpod.types import PeerPod
from windlass.reconcile import Context, Follow, Reconciler, Result, Rule

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.errors import WindlassError
    from windlass.operators.peerpod.cloud import Cloud
    from windlass.operators.peerpod.types import PeerPodStatus

CLEANED: Final = "Cleaned"
_AT_LEAST: Final = timedelta(seconds=1)


class PeerPodController(Reconciler[PeerPod]):
    """Deletes instances that the cloud-api-adaptor has left behind, when it crashed or lost its node.

    It puts no finalizer on a PeerPod: that the cloud-api-adaptor does, and takes it off again when it has
    deleted the instance. Where that does not come about within the grace period, it is done here.
    """

    first_retry = timedelta(seconds=1)  # each run may call the cloud
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
            await supersede(peer, ctx)
            return Result.ready(_told(peer, ctx, "InUse", "the instance belongs to a pod"))
        if FINALIZER not in peer.metadata.finalizers:
            return _released()
        why = await spared(peer, ctx)
        if why:
            ctx.event("InstanceSpared", f"instance {peer.spec.instance_id}: {why}")
            return await _release(peer, ctx)
        return await self._clean(peer, ctx)

    async def _clean(self, peer: PeerPod, ctx: Context) -> Result[PeerPodStatus]:
        left = self._grace_left(peer, ctx)
        if left > timedelta():
            message = "the cloud-api-adaptor is given time to delete the instance"
            return _waiting(peer, ctx, ("Grace", message), max(left, _AT_LEAST))
        try:
            found = await _delete(peer, ctx, await self._cloud(peer, ctx))
        except (CloudError, ConfigError, Terminal) as error:
            return self._failed(peer, ctx, error)
        message = f"instance {peer.spec.instance_id} was {'deleted' if found else 'gone already'}"
        ctx.event("InstanceDeleted", message)
        cleaned = _told(peer, ctx, "InstanceDeleted", message, cleaned=True)
        try:
            await ctx.checkpoint(cleaned)
        except NotFound:  # the cloud-api-adaptor was at it too, and has let the object go
            return Result.ready()
        return await _release(peer, ctx, cleaned)

    def _grace_left(self, peer: PeerPod, ctx: Context) -> timedelta:
        """How long the cloud-api-adaptor still has; the server's clock may be ahead of ours."""
        deleted, grace = peer.metadata.deletion_timestamp or ctx.now, self._options.grace
        return min(deleted + grace - ctx.now, grace)

    async def _cloud(self, peer: PeerPod, ctx: Context) -> Cloud:
        """The cloud of a PeerPod, with the credentials as they are now.

        Raises:
            Terminal: nobody knows it, with whatever credentials.
            ConfigError: there are no credentials, or they cannot be used.
        """
        provider = peer.spec.cloud_provider
        self._clouds.check(provider)
        return self._clouds.of(provider, await read_credentials(peer, ctx, self._options))

    def _failed(self, peer: PeerPod, ctx: Context, error: WindlassError) -> Result[PeerPodStatus]:
        """What did not work is tried again when that makes sense."""
        if isinstance(error, Terminal):
            return Result.failed(error, _told(peer, ctx, error.reason, str(error)))
        if isinstance(error, ConfigError):
            return _waiting(peer, ctx, ("CredentialsUnusable", str(error)))
        if isinstance(error, ThrottledError):
            return _waiting(peer, ctx, ("Throttled", str(error)), max(error.wait, _AT_LEAST))
        if isinstance(error, AccessDeniedError):
            ctx.event("AccessDenied", str(error), warning=True)
            return _waiting(peer, ctx, ("AccessDenied", str(error)), self._options.retry_denied)
        return Result.failed(error, _told(peer, ctx, "CloudFailed", str(error)), reason="CloudFailed")


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


async def _release(peer: PeerPod, ctx: Context, status: PeerPodStatus | None = None) -> Result[PeerPodStatus]:
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
    return _released(status)


def _released(status: PeerPodStatus | None = None) -> Result[PeerPodStatus]:
    return Result.ready(status, reason="Released", message="the instance was seen to")


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
