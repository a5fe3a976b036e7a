"""Kinds that a reconciler learns of while it runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from operating import Operating, install, moving, operating
from polling import until
from widget import Plain, Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import Key, ObjectMeta, Selection
from windlass.client import MergePatch
from windlass.controller.plan import plan
from windlass.errors import KindMissingError, UnwatchableError
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import ConfigMap
from windlass.manager import ManagerOptions
from windlass.reconcile import Context, KeyReconciler, Reconciler, Result, Watch
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from windlass.testing.operator import Starter

KEY = Key("default", "w")
LABELLED = Selection(labels="of")


def owner(config: ConfigMap) -> Iterable[Key]:
    return [Key(config.metadata.namespace, config.metadata.labels["of"])]


LATER = Watch(ConfigMap, to=owner, selection=LABELLED)


def config(name: str = "c", of: str = "w", **data: str) -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(name=name, namespace="default", labels={"of": of}), data=data)


async def reading(ctx: Context) -> str:
    await ctx.watch(LATER)
    found = await ctx.list(ConfigMap)
    return ",".join(f"{name}={value}" for each in found for name, value in sorted(each.data.items()))


class Learning(Reconciler[Widget]):
    """Does what a test says, and reports what came of it."""

    def __init__(self, act: Callable[[Context], Awaitable[Any]] = reading) -> None:
        self._act = act

    async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready(WidgetStatus(note=str(await self._act(ctx))))


async def noted(operator: Operating, note: str, name: str = "w") -> None:
    async def is_so() -> bool:
        return (await operator.widget(name)).status.note == note

    await until(is_so)


async def test_a_kind_is_read_as_soon_as_it_is_declared_and_its_changes_wake() -> None:
    async with operating(Learning()) as operator:
        await operator.client.create(config(a="1"))
        await operator.make()
        assert (await operator.ready()).status.note == "a=1"
        await operator.client.patch(ConfigMap, "c", MergePatch({"data": {"a": "2"}}), "default")
        await noted(operator, "a=2")
        await operator.client.create(config("d", b="3"))
        await noted(operator, "a=2,b=3")


async def test_an_equal_watch_is_free_for_every_object() -> None:
    async with operating(Learning()) as operator:
        await operator.make()
        await operator.ready()
        await operator.quiet()
        before, informers = len(operator.calls), operator.manager.cache.informers
        await operator.make("other")
        await operator.ready("other")
        assert [each for each in operator.calls[before:] if "/status" not in each] == []
        assert operator.manager.cache.informers == informers


async def test_an_object_whose_kind_is_missing_waits_alone_and_is_looked_at_when_it_comes() -> None:
    async def act(ctx: Context) -> str:
        if ctx.key == KEY:
            await ctx.watch(Watch(Plain))
        return "done"

    clock = ManualClock()
    async with operating(Learning(act), clock=clock, installed=(Widget,)) as operator:
        await operator.make()
        waiting = await operator.ready(reason="KindMissing")
        assert "Plain.test.windlass.dev/v1 is not served yet" in waiting.status.conditions[0].message
        await operator.make("other")
        await operator.ready("other")

        await install(operator.client, Plain)
        await moving(clock, operator.ready())


async def test_a_missing_kind_can_be_done_without() -> None:
    async def act(ctx: Context) -> str:
        try:
            await ctx.watch(Watch(Plain))
        except KindMissingError:
            return "without"
        return "with"

    clock = ManualClock()
    async with operating(Learning(act), clock=clock, installed=(Widget,)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "without"
        await install(operator.client, Plain)
        await moving(clock, noted(operator, "with"))


async def test_a_kind_that_may_not_be_watched_fails_the_run_instead_of_holding_it_up(
    operator: Starter,
) -> None:
    async def act(ctx: Context) -> str:
        try:
            await ctx.watch(LATER)
        except UnwatchableError as error:
            return str(error)
        return "watched"

    async with operator(Learning(act), options=TrialOptions(least_privilege=True)) as trial:
        await trial.client.create(Widget(metadata=ObjectMeta(name="w")))
        widget = await trial.ready(Widget, "w")
    assert "ConfigMap.v1 cannot be watched" in widget.status.note
    assert "403" in widget.status.note


async def test_a_controller_that_leads_again_keeps_what_it_learnt() -> None:
    async def act(ctx: Context) -> str:
        if not informers:
            await ctx.watch(LATER)
            informers.extend(operator.manager.controllers[0].declared)
        return ",".join(sorted(each.data["a"] for each in await ctx.list(ConfigMap)))

    informers: list[Any] = []
    clock = ManualClock()
    options = ManagerOptions(name="tester", leader_elect=True, lease_namespace="default")
    async with operating(Learning(act), clock=clock, options=options) as operator:
        await operator.make()
        await moving(clock, operator.ready())
        stolen = MergePatch({"spec": {"holderIdentity": "another"}})
        await operator.client.patch(Lease, "tester", stolen, "default")
        while operator.manager.is_leading:
            await clock.advance(timedelta(seconds=1))
        await operator.client.create(config(a="1"))
        await moving(clock, noted(operator, "1"))  # only a leader writes
        assert list(operator.manager.controllers[0].declared) == informers


async def test_a_controller_that_is_removed_takes_along_what_it_learnt() -> None:
    async with operating(Learning()) as operator:
        await operator.make()
        await operator.ready()
        await operator.manager.remove(operator.manager.controllers[0])
        assert operator.manager.cache.informers == []


async def test_a_plan_learns_of_kinds_too() -> None:
    async with operating() as operator:
        await operator.client.create(config(a="1"))
        await operator.make()
        planned = await plan(Learning(), operator.client, KEY)
    assert "a=1" in str(planned)


async def test_a_reconciler_of_keys_may_learn_of_kinds() -> None:
    class Keys(KeyReconciler):
        name = "keys"
        reads = (Watch(Widget, to=lambda widget: [Key("default", widget.metadata.name)]),)

        def __init__(self) -> None:
            self.seen: list[str] = []

        async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
            self.seen.append(await reading(ctx))
            return Result.ready()

    reconciler = Keys()

    async def has_seen(note: str) -> bool:
        return bool(reconciler.seen) and reconciler.seen[-1] == note

    async with operating(reconciler) as operator:
        await operator.make()
        await until(lambda: has_seen(""))
        await operator.client.create(config(a="1"))
        await until(lambda: has_seen("a=1"))


async def test_a_kind_that_is_declared_already_may_have_another_role() -> None:
    class Known(Learning):
        reads = (Watch(ConfigMap, selection=LABELLED),)

    async with operating(Known()) as operator:
        await operator.make()
        await operator.ready()
        await operator.client.create(config(a="1"))
        await noted(operator, "a=1")


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (lambda _: Watch(ConfigMap, by=str), "by `to` alone"),
        (lambda _: Watch(ConfigMap, selects=str), "by `to` alone"),  # type: ignore[arg-type]
        (lambda ctx: Watch(ConfigMap, to=lambda _: [ctx.key]), "make the Watch once"),
    ],
)
async def test_what_cannot_have_been_meant_is_refused(
    make: Callable[[Context], Watch[Any]], advice: str
) -> None:
    async def act(ctx: Context) -> None:
        await ctx.watch(make(ctx))
        await ctx.watch(make(ctx))

    async with operating(Learning(act)) as operator:
        await operator.make()
        failed = await operator.ready(reason="ReconcileFailed")
    assert advice in failed.status.conditions[0].message
