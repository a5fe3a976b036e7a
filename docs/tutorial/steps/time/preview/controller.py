from preview.desired import deployment, is_rolled_out, service
from preview.types import Preview, PreviewStatus
from windlass import Context, Manager, Reconciler, Result
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Service


class PreviewController(Reconciler[Preview]):
    """Has each preview run until it expires."""

    owns = (Deployment, Service)

    async def reconcile(self, preview: Preview, ctx: Context) -> Result[PreviewStatus]:
        created = preview.metadata.creation_timestamp or ctx.now
        expires = created + preview.spec.ttl
        if ctx.now >= expires:
            await ctx.prune()  # nothing was applied in this pass, so all that we own goes
            return Result.waiting("Expired", "its time is over", PreviewStatus(expires=expires))

        live = await ctx.apply(deployment(preview))
        await ctx.apply(service(preview))

        ready = live.status.ready_replicas or 0
        status = PreviewStatus(ready_replicas=ready, expires=expires)
        again = expires - ctx.now
        if not is_rolled_out(live):
            told = f"{ready} of {preview.spec.replicas} pods are ready"
            return Result.waiting("RollingOut", told, status, again=again)
        return Result.ready(status, again=again)


def add_to(manager: Manager) -> None:
    """Have a manager run it."""
    manager.add(PreviewController())
