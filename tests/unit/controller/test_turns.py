"""Controllers share one thread with everybody else."""

from __future__ import annotations

from datetime import timedelta

from operating import operating
from widget import Widget, WidgetStatus
from windlass.reconcile import Context, Reconciler, Result


class Spinning(Reconciler[Widget]):
    """Wants to be called again at once, without end, and waits for nothing."""

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready(WidgetStatus(size=resource.spec.size), again=timedelta(microseconds=1))


async def test_a_reconcile_that_never_waits_and_never_ends_lets_others_have_their_turn() -> None:
    async with operating(Spinning()) as operator:
        await operator.make("a", size=1)
        await operator.ready("a")
        await operator.make("b", size=2)

        assert (await operator.ready("b")).status.size == 2
