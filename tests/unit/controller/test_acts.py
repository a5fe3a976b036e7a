"""What a reconcile does outside the cluster, and how it reports."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from operating import moving, operating
from polling import soon, until
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import Definition, Key, ObjectMeta
from windlass.client import MergePatch
from windlass.controller import Fence
from windlass.errors import NotLeadingError, Terminal
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.events.v1 import Event
from windlass.manager import ManagerOptions
from windlass.reconcile import Channel, Context, KeyReconciler, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Doing(Reconciler[Widget]):
    def __init__(self, act: Callable[[Widget, Context], Awaitable[Result[Any]]]) -> None:
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[Any]:
        return await self._act(resource, ctx)


async def test_an_intent_is_written_before_the_effect_that_it_announces() -> None:
    seen: list[str] = []

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        await ctx.checkpoint(WidgetStatus(note="creating"))

        async def create() -> str:
            seen.append((await operator.widget()).status.note)
            return "id-1"

        made = await ctx.effect("create a record", create)
        return Result.ready(WidgetStatus(note=made))

    async with operating(Doing(act)) as operator:
        await operator.make()
        widget = await operator.ready()

        assert seen == ["creating"]
        assert widget.status.note == "id-1"


async def test_an_intent_that_cannot_be_written_keeps_its_effect_from_happening() -> None:
    done: list[str] = []

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        await operator.client.delete(Widget, "w", "default")
        await ctx.checkpoint(WidgetStatus(note="creating"))
        done.append("created")
        return Result.ready()

    async with operating(Doing(act)) as operator:
        await operator.make()
        await operator.gone(Widget)
        await soon(lambda: operator.manager.journal.runs("widget", Key("default", "w")))

        assert done == []
        assert "not found" in operator.manager.journal.runs("widget", Key("default", "w"))[-1].message


class Doubtful(Fence):
    """Counts the doubts."""

    def __init__(self) -> None:
        self.doubts = 0

    @override
    def check(self) -> None:
        """Everything is allowed."""

    @override
    def left(self) -> None:
        """Without end."""

    @override
    def doubt(self) -> None:
        self.doubts += 1


async def test_an_effect_that_is_given_up_may_still_happen_and_leaves_a_doubt() -> None:
    fence, began = Doubtful(), asyncio.Event()

    async def create() -> None:
        began.set()
        await asyncio.get_running_loop().create_future()

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        operator.manager._gate.open(fence)
        await ctx.effect("create a record", create)
        return Result.ready()

    async with operating(Doing(act), options=ManagerOptions(name="tester", drain=timedelta(0))) as operator:
        await operator.make()
        await began.wait()
        await operator.stop()

        assert fence.doubts == 1


@pytest.mark.parametrize("metadata", [ObjectMeta(), ObjectMeta(generate_name="w-")])
async def test_what_is_applied_needs_a_name(metadata: ObjectMeta) -> None:
    class Owning(Doing):
        owns = (ConfigMap,)

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        await ctx.apply(ConfigMap(metadata=metadata))
        return Result.ready()

    async with operating(Owning(act)) as operator:
        await operator.make()
        failed = await operator.ready(reason="ReconcileFailed")

        assert "ConfigMap without a name" in failed.status.conditions[0].message
        assert not any("configmaps" in each for each in operator.writes)


async def test_what_has_no_namespace_has_to_say_where_others_lie() -> None:
    pushed = Channel()

    class Keys(KeyReconciler):
        name = "keys"
        reads = (Watch(ConfigMap),)
        sources = (pushed,)

        async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
            await ctx.get(ConfigMap, "a")
            return Result.ready()

    key = Key("", "x")
    async with operating(Keys()) as operator:
        pushed.send(key)
        await soon(lambda: operator.manager.journal.runs("keys", key))

        message = operator.manager.journal.runs("keys", key)[0].message
        assert message == "ConfigMap a lies in a namespace, and x in none: say which"


async def test_a_checkpoint_keeps_the_conditions() -> None:
    kept: list[set[str]] = []

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        await ctx.checkpoint(WidgetStatus(note=f"size {resource.spec.size}"))
        kept.append({each.type for each in (await operator.widget()).status.conditions})
        return Result.ready(WidgetStatus(size=resource.spec.size))

    async with operating(Doing(act)) as operator:
        await operator.make(size=1)
        await operator.ready()
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        await operator.ready()

        assert kept == [set(), {"Ready"}]


async def test_no_effect_without_the_lease() -> None:
    outcome: list[object] = []
    done: list[str] = []

    async def create() -> None:
        done.append("created")

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        operator.manager._gate.close()  # the lease is lost in the middle of a reconcile
        try:
            await ctx.effect("create a record", create)
        except NotLeadingError as error:
            outcome.append(error)
            raise
        return Result.ready()

    async with operating(Doing(act)) as operator:
        await operator.make()

        async def refused() -> bool:
            return bool(outcome)

        await until(refused)
        await operator.quiet()

        assert done == []
        assert operator.writes == []


async def test_somebody_elses_status_written_meanwhile_is_not_lost() -> None:
    theirs = {
        "type": "Audited",
        "status": "True",
        "reason": "Yes",
        "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        other = operator.client.using(field_manager="auditor")
        await other.status.patch(Widget, "w", MergePatch({"status": {"conditions": [theirs]}}), "default")
        return Result.ready(WidgetStatus(size=3))

    async with operating(Doing(act)) as operator:
        await operator.make()
        widget = await operator.ready()

        assert {each.type for each in widget.status.conditions} == {"Audited", "Ready"}
        assert widget.status.size == 3


async def test_the_generation_that_was_seen_is_reported_not_the_newest() -> None:
    changed = asyncio.Event()

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        if not changed.is_set():
            changed.set()
            await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 9}}), "default")
            reported.append(resource.metadata.generation)
        else:
            reported.append((await operator.widget()).status.observed_generation or 0)
        return Result.ready(WidgetStatus(size=resource.spec.size))

    reported: list[int] = []
    async with operating(Doing(act)) as operator:
        await operator.make(size=1)
        widget = await operator.ready()

        assert reported == [1, 1]
        assert (widget.status.size, widget.status.observed_generation) == (9, 2)


async def test_a_library_that_blocks_runs_in_a_thread() -> None:
    threads: list[int] = []

    def blocking(number: int) -> int:
        threads.append(threading.get_ident())
        return number + 1

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        return Result.ready(WidgetStatus(size=await ctx.thread(blocking, 41)))

    async with operating(Doing(act)) as operator:
        await operator.make()
        widget = await operator.ready()

        assert widget.status.size == 42
        assert threads != [threading.get_ident()]


async def test_a_reconcile_that_forgets_its_result_is_told_so() -> None:
    async def act(resource: Widget, ctx: Context) -> Any:
        return None

    async with operating(Doing(act)) as operator:
        await operator.make()
        widget = await operator.ready(reason="ReconcileFailed")

        assert "must return a Result" in widget.status.conditions[0].message


async def test_a_reconcile_tells_of_another_object_too() -> None:
    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        other = ConfigMap(metadata=ObjectMeta(name="other", namespace="default", uid="u"))
        ctx.event("Noticed", "it is there", about=other)
        return Result.ready()

    async with operating(Doing(act)) as operator:
        await operator.make()

        async def told() -> list[tuple[str | None, str | None, str | None]]:
            events = await operator.client.list(Event, "default")
            abouts = [each.regarding for each in events if each.reason == "Noticed" and each.regarding]
            return [(each.kind, each.name, each.uid) for each in abouts]

        assert await until(told) == [("ConfigMap", "other", "u")]


class Failing(Reconciler[Widget]):
    """Fails as often as its Widget is large, and each time tells how often it has been called."""

    reporter = "example.com/widgets"

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.calls = 0

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.calls += 1
        ctx.event("Called", "once more")
        status = WidgetStatus(size=self.calls)
        return Result.ready(status) if self.calls > resource.spec.size else Result.failed(self._error, status)


async def test_a_failure_may_come_with_a_status_and_is_tried_again() -> None:
    clock = ManualClock()  # nothing is tried again before time goes on
    async with operating(Failing(OSError("no room")), clock=clock) as operator:
        await operator.make(size=1)
        told = await operator.ready(reason="ReconcileFailed")
        assert (told.status.size, told.status.conditions[0].message) == (1, "no room")
        assert (await moving(clock, operator.ready())).status.size == 2


async def test_a_failure_for_good_may_come_with_a_status() -> None:
    failing = Failing(Terminal("ColorUnknown", "no such color"))
    async with operating(failing) as operator:
        await operator.make(size=1)
        assert (await operator.ready(reason="ColorUnknown")).status.size == 1
        await operator.quiet()
        assert failing.calls == 1


async def test_events_name_the_one_whom_a_reconciler_wants_them_to_name() -> None:
    async with operating(Failing(OSError())) as operator:
        await operator.make()
        await operator.ready()
        found = await until(lambda: operator.client.list(Event, "default"), lambda found: len([*found]) == 3)
        for event in found:  # its own, the failure, and that it is ready
            assert event.reporting_controller == "example.com/widgets"
            assert str(event.reporting_instance).startswith("example.com/widgets-")


async def test_progress_tells_about_the_generation_that_was_seen_when_the_object_has_changed() -> None:
    shown: list[WidgetStatus] = []

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        if resource.spec.size == 1:
            await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 9}}), "default")
            await ctx.progress("Working", "")  # meets a conflict, and reads the object again
            await ctx.progress("Working", "still")
            await asyncio.wait_for(ctx.superseded(), 10)
            shown.append((await operator.widget()).status)
        return Result.ready(WidgetStatus(size=resource.spec.size))

    async with operating(Doing(act)) as operator:
        await operator.make(size=1)
        await operator.ready()

        assert [each.observed_generation for each in shown] == [1]
        assert {each.observed_generation for each in shown[0].conditions} == {1}


async def test_an_object_whose_spec_its_own_reconcile_changed_is_reconciled_in_its_new_generation() -> None:
    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        if not resource.spec.color:
            await ctx.patch(Widget, "w", MergePatch({"spec": {"color": "red"}}))
        return Result.ready()

    async with operating(Doing(act)) as operator:
        await operator.make()
        widget = await operator.ready()

        assert (widget.spec.color, widget.metadata.generation) == ("red", 2)


class Whole(Widget, group="test.windlass.dev", version="v1", definition=Definition(status=False)):
    """A kind whose status is a part of the object, so that each report makes a new generation."""


async def test_a_report_into_the_object_itself_wakes_nobody() -> None:
    class Reporting(Reconciler[Whole]):
        runs = 0

        @override
        async def reconcile(self, resource: Whole, ctx: Context) -> Result[Any]:
            self.runs += 1
            return Result.ready(WidgetStatus(size=self.runs))

    reporting = Reporting()
    async with operating(reporting, installed=(Whole,)) as operator:
        await operator.client.create(Whole(metadata=ObjectMeta(name="w", namespace="default")))
        await soon(lambda: reporting.runs)
        await operator.quiet()

        assert reporting.runs == 1
