"""Webhooks of a simulated operator: asked in its processes, which crash and freeze."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from typing_extensions import override

from widget import Widget, WidgetSpec, WidgetStatus
from windlass.api import ObjectMeta
from windlass.errors import ApiError, Forbidden
from windlass.reconcile import Context, Reconciler, Result
from windlass.testing import Scenario
from windlass.webhook import AdmissionRequest, Verdict, WebhookServer, mutating, validating

if TYPE_CHECKING:
    from windlass.manager import Manager
    from windlass.testing import Simulate, SimulatedWorld

unanswered: list[str] = []


@mutating(Widget)
def painted(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Give a widget a color."""
    request.object.spec.color = "red"
    return Verdict.change(request.object)


@validating(Widget)
def sized(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Refuse large ones."""
    return Verdict.deny("too large") if request.object.spec.size > 10 else Verdict.allow()


class Counts(Reconciler[Widget]):
    """Reports the size."""

    async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready(WidgetStatus(size=widget.spec.size))


class Painting(Scenario):
    """People create widgets of all sizes, again when nobody answers for the webhooks."""

    kinds = (Widget,)

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        manager.add(Counts())
        WebhookServer([painted, sized]).add_to(manager)

    @override
    async def play(self, world: SimulatedWorld) -> None:
        for number in range(12):
            await self._create(
                Widget(metadata=ObjectMeta(name=f"w{number}"), spec=WidgetSpec(size=number)), world
            )
            await world.pause(timedelta(seconds=20))

    async def _create(self, widget: Widget, world: SimulatedWorld) -> None:
        while True:
            try:
                await world.create(widget)
            except Forbidden:  # too large
                return
            except ApiError as failed:
                unanswered.append(str(failed))
                await world.pause(timedelta(seconds=5))
                continue
            return

    @override
    def is_true(self, resource: Widget, world: SimulatedWorld) -> dict[str, bool]:
        return {
            "is painted": resource.spec.color == "red",
            "is not large": world.get(Widget, "w11") is None,
            "is counted": resource.status.size == resource.spec.size,
        }


def test_nothing_gets_past_webhooks_whose_processes_crash_and_freeze(simulate: Simulate) -> None:
    unanswered.clear()

    simulate(Painting, seeds=20)

    assert any("connection refused" in each for each in unanswered), unanswered
    assert any("deadline exceeded" in each for each in unanswered), unanswered
