"""Objects that have something outside the cluster are held until it is gone."""

from __future__ import annotations

from typing import Any

from operating import operating, operating_again
from polling import soon, until
from widget import Widget, WidgetStatus
from windlass.api import ObjectMeta
from windlass.client import MergePatch
from windlass.reconcile import Context, Reconciler, Result

FINALIZER = "test.windlass.dev/widget"
OLD = "widget.old.example.com"


class Outside(Reconciler[Widget]):
    """Keeps one thing outside for each Widget."""

    finalizer = FINALIZER
    old_finalizers = (OLD,)

    def __init__(self) -> None:
        self.things: set[str] = set()
        self.finalizers_at_first: list[str] = []
        self.removals = 0
        self.blocked = False

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        if not self.finalizers_at_first:
            live = await ctx.live.get(Widget, ctx.key.name, ctx.key.namespace)
            self.finalizers_at_first = [*live.metadata.finalizers, *resource.metadata.finalizers]
        await ctx.effect("create a thing", self._create(resource.metadata.uid))
        return Result.ready()

    async def finalize(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        if self.blocked:
            return Result.waiting("StillUsed", "somebody uses the thing")
        self.removals += 1
        self.things.discard(resource.metadata.uid)
        return Result.ready()

    def _create(self, uid: str) -> Any:
        async def call() -> None:
            self.things.add(uid)

        return call


async def test_the_finalizer_is_there_before_the_first_effect() -> None:
    reconciler = Outside()
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()

        assert reconciler.finalizers_at_first == [FINALIZER, FINALIZER]


async def test_what_is_outside_goes_before_the_object() -> None:
    reconciler = Outside()
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()
        assert len(reconciler.things) == 1
        await operator.client.delete(Widget, "w", "default")
        await operator.gone(Widget)

        assert (reconciler.things, reconciler.removals) == (set(), 1)


async def test_waiting_says_why_and_holds_the_object() -> None:
    reconciler = Outside()
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()
        reconciler.blocked = True
        await operator.client.delete(Widget, "w", "default")

        async def says_why() -> bool:
            conditions = (await operator.widget()).status.conditions
            return any(each.reason == "StillUsed" for each in conditions)

        await until(says_why)
        reconciler.blocked = False
        now = {"metadata": {"annotations": {"windlass.dev/reconcile-at": "now"}}}
        await operator.client.patch(Widget, "w", MergePatch(now), "default")
        await operator.gone(Widget)


async def test_an_old_name_is_taken_for_ours_and_goes_too() -> None:
    reconciler = Outside()
    async with operating(reconciler) as operator:
        metadata = ObjectMeta(name="w", namespace="default", finalizers=[OLD])
        await operator.client.create(Widget(metadata=metadata))
        widget = await operator.ready()
        assert widget.metadata.finalizers == [OLD]
        await operator.client.delete(Widget, "w", "default")
        await operator.gone(Widget)

        assert reconciler.removals == 1


async def test_the_finalizers_of_others_stay() -> None:
    reconciler = Outside()
    async with operating(reconciler) as operator:
        metadata = ObjectMeta(name="w", namespace="default", finalizers=["theirs.example.com/x"])
        await operator.client.create(Widget(metadata=metadata))
        await operator.ready()
        await operator.client.delete(Widget, "w", "default")
        await soon(lambda: reconciler.removals == 1)
        await operator.quiet()

        assert (await operator.widget()).metadata.finalizers == ["theirs.example.com/x"]


async def test_an_object_that_goes_already_is_not_begun() -> None:
    reconciler = Outside()
    async with operating(reconciler) as operator:
        await operator.stop()
        metadata = ObjectMeta(name="w", namespace="default", finalizers=["theirs.example.com/x"])
        await operator.client.create(Widget(metadata=metadata))
        await operator.client.delete(Widget, "w", "default")
        second = Outside()
        async with operating_again(operator, second) as manager:
            await soon(lambda: manager.cache.informers[0].is_synced)
            await soon(lambda: len(manager.controllers[0].queue) + manager.controllers[0].queue.running == 0)

            assert second.things == set()
            assert (await operator.widget()).metadata.finalizers == ["theirs.example.com/x"]


class Formerly(Reconciler[Widget]):
    """Had something outside in an earlier version."""

    old_finalizers = (OLD,)

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready()


async def test_an_old_name_goes_also_where_nothing_is_left_to_finalize() -> None:
    async with operating(Formerly()) as operator:
        metadata = ObjectMeta(name="w", namespace="default", finalizers=[OLD])
        await operator.client.create(Widget(metadata=metadata))
        await operator.ready()

        await operator.client.delete(Widget, "w", "default")

        await operator.gone(Widget)


class Lasting(Reconciler[Widget]):
    """Looks after its objects for as long as they are there."""

    until_gone = True

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        going = resource.metadata.deletion_timestamp is not None
        return Result.ready(WidgetStatus(note="going" if going else "there"))


async def test_an_object_that_others_hold_is_reconciled_until_it_is_gone_where_that_is_asked_for() -> None:
    async with operating(Lasting()) as operator:
        metadata = ObjectMeta(name="w", namespace="default", finalizers=["theirs.example.com/x"])
        await operator.client.create(Widget(metadata=metadata))
        await operator.client.delete(Widget, "w", "default")

        async def note() -> str:
            return (await operator.widget()).status.note

        await until(note, lambda found: found == "going")
        assert (await operator.widget()).metadata.finalizers == ["theirs.example.com/x"]
