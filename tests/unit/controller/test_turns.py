"""Controllers share one thread with everybody else, and rest between their turns."""

from __future__ import annotations

from datetime import timedelta

from caching import eventually, turns
from echo import Echo
from operating import operating
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.reconcile import Context, Reconciler, Result


class Spinning(Reconciler[Widget]):
    """Has itself called again at once, without end, and waits for nothing."""

    def __init__(self) -> None:
        self._echo = Echo()
        self.sources = (self._echo,)

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self._echo.wake(ctx.key)
        return Result.ready(WidgetStatus(size=resource.spec.size))


async def test_a_reconcile_that_never_waits_and_never_ends_lets_others_have_their_turn() -> None:
    async with operating(Spinning()) as operator:
        await operator.make("a", size=1)
        await operator.ready("a")
        await operator.make("b", size=2)

        assert (await operator.ready("b")).status.size == 2


async def test_an_object_that_is_to_be_looked_at_after_a_microsecond_is_after_a_tenth_of_a_second() -> None:
    clock, runs = ManualClock(), []

    class Hasty(Reconciler[Widget]):
        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            runs.append(ctx.now)
            return Result.ready(again=timedelta(microseconds=1))

    async with operating(Hasty(), clock=clock) as operator:
        await operator.make()
        await operator.ready()
        await operator.quiet()
        before = len(runs)

        await clock.advance(timedelta(milliseconds=99))
        await turns(100)
        early = len(runs)
        await clock.advance(timedelta(milliseconds=1))
        await eventually(lambda: len(runs) > before)

    assert early == before
