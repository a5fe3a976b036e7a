"""Children that come and go: one ConfigMap for each page of a site.

Run `windlass run examples/children.py`, and apply a Site with two `spec.pages`. There are two ConfigMaps.
Remove a page, and its ConfigMap goes; edit one by hand, and it is put back; delete the Site, and all are
gone.
"""

from windlass import Condition, Context, Field, ObjectMeta, Reconciler, Resource, Result, Spec, Status
from windlass.kinds.core.v1 import ConfigMap


class SiteSpec(Spec):
    """What to show."""

    pages: dict[str, str] = {}
    """The text of each page, by its name."""


class SiteStatus(Status):
    """What is shown."""

    pages: list[str] = []
    conditions: list[Condition] = []


class Site(Resource, group="demo.example.com", version="v1"):
    """A site of several pages."""

    spec: SiteSpec = Field(default_factory=SiteSpec)
    status: SiteStatus = Field(default_factory=SiteStatus)


class SiteController(Reconciler[Site]):
    """Has a ConfigMap for each page, and no other."""

    owns = (ConfigMap,)

    async def reconcile(self, site: Site, ctx: Context) -> Result[SiteStatus]:
        for name, text in site.spec.pages.items():
            metadata = ObjectMeta(name=f"{site.metadata.name}-{name}")
            await ctx.apply(ConfigMap(metadata=metadata, data={"text": text}))
        for gone in await ctx.prune():  # what we own, and did not apply in this pass
            ctx.event("Removed", f"{gone.metadata['name']} is no longer wanted")
        return Result.ready(SiteStatus(pages=sorted(site.spec.pages)))
