"""Budgets with Windlass: each is a ResourceQuota in its namespace. Run with `windlass run after.py`."""

from windlass import Condition, Context, Field, Reconciler, Resource, Result, Spec, Status
from windlass.kinds.core.v1 import ResourceQuota


class BudgetSpec(Spec):
    """How much a namespace may ask for."""

    cpu: str = "1"


class BudgetStatus(Status):
    """What is in force."""

    cpu: str = ""
    observed_generation: int | None = None
    conditions: list[Condition] = []


class Budget(Resource, group="demo.example.com", version="v1"):
    """The CPU of a namespace."""

    spec: BudgetSpec = Field(default_factory=BudgetSpec)
    status: BudgetStatus = Field(default_factory=BudgetStatus)


class BudgetController(Reconciler[Budget]):
    """Has each budget be a quota."""

    owns = (ResourceQuota,)

    async def reconcile(self, budget: Budget, ctx: Context) -> Result[BudgetStatus]:
        hard = {"requests.cpu": budget.spec.cpu}
        wanted = ResourceQuota.from_wire({"metadata": {"name": budget.metadata.name}, "spec": {"hard": hard}})
        quota = await ctx.apply(wanted)
        return Result.ready(BudgetStatus(cpu=str(quota.spec.hard["requests.cpu"])))
