from preview.desired import deployment, is_rolled_out, service
from preview.types import Preview, PreviewStatus
from windlass import Context, Manager, Reconciler, Result
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Service


class PreviewController(Reconciler[Preview]):
    """Has each preview run."""

    owns = (Deployment, Service)

    async def reconcile(self, preview: Preview, ctx: Context) -> Result[PreviewStatus]:
        live = await ctx.apply(deployment(preview))
        await ctx.apply(service(preview))

        ready = live.status.ready_replicas or 0
        status = PreviewStatus(ready_replicas=ready)
        if not is_rolled_out(live):
            return Result.waiting("RollingOut", f"{ready} of {preview.spec.replicas} pods are ready", status)
        return Result.ready(status)


def add_to(manager: Manager) -> None:
    """Have a manager run it."""
    manager.add(PreviewController())
