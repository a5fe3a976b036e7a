"""A kind that may come later: ServiceMonitors, where nobody has installed Prometheus' operator yet.

Run `windlass run examples/late_crd.py`, and apply a Probe. Its Ready condition is false with the reason
`KindMissing`, and names the kind. Install the definition of ServiceMonitors, and the Probe becomes Ready;
nothing has to be restarted.
"""

from windlass import Condition, Context, Field, Kind, Reconciler, Resource, Result, Status, Untyped

ServiceMonitor = Untyped.of(
    Kind(group="monitoring.coreos.com", version="v1", name="ServiceMonitor", plural="servicemonitors")
)


class ProbeStatus(Status):
    """What was seen."""

    conditions: list[Condition] = []


class Probe(Resource, group="demo.example.com", version="v1"):
    """Has the service of its name be scraped."""

    status: ProbeStatus = Field(default_factory=ProbeStatus)


class ProbeController(Reconciler[Probe]):
    """Makes a ServiceMonitor for each probe."""

    owns = (ServiceMonitor,)

    async def reconcile(self, probe: Probe, ctx: Context) -> Result[ProbeStatus]:
        name = probe.metadata.name
        spec = {"selector": {"matchLabels": {"app": name}}, "endpoints": [{"port": "metrics"}]}
        await ctx.apply(ServiceMonitor.from_wire({"metadata": {"name": name}, "spec": spec}))
        return Result.ready(ProbeStatus())
