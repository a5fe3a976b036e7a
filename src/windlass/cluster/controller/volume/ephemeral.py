from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import ObjectMeta
from windlass.cluster.controller.claim import controller_of
from windlass.cluster.controller.volume.binding import ephemeral_name
from windlass.kinds.core.v1 import PersistentVolumeClaim, Pod
from windlass.reconcile import Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Change
    from windlass.reconcile import Context

_EPHEMERAL: Final = b'"ephemeral":'
_PATIENCE: Final = timedelta(seconds=10)


def ephemeral_claims(pod: Pod) -> Iterator[PersistentVolumeClaim]:
    """The claims of the volumes that live as long as a pod."""
    for volume in pod.spec.volumes:
        template = volume.ephemeral.volume_claim_template if volume.ephemeral else None
        if template:
            metadata = ObjectMeta(
                name=ephemeral_name(pod, volume),
                labels=template.metadata.labels,
                annotations=template.metadata.annotations,
            )
            yield PersistentVolumeClaim(metadata=metadata, spec=template.spec)


def _has_some(change: Change[Any]) -> bool:
    """Whether a pod has such volumes, which few have."""
    return change.new is not None and _EPHEMERAL in change.new.raw


class EphemeralVolumeController(Reconciler[Pod]):
    """Makes the claims of volumes that live as long as their pod; they go with it, since it owns them.

    Where somebody else has a claim of that name, its end is looked for: an index by which it would be told
    would have every pod decoded.
    """

    name = "ephemeral-volume"
    owns = (PersistentVolumeClaim,)
    when = _has_some

    @override
    async def reconcile(self, resource: Pod, ctx: Context) -> Result[Any]:
        for claim in ephemeral_claims(resource):
            name = claim.metadata.name
            found = await ctx.get(PersistentVolumeClaim, name)
            owner = controller_of(found) if found else None
            if found is None:
                await ctx.create(claim)
            elif owner is None or owner.uid != resource.metadata.uid:
                message = (
                    f"PVC {ctx.key.namespace}/{name} was not created for pod {ctx.key} (pod is not owner)"
                )
                return Result.waiting("ClaimTaken", message, again=_PATIENCE)
        return Result.ready()
