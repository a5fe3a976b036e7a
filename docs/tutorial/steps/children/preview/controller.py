from preview.desired import deployment, service
from preview.types import Preview, PreviewStatus
from windlass import Context, Manager, Reconciler, Result
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Service


class PreviewController(Reconciler[Preview]):
    """Has each preview run."""

    owns = (Deployment, Service)

    async def reconcile(self, preview: Preview, ctx: Context) -> Result[PreviewStatus]:
        await ctx.apply(deployment(preview))
        await ctx.apply(service(preview))
        return Result.ready(PreviewStatus())


def add_to(manager: Manager) -> None:
    """Have a manager run it."""
    manager.add(PreviewController())
