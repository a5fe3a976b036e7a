from datetime import timedelta
from pathlib import Path

from preview.adapter import Hosts, HostsFolder
from preview.desired import deployment, is_rolled_out, service
from preview.types import Preview, PreviewStatus
from preview.webhook import of_our_registry, with_its_author
from windlass import Context, Manager, Reconciler, Result
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Service
from windlass.manager import Distributions
from windlass.webhook import WebhookServer

SECONDS = (15.0, 30.0, 60.0, 120.0, 300.0, 600.0)


class PreviewController(Reconciler[Preview]):
    """Has each preview run, under a name of its own, until it expires."""

    owns = (Deployment, Service)
    finalizer = "demo.example.com/host"

    def __init__(self, hosts: Hosts) -> None:
        self.hosts = hosts
        self.waits = Distributions("preview_wait_seconds", "From creation to the first URL.", (), SECONDS)

    async def reconcile(self, preview: Preview, ctx: Context) -> Result[PreviewStatus]:
        created = preview.metadata.creation_timestamp or ctx.now
        expires = created + preview.spec.ttl
        if ctx.now >= expires:
            await self._withdraw(preview, ctx)
            await ctx.prune()  # nothing was applied in this pass, so all that we own goes
            return Result.waiting("Expired", "its time is over", PreviewStatus(expires=expires))

        live = await ctx.apply(deployment(preview))
        address = (await ctx.apply(service(preview))).spec.cluster_ip
        ready = live.status.ready_replicas or 0
        status = PreviewStatus(url=preview.status.url, ready_replicas=ready, expires=expires)
        if address is None or not is_rolled_out(live):
            told = f"{ready} of {preview.spec.replicas} pods are ready"
            return Result.waiting("RollingOut", told, status, again=expires - ctx.now)

        await self._publish(preview, address, ctx)
        status.url = f"http://{host_of(preview)}"
        if not preview.status.url:
            self.waits.of().observe((ctx.now - created).total_seconds())
        return Result.ready(status, again=min(expires - ctx.now, timedelta(minutes=10)))

    async def finalize(self, preview: Preview, ctx: Context) -> Result[PreviewStatus]:
        await self._withdraw(preview, ctx)
        return Result.ready()

    async def _publish(self, preview: Preview, address: str, ctx: Context) -> None:
        host = host_of(preview)
        if await self.hosts.find(host) != address:
            await ctx.effect(f"publish {host}", lambda: self.hosts.publish(host, address))

    async def _withdraw(self, preview: Preview, ctx: Context) -> None:
        host = host_of(preview)
        if await self.hosts.find(host) is not None:
            await ctx.effect(f"withdraw {host}", lambda: self.hosts.withdraw(host))


def host_of(preview: Preview) -> str:
    """The name under which people find it."""
    return f"{preview.metadata.name}.{preview.metadata.namespace}.preview.test"


def add_to(manager: Manager) -> None:
    """Have a manager run it."""
    controller = PreviewController(HostsFolder(Path("hosts.d")))
    manager.metrics.show(controller.waits)
    manager.add(controller)
    WebhookServer([with_its_author, of_our_registry]).add_to(manager)
