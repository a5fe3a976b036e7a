"""Failures, transitions, writes and effects show in events and log lines, once each."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from operating import moving, operating
from polling import soon, until
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import Field, Key, ObjectMeta, Resource, Spec
from windlass.client import JsonPatch, MergePatch
from windlass.controller import Exit
from windlass.controller.activity import duration, patched_paths
from windlass.controller.outcome import Failures
from windlass.errors import Answer, Conflict, NotLeadingError, Terminal
from windlass.kinds.core.v1 import ConfigMap, Namespace, Secret
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from operating import Operating

KEY = Key("default", "w")
SECOND = timedelta(seconds=1)
CONFLICT = Conflict(Answer(code=409, message="the object has been modified"))


class Doing(Reconciler[Widget]):
    """Does what the test says."""

    owns = (ConfigMap, Secret)

    def __init__(self, act: Callable[[Widget, Context], Awaitable[Result[Any] | None]]) -> None:
        self.act = act
        self.runs: list[str] = []

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[Any]:
        self.runs.append(resource.metadata.name)
        return await self.act(resource, ctx) or Result.ready(WidgetStatus(size=resource.spec.size))


class Holding(Doing):
    """As above, with a finalizer."""

    finalizer = "test.windlass.dev/hold"

    async def finalize(self, resource: Widget, ctx: Context) -> Result[Any]:
        raise OSError("the disk does not detach")


async def recorded(operator: Operating, count: int, about: str = "w") -> list[tuple[str, str, str]]:
    found = await until(lambda: operator.events(about=about), lambda found: len(found) >= count)
    return [(str(each.type), str(each.reason), str(each.note)) for each in found]


def lines(caplog: pytest.LogCaptureFixture, *levels: int) -> list[str]:
    wanted = levels or (logging.INFO,)
    return [
        each.getMessage()
        for each in caplog.records
        if each.name == "windlass.controller" and each.levelno in wanted
    ]


async def test_a_failure_is_one_event_at_once_and_its_repetitions_are_counted_in_it() -> None:
    async def fail(resource: Widget, ctx: Context) -> None:
        raise OSError("the database does not answer")

    clock = ManualClock()
    async with operating(Doing(fail), clock=clock) as operator:
        await operator.make()
        told = ("Warning", "ReconcileFailed", "the database does not answer")
        assert await recorded(operator, 1) == [told]

        async def counted() -> int:
            await clock.advance(10 * SECOND)
            [event] = await operator.events()
            return event.series.count or 0 if event.series else 0

        assert await until(counted, lambda count: count > 8) > 8
        assert await recorded(operator, 1) == [told]


async def test_another_objects_failure_is_told_though_one_fails_with_a_new_message_each_time() -> None:
    async def fail(resource: Widget, ctx: Context) -> None:
        raise OSError(f"request {len(reconciler.runs)} of {resource.metadata.name} failed")

    clock, reconciler = ManualClock(), Doing(fail)
    async with operating(reconciler, clock=clock) as operator:
        await operator.make("noisy")
        await moving(clock, soon(lambda: len(reconciler.runs) > 8))
        await operator.make("w")
        [(_, reason, note)] = await recorded(operator, 1)
        noisy = await recorded(operator, 4, about="noisy")

    assert (reason, note.endswith("of w failed")) == ("ReconcileFailed", True)
    assert [note for *_, note in noisy] == [
        *[f"request {number} of noisy failed" for number in (1, 2, 3)],
        "request … of noisy failed",
    ]


@pytest.mark.parametrize(
    ("failure", "reason", "note"),
    [
        (Terminal("ColorUnknown", "no such color"), "ColorUnknown", "no such color"),
        (KeyError("size"), "ReconcileFailed", "KeyError: 'size'"),
        (
            OSError(
                "Client error '404 Not Found' for url 'https://u:p@x.test/?t=1'\nFor more information check: https://y"
            ),
            "ReconcileFailed",
            "Client error '404 Not Found'",
        ),
        (ExceptionGroup("unhandled", [OSError("one"), ValueError("two")]), "ReconcileFailed", "one; two"),
    ],
)
async def test_the_event_has_the_reason_and_message_of_the_condition(
    failure: Exception, reason: str, note: str
) -> None:
    async def fail(resource: Widget, ctx: Context) -> None:
        raise failure

    async with operating(Doing(fail)) as operator:
        await operator.make()
        widget = await operator.ready(reason=reason)
        told = {each.type: each.message for each in widget.status.conditions}["Ready"]
        [event, *_] = await recorded(operator, 1)

    assert event == ("Warning", reason, note)
    assert told == note


async def test_returned_failures_and_failures_of_finalize_are_told() -> None:
    async def fail(resource: Widget, ctx: Context) -> Result[Any]:
        return Result.failed(OSError("no room"), WidgetStatus(), reason="NoRoom")

    async with operating(Holding(fail)) as operator:
        await operator.make()
        assert await recorded(operator, 1) == [("Warning", "NoRoom", "no room")]
        await operator.client.delete(Widget, "w", "default")
        found = await recorded(operator, 2)

    assert ("Warning", "ReconcileFailed", "the disk does not detach") in found


class LooseSpec(Spec):
    """What an earlier version of the operator allowed."""

    size: str = ""


class Loose(Resource, group="test.windlass.dev", version="v1", kind="Widget", plural="widgets"):
    """The kind as it was defined earlier."""

    spec: LooseSpec = Field(default_factory=LooseSpec)
    status: WidgetStatus = Field(default_factory=WidgetStatus)


async def test_an_object_that_cannot_be_decoded_is_told() -> None:
    async def work(resource: Widget, ctx: Context) -> None:
        """Do nothing."""

    async with operating(Doing(work), installed=(Loose,)) as operator:
        await operator.client.create(
            Loose(metadata=ObjectMeta(name="w", namespace="default"), spec=LooseSpec(size="large"))
        )
        [(type_, reason, note)] = await recorded(operator, 1)

    assert (type_, reason) == ("Warning", "Undecodable")
    assert note.startswith("Widget default/w does not fit its Python type: spec.size: ")


async def test_a_failure_that_the_reconciler_told_itself_is_not_told_again() -> None:
    async def fail(resource: Widget, ctx: Context) -> None:
        ctx.event("NoRoom", "no room", warning=True)
        raise OSError("no room")

    async with operating(Doing(fail)) as operator:
        await operator.make()
        await operator.ready(reason="ReconcileFailed")
        assert await recorded(operator, 1) == [("Warning", "NoRoom", "no room")]


async def test_a_first_lost_race_is_no_failure_and_leaves_the_status_alone() -> None:
    async def conflict(resource: Widget, ctx: Context) -> None:
        if resource.spec.size == 2 and len(reconciler.runs) == 2:
            raise CONFLICT

    reconciler = Doing(conflict)
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()
        assert await recorded(operator, 1) == [("Normal", "Ready", "Ready is True (was Unknown)")]
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        await operator.ready()
        assert len(reconciler.runs) == 3
        await operator.quiet()
        assert len(await operator.events()) == 1


def test_a_race_that_is_lost_again_and_again_is_a_failure_and_lost_leadership_is_none() -> None:
    failures = Failures()
    lost, stopped = Exit.of_error(CONFLICT), Exit.of_error(NotLeadingError("no longer"))

    assert failures.note(KEY, lost, 1, ()) == ""
    assert failures.note(KEY, lost, 2, ()) == "the object has been modified"
    assert failures.note(KEY, stopped, 2, ()) == ""
    assert failures.note(KEY, Exit("cancelled", "Cancelled"), 2, ()) == ""


def test_what_is_known_about_failures_is_bounded_and_forgotten() -> None:
    failures = Failures()
    for number in range(20_000):
        failures.note(Key("default", f"w{number}"), Exit.of_error(OSError("no")), 1, ())
    assert len(failures._last) == 10_000
    failures.note(Key("default", "w19999"), Exit("ready", "Ready"), 1, ())
    assert len(failures._last) == 9_999


async def test_a_transition_is_one_line_and_one_event(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "windlass.controller")

    async def by_size(resource: Widget, ctx: Context) -> Result[Any] | None:
        match resource.spec.size:
            case 2:
                return Result.waiting("RollingOut", "1 of 2 replicas")
            case 3:
                return Result.waiting("Blocked", "quota")
            case 4:
                raise OSError("no room")
        return None

    async def change(size: int, reason: str) -> None:
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": size}}), "default")
        await operator.ready(reason=reason)

    async with operating(Doing(by_size)) as operator:
        await operator.make()
        await operator.ready()
        await change(2, "RollingOut")
        await change(3, "Blocked")
        await change(1, "Ready")
        await change(5, "Ready")
        await change(4, "ReconcileFailed")
        told = await recorded(operator, 4)

    assert told == [
        ("Normal", "Ready", "Ready is True (was Unknown)"),
        ("Normal", "RollingOut", "1 of 2 replicas"),
        ("Normal", "Ready", "Ready is True (was False)"),
        ("Warning", "ReconcileFailed", "no room"),
    ]
    assert [each for each in lines(caplog) if each.startswith("Ready is")] == [
        "Ready is True (was Unknown): Ready",
        "Ready is False (was True): RollingOut: 1 of 2 replicas",
        "Ready is True (was False): Ready",
        "Ready is False (was True): ReconcileFailed: no room",
    ]
    assert "Ready is False (was False): Blocked: quota" in lines(caplog, logging.DEBUG)


async def test_each_write_is_one_line_with_the_names_of_fields_and_no_value(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "windlass.controller")

    async def write(resource: Widget, ctx: Context) -> None:
        size = resource.spec.size
        if size < 3:
            data = {f"key{number}": f"hunter{size}" for number in range(10)}
            await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data=data))
            await ctx.patch(
                ConfigMap, "w", JsonPatch([{"op": "test", "path": "/kind", "value": "ConfigMap"}])
            )
            await ctx.apply(Secret(metadata=ObjectMeta(name="w"), string_data={"password": f"hunter{size}"}))
        await ctx.prune()
        await ctx.patch(Namespace, "default", MergePatch({"metadata": {"labels": {"size": f"hunter{size}"}}}))
        await ctx.delete(ConfigMap, "absent")

    async with operating(Holding(write)) as operator:
        await operator.make()
        await operator.ready()
        await operator.client.patch(
            Widget, "w", MergePatch({"metadata": {"annotations": {"look": "again"}}}), "default"
        )
        await operator.quiet()
        first = lines(caplog)
        caplog.clear()
        for size in (2, 3):
            await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": size}}), "default")
            await operator.ready()
        await operator.quiet()
        second, debug = lines(caplog), lines(caplog, logging.DEBUG)

    writes = ("Created", "Updated", "Deleted")
    assert [each for each in first if each.startswith(writes)] == [
        "Updated Widget default/w: .metadata.finalizers",
        "Created ConfigMap default/w",
        "Created Secret default/w",
        "Updated Namespace default: .metadata.labels.size",
    ]
    assert [each for each in second if each.startswith(writes)] == [
        f"Updated ConfigMap default/w: {', '.join(f'.data.key{number}' for number in range(8))} and 2 more",
        "Updated Secret default/w: .data.password",
        "Updated Namespace default: .metadata.labels.size",
        "Deleted ConfigMap default/w",
        "Deleted Secret default/w",
        "Updated Namespace default: .metadata.labels.size",
    ]
    assert any(each.startswith("Updated Widget default/w: .status.") for each in debug)
    assert "hunter" not in "".join(first + second)


async def test_an_effect_is_a_line_with_its_name_and_duration(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "windlass.controller")
    clock = ManualClock()

    async def slow() -> None:
        await clock.sleep(2 * SECOND)

    async def act(resource: Widget, ctx: Context) -> None:
        await ctx.effect("create database w", slow)
        await ctx.effect("at once", _nothing)

    async with operating(Doing(act), clock=clock) as operator:
        await operator.make()
        await soon(lambda: 2 * SECOND in clock.sleeps)
        await clock.advance(2 * SECOND)
        await operator.ready()

    assert [each for each in lines(caplog) if each.startswith("Effect")] == [
        "Effect create database w: done after 2s",
        "Effect at once: done after 0ms",
    ]


async def _nothing() -> None:
    """Do nothing."""


def test_a_patch_names_its_fields() -> None:
    merge = MergePatch({"metadata": {"labels": {"a.b/c": "x", "1": None}}, "spec": {}})
    assert patched_paths(merge) == [".metadata.labels[a.b/c]", ".metadata.labels[1]", ".spec"]
    operations: list[dict[str, Any]] = [
        {"op": "replace", "path": "/spec/items/0/a~1b", "value": 1},
        {"op": "remove", "path": ""},
    ]
    assert patched_paths(JsonPatch(operations)) == [".spec.items[0][a/b]", "."]


def test_durations_are_short() -> None:
    assert [duration(timedelta(seconds=each)) for each in (0.0004, 0.12, 2.5, 90)] == [
        "0ms",
        "120ms",
        "2.5s",
        "90s",
    ]
