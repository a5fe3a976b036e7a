"""Plain dictionaries: an operator without types, for a kind that somebody else has defined.

Run `windlass run examples/plain_dicts.py` on a cluster that has the kind Deployment, and label one
`audit=yes`. Its annotation `demo.example.com/image` names the image that it runs; change the image, and the
log says from what to what.
"""

from windlass import Context, Kind, Reconciler, Result, Untyped
from windlass.api import Selection
from windlass.client import MergePatch
from windlass.reconcile import Rule

Deployment = Untyped.of(Kind(group="apps", version="v1", name="Deployment", plural="deployments"))


class AuditController(Reconciler[Untyped]):
    """Notes the image of each labelled Deployment."""

    of = Deployment
    name = "audit"
    selection = Selection(labels="audit=yes")
    rules = (Rule.on(Deployment, "patch"),)

    async def reconcile(self, deployment: Untyped, ctx: Context) -> Result[Untyped]:
        image = deployment["spec"]["template"]["spec"]["containers"][0]["image"]
        for cause in ctx.causes:
            if cause.old and cause.new and any(path.endswith(".image") for path in cause.paths):
                before = cause.old["spec"]["template"]["spec"]["containers"][0]["image"]
                ctx.log.info("%s became %s by %s", before, image, ", ".join(cause.writers))
        note = {"metadata": {"annotations": {"demo.example.com/image": image}}}
        await ctx.patch(Deployment, deployment.metadata.name, MergePatch(note))
        return Result.ready()
