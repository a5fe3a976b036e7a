"""Objects that could not be converted are reported, and nothing is done for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operating import operating
from polling import soon, until
from widget import Widget, WidgetSpec, WidgetStatus
from windlass.api import UNCONVERTED, ObjectMeta, Unconverted
from windlass.client import MergePatch
from windlass.kinds.events.v1 import Event
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    import pytest

FINALIZER = "test.windlass.dev/widget"
NOTE = Unconverted("test.windlass.dev/v1beta1", "too odd", {"spec": {"size": "odd"}})
MESSAGE = (
    "written in test.windlass.dev/v1beta1, it cannot be converted to test.windlass.dev/v1: too odd; repair it "
    "with kubectl edit widgets.v1beta1.test.windlass.dev w"
)
REPAIR = MergePatch({"metadata": {"annotations": {UNCONVERTED: None}}})


class Keeper(Reconciler[Widget]):
    finalizer = FINALIZER

    def __init__(self) -> None:
        self.did: list[str] = []
        self.when = lambda change: change.old is None or "deletionTimestamp" in change.new.metadata

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.did.append("reconcile")
        return Result.ready(WidgetStatus(size=resource.spec.size))

    async def finalize(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.did.append("finalize")
        return Result.ready()


def odd(**metadata: Any) -> Widget:
    given = ObjectMeta(name="w", namespace="default", annotations={UNCONVERTED: NOTE.text()}, **metadata)
    return Widget(metadata=given, spec=WidgetSpec())


async def test_it_is_reported_and_reconciled_once_it_is_repaired(caplog: pytest.LogCaptureFixture) -> None:
    keeper = Keeper()
    async with operating(keeper) as operator:
        await operator.client.create(odd())

        reported = await operator.ready(reason="ConversionFailed")

        conditions = {each.type: each for each in reported.status.conditions}
        assert (conditions["Ready"].status, conditions["Ready"].message) == ("False", MESSAGE)
        assert conditions["Stalled"].status == "True"
        assert reported.metadata.finalizers == []
        assert keeper.did == []
        await operator.quiet()
        assert any(MESSAGE in str(each.exc_info and each.exc_info[1]) for each in caplog.records)
        (event,) = await until(lambda: operator.client.list(Event, "default"))
        assert (event.type, event.reason, event.note) == ("Warning", "ConversionFailed", MESSAGE)

        await operator.client.patch(Widget, "w", REPAIR, "default")

        await operator.ready()
        assert keeper.did == ["reconcile"]


async def test_it_is_not_finalized_before_it_is_repaired() -> None:
    keeper = Keeper()
    async with operating(keeper) as operator:
        await operator.client.create(odd(finalizers=[FINALIZER]))
        await operator.ready(reason="ConversionFailed")

        await operator.client.delete(Widget, "w", "default")
        await operator.client.patch(
            Widget,
            "w",
            MergePatch({"metadata": {"annotations": {"windlass.dev/reconcile-at": "1"}}}),
            "default",
        )

        async def message() -> str:
            found = (await operator.widget()).status.conditions
            return next(each.message for each in found if each.type == "Ready")

        end = "; it is being deleted, and is finalized once it is repaired"
        assert await until(message, lambda each: each.endswith(end)) == MESSAGE + end
        assert keeper.did == []

        await operator.client.patch(Widget, "w", REPAIR, "default")

        await operator.gone(Widget)
        assert keeper.did == ["finalize"]


async def test_it_goes_where_nothing_of_ours_holds_it() -> None:
    keeper = Keeper()
    async with operating(keeper) as operator:
        await operator.client.create(odd())
        await operator.ready(reason="ConversionFailed")

        await operator.client.delete(Widget, "w", "default")

        await operator.gone(Widget)
        assert keeper.did == []


async def test_what_is_paused_is_left_alone() -> None:
    keeper = Keeper()
    async with operating(keeper) as operator:
        paused = odd()
        paused.metadata.annotations["windlass.dev/paused"] = "true"
        await operator.client.create(paused)

        async def types() -> set[str]:
            return {each.type for each in (await operator.widget()).status.conditions}

        assert await until(types) == {"Paused"}
        await soon(lambda: len(operator.manager.controllers[0].queue) == 0)
        assert keeper.did == []
