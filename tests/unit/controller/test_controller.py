"""What a reconciler can rely on, shown on an in-process cluster."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from operating import install, moving, operating, operating_again
from polling import soon, until
from widget import Plain, PlainStatus, Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import Key, ObjectMeta, Selection
from windlass.cache import Phase
from windlass.client import MergePatch
from windlass.controller import ControllerOptions
from windlass.errors import Terminal, UndeclaredError
from windlass.kinds.core.v1 import ConfigMap, Secret, Service
from windlass.reconcile import (
    Channel,
    Context,
    Every,
    Index,
    KeyReconciler,
    Reconciler,
    Result,
    Watch,
    generation_changed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.reconcile import Cause


class Sizing(Reconciler[Widget]):
    """Reports the size, and keeps what it was asked."""

    def __init__(self, act: Callable[[Widget, Context], Any] | None = None) -> None:
        self.runs: list[tuple[Key, tuple[Cause, ...]]] = []
        self.forgotten: list[Key] = []
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs.append((ctx.key, tuple(ctx.causes)))
        if self._act:
            found = await self._act(resource, ctx)
            if isinstance(found, Result):
                return found
        return Result.ready(WidgetStatus(size=resource.spec.size))

    async def forget(self, key: Key) -> None:
        self.forgotten.append(key)


class Mapping(Sizing):
    """Keeps a ConfigMap for each Widget."""

    owns = (ConfigMap,)

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs.append((ctx.key, tuple(ctx.causes)))
        data = {"size": str(resource.spec.size)}
        if resource.spec.color:
            data["color"] = resource.spec.color
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name=ctx.key.name), data=data))
        await ctx.prune()
        return Result.ready(WidgetStatus(size=resource.spec.size))


async def test_the_status_follows_the_object() -> None:
    async with operating(Sizing()) as operator:
        await operator.make(size=2)
        assert (await operator.ready()).status.size == 2

        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 3}}), "default")

        assert (await operator.ready()).status.size == 3


async def test_one_change_is_one_run_and_one_write() -> None:
    reconciler = Sizing()
    async with operating(reconciler) as operator:
        await operator.make(size=2)
        await operator.ready()
        await operator.quiet()

        assert len(reconciler.runs) == 1
        assert len(operator.writes) == 1


async def test_causes_tell_which_field_whom_and_by_whom() -> None:
    reconciler = Sizing()
    async with operating(reconciler) as operator:
        await operator.make(size=2)
        await operator.ready()
        somebody = operator.client.using(field_manager="kubectl-edit")

        await somebody.patch(Widget, "w", MergePatch({"spec": {"size": 3}}), "default")
        await soon(lambda: len(reconciler.runs) == 2)

        (cause,) = reconciler.runs[1][1]
        assert (cause.event, cause.kind, cause.key) == ("modified", "Widget", Key("default", "w"))
        assert cause.paths == (".spec.size",)
        assert cause.writers == ("kubectl-edit",)
        assert str(cause) == "Widget default/w modified .spec.size by kubectl-edit"
        assert (cause.old or {})["spec"] == {"size": 2}
        assert (cause.new or {})["spec"] == {"size": 3}


async def test_what_is_gone_is_forgotten_and_never_reconciled() -> None:
    reconciler = Sizing()
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()
        await operator.client.delete(Widget, "w", "default")

        await soon(lambda: bool(reconciler.forgotten))

        assert reconciler.forgotten == [Key("default", "w")]
        assert len(reconciler.runs) == 1


async def test_objects_that_were_there_before_are_found() -> None:
    reconciler = Sizing()
    async with operating(reconciler) as operator:
        for number in range(20):
            await operator.make(f"w{number}", size=number)
        await operator.ready("w19")
        await operator.stop()
        second = Sizing()
        async with operating_again(operator, second):
            await soon(lambda: len(second.runs) == 20)

        assert {str(cause) for _, causes in second.runs for cause in causes} == {"Widget found"}


async def test_a_failure_is_told_and_tried_again_until_it_passes() -> None:
    clock = ManualClock()
    failures = iter([RuntimeError("no route"), RuntimeError("no route")])

    async def act(resource: Widget, ctx: Context) -> None:
        for error in failures:
            raise error

    async with operating(Sizing(act), clock=clock) as operator:
        await operator.make(size=2)
        failed = await operator.ready(reason="ReconcileFailed")
        await moving(clock, operator.ready())

        messages = [each.message for each in failed.status.conditions]
        assert messages == ["no route", "no route"]
        assert (await operator.widget()).status.size == 2


async def test_a_terminal_failure_waits_for_a_change() -> None:
    clock = ManualClock()

    async def act(resource: Widget, ctx: Context) -> None:
        if resource.spec.size == 1:
            raise Terminal("BadSize", "size must not be 1")

    reconciler = Sizing(act)
    async with operating(reconciler, clock=clock) as operator:
        await operator.make(size=1)
        stalled = await operator.ready(reason="BadSize")
        await clock.advance(timedelta(days=1))
        await operator.quiet()
        runs = len(reconciler.runs)
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        recovered = await operator.ready()

        assert {each.type for each in stalled.status.conditions if each.status == "True"} == {"Stalled"}
        assert runs == 1
        assert {each.type for each in recovered.status.conditions} == {"Ready"}


async def test_a_result_may_ask_for_another_look() -> None:
    clock = ManualClock()

    async def act(resource: Widget, ctx: Context) -> Result[Any]:
        return Result.ready(again=timedelta(minutes=10))

    reconciler = Sizing(act)
    async with operating(reconciler, clock=clock) as operator:
        await operator.make()
        await operator.ready()
        await operator.quiet()
        assert len(reconciler.runs) == 1

        await clock.advance(timedelta(minutes=11))
        await soon(lambda: len(reconciler.runs) == 2)

        assert [str(cause) for cause in reconciler.runs[1][1]] == ["again"]


async def test_an_object_is_never_reconciled_twice_at_a_time() -> None:
    active: list[str] = []
    most = 0

    async def act(resource: Widget, ctx: Context) -> None:
        nonlocal most
        active.append(ctx.key.name)
        most = max(most, active.count(ctx.key.name))
        await operator.client.patch(
            Widget,
            ctx.key.name,
            MergePatch({"metadata": {"labels": {"n": str(len(reconciler.runs))}}}),
            "default",
        ) if len(reconciler.runs) < 30 else None
        active.remove(ctx.key.name)

    reconciler = Sizing(act)
    async with operating(reconciler) as operator:
        await operator.make("a")
        await operator.make("b")
        await soon(lambda: len(reconciler.runs) >= 30)

        assert most == 1


async def test_a_second_pass_over_an_unchanged_world_makes_no_call() -> None:
    clock = ManualClock()

    class Again(Mapping):
        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            await super().reconcile(resource, ctx)
            return Result.ready(WidgetStatus(size=resource.spec.size), again=timedelta(minutes=1))

    reconciler = Again()
    async with operating(reconciler, clock=clock) as operator:
        await operator.make(size=2)
        await operator.ready()
        await operator.quiet()
        before = len(operator.calls)
        await clock.advance(timedelta(minutes=2))
        await soon(lambda: len(reconciler.runs) >= 2)
        await operator.quiet()

        assert operator.calls[before:] == []


async def test_a_hand_edit_of_a_child_is_put_back() -> None:
    async with operating(Mapping()) as operator:
        await operator.make(size=2)
        await operator.ready()
        await operator.client.patch(ConfigMap, "w", MergePatch({"data": {"size": "9"}}), "default")

        async def is_back() -> bool:
            return (await operator.client.get(ConfigMap, "w", "default")).data["size"] == "2"

        await until(is_back)


async def test_a_child_that_is_deleted_comes_back() -> None:
    async with operating(Mapping()) as operator:
        await operator.make(size=2)
        await operator.ready()
        first = await operator.client.get(ConfigMap, "w", "default")
        await operator.client.delete(ConfigMap, "w", "default")

        async def is_back() -> bool:
            found = [
                each for each in await operator.client.list(ConfigMap, "default") if each.metadata.name == "w"
            ]
            return bool(found) and found[0].metadata.uid != first.metadata.uid

        await until(is_back)


async def test_a_field_that_is_no_longer_applied_goes_away() -> None:
    async with operating(Mapping()) as operator:
        await operator.make(color="red")
        await operator.ready()
        assert "color" in (await operator.client.get(ConfigMap, "w", "default")).data

        await operator.client.patch(Widget, "w", MergePatch({"spec": {"color": None}}), "default")
        await operator.ready()

        assert "color" not in (await operator.client.get(ConfigMap, "w", "default")).data


async def test_what_others_put_into_a_child_stays() -> None:
    async with operating(Mapping()) as operator:
        await operator.make(size=2)
        await operator.ready()
        other = operator.client.using(field_manager="other")
        await other.patch(ConfigMap, "w", MergePatch({"data": {"theirs": "1"}}), "default")
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 3}}), "default")
        await operator.ready()

        assert (await operator.client.get(ConfigMap, "w", "default")).data == {"size": "3", "theirs": "1"}


async def test_what_is_no_longer_applied_is_pruned() -> None:
    class Named(Sizing):
        owns = (ConfigMap,)

        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            await ctx.apply(ConfigMap(metadata=ObjectMeta(name=f"w-{resource.spec.color}")))
            await ctx.prune()
            return Result.ready(WidgetStatus(size=resource.spec.size))

    async with operating(Named()) as operator:
        await operator.client.create(ConfigMap(metadata=ObjectMeta(name="w-other", namespace="default")))
        await operator.make(color="red")
        await operator.ready()
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"color": "blue"}}), "default")
        await operator.ready()
        await operator.gone(ConfigMap, "w-red")

        names = {each.metadata.name for each in await operator.client.list(ConfigMap, "default")}
        assert {"w-blue", "w-other"} <= names


async def test_what_another_controller_made_for_the_same_owner_is_not_pruned() -> None:
    async with operating(Mapping()) as operator:
        widget = await operator.make(size=1)
        theirs = ObjectMeta(name="theirs", namespace="default", owner_references=[widget.owner_reference()])
        await operator.client.using(field_manager="other").create(ConfigMap(metadata=theirs))
        await operator.ready()
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        await operator.ready()
        await operator.quiet()

        assert (await operator.client.get(ConfigMap, "theirs", "default")).metadata.uid


@pytest.mark.parametrize(
    "child",
    [
        pytest.param(
            lambda: Service.from_wire(
                {"metadata": {"name": "w"}, "spec": {"ports": [{"port": 80}], "selector": {"a": "b"}}}
            ),
            id="defaulted lists",
        ),
        pytest.param(
            lambda: Secret.from_wire({"metadata": {"name": "w"}, "stringData": {"password": "secret"}}),
            id="stringData",
        ),
        pytest.param(
            lambda: Secret.from_wire({"metadata": {"name": "w"}, "data": {"password": "c2VjcmV0"}}),
            id="a redacted value",
        ),
        pytest.param(
            lambda: ConfigMap.from_wire({"metadata": {"name": "w", "labels": {}}, "data": {}}),
            id="empty maps",
        ),
    ],
)
async def test_values_that_a_server_writes_anew_settle_at_no_calls(child: Callable[[], Any]) -> None:
    clock = ManualClock()

    class Child(Sizing):
        owns = (Service, Secret, ConfigMap)

        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            self.runs.append((ctx.key, ()))
            await ctx.apply(child())
            return Result.ready(again=timedelta(minutes=1))

    reconciler = Child()
    async with operating(reconciler, clock=clock) as operator:
        await operator.make()
        await operator.ready()
        await moving(clock, soon(lambda: len(reconciler.runs) >= 3))
        await operator.quiet()
        before = len(operator.calls)
        runs = len(reconciler.runs)
        await moving(clock, soon(lambda: len(reconciler.runs) >= runs + 2))

        assert operator.calls[before:] == []


async def test_an_undeclared_read_prints_the_line_to_add() -> None:
    errors: list[Exception] = []

    async def act(resource: Widget, ctx: Context) -> None:
        try:
            await ctx.get(Secret, "s")
        except UndeclaredError as error:
            errors.append(error)

    async with operating(Sizing(act)) as operator:
        await operator.make()
        await operator.ready()

        assert "reads = (Watch(Secret),)" in str(errors[0])


async def test_a_secret_that_is_read_wakes_those_that_refer_to_it() -> None:
    class Reading(Sizing):
        reads = (Watch(Secret, by=lambda widget: widget.spec.secret_name),)

        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            self.runs.append((ctx.key, tuple(ctx.causes)))
            if await ctx.get(Secret, resource.spec.secret_name) is None:
                return Result.waiting("SecretMissing", f"no Secret {resource.spec.secret_name}")
            return Result.ready()

    reconciler = Reading()
    async with operating(reconciler) as operator:
        await operator.make("a", secret_name="s")
        await operator.make("b", secret_name="other")
        await operator.ready("a", "SecretMissing")
        await operator.ready("b", "SecretMissing")
        await operator.client.create(Secret(metadata=ObjectMeta(name="s", namespace="default")))
        await operator.ready("a")
        await operator.quiet()

        assert [key.name for key, _ in reconciler.runs].count("a") == 2
        assert [key.name for key, _ in reconciler.runs].count("b") == 1


async def test_objects_are_found_by_an_index() -> None:
    by_color = Index(Widget, lambda widget: widget.spec.color)
    found: list[str] = []

    class Finding(Sizing):
        indexes = (by_color,)

        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            alike = await ctx.list(Widget, index=by_color, value=resource.spec.color)
            found[:] = sorted(each.metadata.name for each in alike)
            return Result.ready()

    async with operating(Finding()) as operator:
        await operator.make("a", color="red")
        await operator.make("b", color="blue")
        await operator.make("c", color="red")
        await operator.ready("c")

        assert found == ["a", "c"]


async def test_what_a_reconcile_wrote_it_reads_at_once() -> None:
    seen: list[Any] = []

    class Writing(Sizing):
        owns = (ConfigMap,)

        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data={"a": str(resource.spec.size)}))
            live = await ctx.get(ConfigMap, "w")
            seen.append(live.data if live else None)
            seen.append(len(await ctx.owned(ConfigMap)))
            await ctx.delete(ConfigMap, "w")
            seen.append(await ctx.get(ConfigMap, "w"))
            return Result.ready()

    async with operating(Writing()) as operator:
        await operator.make(size=4)
        await operator.ready()

        assert seen[:3] == [{"a": "4"}, 1, None]


async def test_a_paused_object_is_left_alone_until_it_is_resumed() -> None:
    reconciler = Sizing()
    async with operating(reconciler) as operator:
        await operator.make(size=1)
        await operator.ready()
        pause = {"metadata": {"annotations": {"windlass.dev/paused": "true"}}}
        await operator.client.patch(Widget, "w", MergePatch({**pause, "spec": {"size": 2}}), "default")

        async def is_paused() -> bool:
            return any(each.type == "Paused" for each in (await operator.widget()).status.conditions)

        await until(is_paused)
        assert (await operator.widget()).status.size == 1
        resume = {"metadata": {"annotations": {"windlass.dev/paused": None}}}
        await operator.client.patch(Widget, "w", MergePatch(resume), "default")
        resumed = await operator.ready()

        assert resumed.status.size == 2
        assert {each.type for each in resumed.status.conditions} == {"Ready"}


async def test_a_person_can_have_an_object_looked_at_now() -> None:
    class Deaf(Sizing):
        when = generation_changed

    reconciler = Deaf()
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()
        label = {"metadata": {"labels": {"a": "b"}}}
        await operator.client.patch(Widget, "w", MergePatch(label), "default")
        now = {"metadata": {"annotations": {"windlass.dev/reconcile-at": "now"}}}
        await operator.client.patch(Widget, "w", MergePatch(now), "default")
        await soon(lambda: len(reconciler.runs) == 2)

        (cause,) = reconciler.runs[1][1]
        assert cause.paths == (".metadata.annotations",)


async def test_a_reconcile_that_hangs_is_cancelled_and_tried_again() -> None:
    clock = ManualClock()
    hung = asyncio.Event()

    async def act(resource: Widget, ctx: Context) -> None:
        if not hung.is_set():
            hung.set()
            await asyncio.get_running_loop().create_future()

    options = ControllerOptions(time_limit=timedelta(seconds=30))
    async with operating(Sizing(act), clock=clock, controller=options) as operator:
        await operator.make(size=2)
        await hung.wait()
        await clock.advance(timedelta(seconds=30))
        failed = await operator.ready(reason="ReconcileFailed")
        await moving(clock, operator.ready())

        assert "time limit" in failed.status.conditions[0].message


async def test_a_kind_that_arrives_late_is_waited_for() -> None:
    clock = ManualClock()

    class Late(Sizing):
        reads = (Watch(Plain),)

    reconciler = Late()
    async with operating(reconciler, clock=clock, installed=(Widget,)) as operator:
        await operator.make(size=2)
        waiting = await operator.ready(reason="KindMissing")
        assert "Plain.test.windlass.dev/v1" in waiting.status.conditions[0].message
        assert reconciler.runs == []

        await install(operator.client, Plain)
        await moving(clock, operator.ready())


async def test_no_object_is_told_that_its_own_kind_is_missing_while_another_watch_of_it_comes_late() -> None:
    clock = ManualClock()

    class Twice(Sizing):
        reads = (Watch(Widget, selection=Selection(metadata_only=True)),)

    async with operating(Twice(), clock=clock, installed=()) as operator:
        (controller,) = operator.manager.controllers
        for informer in controller.declared:
            await informer.reach(Phase.WAITING)
        await install(operator.client, Widget)
        await operator.make(size=2)

        while not all(each.is_synced for each in controller.declared):
            await clock.advance(timedelta(milliseconds=1))  # so that one is served before the other
            await operator.quiet()
        await operator.ready()

        told = [str(each.body) for each in operator.transport.requests if each.path.endswith("/status")]
        assert told
        assert not any("KindMissing" in each for each in told)


async def test_a_paused_object_is_left_alone_also_while_a_kind_is_missing() -> None:
    class Late(Sizing):
        reads = (Watch(Plain),)

    async with operating(Late(), installed=(Widget,)) as operator:
        annotations = {"windlass.dev/paused": "true"}
        metadata = ObjectMeta(name="w", namespace="default", annotations=annotations)
        await operator.client.create(Widget(metadata=metadata))

        async def told() -> list[str]:
            return [each.type for each in (await operator.widget()).status.conditions]

        assert await until(told) == ["Paused"]


async def test_a_kind_without_conditions_gets_its_status_alone() -> None:
    class Reporting(Reconciler[Plain]):
        async def reconcile(self, resource: Plain, ctx: Context) -> Result[PlainStatus]:
            return Result.waiting("NotYet", "", PlainStatus(size=3))

    async with operating(Reporting()) as operator:
        await operator.client.create(Plain(metadata=ObjectMeta(name="p", namespace="default")))

        async def has_status() -> bool:
            return (await operator.client.get(Plain, "p", "default")).to_wire().get("status") == {"size": 3}

        await until(has_status)


async def test_a_reconciler_of_keys_needs_no_objects() -> None:
    class ByNode(KeyReconciler):
        name = "nodes"
        reads = (Watch(ConfigMap, to=lambda config: [Key("", config.data["node"])] if config.data else []),)

        def __init__(self) -> None:
            self.keys: list[Key] = []

        async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
            self.keys.append(key)
            return Result.ready()

    reconciler = ByNode()
    async with operating(reconciler) as operator:
        metadata = ObjectMeta(name="c", namespace="default")
        await operator.client.create(ConfigMap(metadata=metadata, data={"node": "n1"}))
        await soon(lambda: Key("", "n1") in reconciler.keys)


async def test_a_timer_wakes_a_key_that_has_no_object() -> None:
    clock, ran = ManualClock(), asyncio.Event()

    class Report(KeyReconciler):
        name = "report"
        sources = (Every(timedelta(hours=1), keys=(Key("", "report"),)),)

        async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
            assert (key.name, str(ctx.causes[0])) == ("report", "every 1:00:00")
            ran.set()
            return Result.ready()

    async with operating(Report(), clock=clock) as operator:
        await soon(lambda: len(clock.sleeps))
        await clock.advance(timedelta(hours=1))
        await soon(ran.is_set)
        await operator.quiet()


async def test_a_channel_wakes_an_object_with_its_reason() -> None:
    class Listening(Sizing):
        def __init__(self) -> None:
            super().__init__()
            self.channel = Channel()
            self.sources = (self.channel,)

    reconciler = Listening()
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()
        reconciler.channel.send(Key("default", "w"), "the portal's button")
        await soon(lambda: len(reconciler.runs) == 2)

        assert "the portal's button" in str(reconciler.runs[1][1][0])


async def test_a_timer_wakes_every_object() -> None:
    clock = ManualClock()

    class Timed(Sizing):
        sources = (Every(timedelta(hours=1)),)

    reconciler = Timed()
    async with operating(reconciler, clock=clock) as operator:
        await operator.make("a")
        await operator.make("b")
        await operator.ready("a")
        await operator.ready("b")
        await operator.quiet()
        await clock.advance(timedelta(hours=2))
        await soon(lambda: len(reconciler.runs) >= 4)

        assert {key.name for key, _ in reconciler.runs[2:]} == {"a", "b"}
