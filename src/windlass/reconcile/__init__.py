"""The contract between a controller and the code that decides: what to write to build an operator.

A `Reconciler` says which kinds it owns and reads, is handed one object at a time with a `Context` to act
through, and returns a `Result`. Nothing here runs anything: controllers and the manager do.

    class WebAppController(Reconciler[WebApp]):
        owns = (Deployment,)
        reads = (Watch(Secret, by=lambda app: app.spec.secret_name),)

        async def reconcile(self, app: WebApp, ctx: Context) -> Result[WebAppStatus]:
            live = await ctx.apply(deployment(app))
            return Result.ready(WebAppStatus(replicas=live.status.ready_replicas))
"""

from windlass.reconcile.cause import Cause
from windlass.reconcile.channel import Channel
from windlass.reconcile.check import SOONEST
from windlass.reconcile.context import Context
from windlass.reconcile.cron import Cron
from windlass.reconcile.declare import Digest, Follow, Index, Names, Owns, Predicate, Watch
from windlass.reconcile.every import Every
from windlass.reconcile.poll import Poll
from windlass.reconcile.predicate import (
    all_of,
    annotations_changed,
    any_of,
    generation_changed,
    labels_changed,
)
from windlass.reconcile.reconciler import (
    KeyReconciler,
    Reconciler,
    Reconciles,
    check_reconciler,
    is_of_objects,
)
from windlass.reconcile.result import Result
from windlass.reconcile.rule import READ, Rule
from windlass.reconcile.schedule import Schedule
from windlass.reconcile.source import Sink, Source

__all__ = [
    "READ",
    "SOONEST",
    "Cause",
    "Channel",
    "Context",
    "Cron",
    "Digest",
    "Every",
    "Follow",
    "Index",
    "KeyReconciler",
    "Names",
    "Owns",
    "Poll",
    "Predicate",
    "Reconciler",
    "Reconciles",
    "Result",
    "Rule",
    "Schedule",
    "Sink",
    "Source",
    "Watch",
    "all_of",
    "annotations_changed",
    "any_of",
    "check_reconciler",
    "generation_changed",
    "is_of_objects",
    "labels_changed",
]
