"""What a reconcile may write besides what it applies."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

import pytest

from operating import operating
from polling import soon, until
from widget import Widget, WidgetStatus
from windlass.api import Field, Key, Model, ObjectMeta, Resource
from windlass.client import DeleteOptions, MergePatch
from windlass.errors import AlreadyExists, Conflict
from windlass.kinds.core.v1 import ConfigMap, Container, Pod, PodSpec, ServiceAccount
from windlass.reconcile import Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from windlass.reconcile import Context

Work = "Callable[[Widget, Context], Awaitable[Any]]"


class Doing(Reconciler[Widget]):
    """Does what a test says, and reports what came of it."""

    owns: Sequence[type[Resource] | Owns[Any]] = (ConfigMap,)
    reads = (Watch(Pod), Watch(ServiceAccount))

    def __init__(self, work: Callable[[Widget, Context], Awaitable[Any]]) -> None:
        self._work = work

    async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready(WidgetStatus(note=str(await self._work(widget, ctx))))


def _pod(name: str) -> Pod:
    spec = PodSpec(containers=[Container(name="main", image="web")])
    return Pod(metadata=ObjectMeta(name=name, namespace="default"), spec=spec)


async def test_what_is_created_is_owned_and_counted_at_once() -> None:
    async def to_size(widget: Widget, ctx: Context) -> list[str]:
        for _ in range(widget.spec.size - len(await ctx.owned(ConfigMap))):
            await ctx.create(ConfigMap(metadata=ObjectMeta(generate_name="w-")))
        return sorted(each.metadata.name for each in await ctx.owned(ConfigMap))

    async with operating(Doing(to_size)) as operator:
        await operator.make(size=3)
        widget = await operator.ready()
        await operator.quiet()
        made = [
            each
            for each in await operator.client.list(ConfigMap, "default")
            if each.metadata.owner_references
        ]
    assert widget.status.note == str(sorted(each.metadata.name for each in made))
    assert len(made) == 3
    assert {each.metadata.owner_references[0].uid for each in made} == {widget.metadata.uid}


async def test_what_was_created_is_not_pruned() -> None:
    async def once(_: Widget, ctx: Context) -> int:
        if not await ctx.owned(ConfigMap):
            await ctx.create(ConfigMap(metadata=ObjectMeta(generate_name="w-")))
        return len(await ctx.prune())

    async with operating(Doing(once)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "0"
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        assert (await operator.ready()).status.note == "0"


class Level(Model):
    level: Literal["low", "high"] = "low"


class Levels(Resource, version="v1", kind="ConfigMap"):
    """A ConfigMap that may say two things."""

    data: Level = Field(default_factory=Level)


async def test_what_no_longer_fits_its_type_is_pruned_too() -> None:
    async def for_some_size(widget: Widget, ctx: Context) -> str:
        if widget.spec.size:
            await ctx.apply(Levels(metadata=ObjectMeta(name="c"), data=Level(level="high")))
        return str([(type(each).__name__, each.metadata.name) for each in await ctx.prune()])

    doing = Doing(for_some_size)
    doing.owns = (Owns(Levels, when=lambda _: False),)
    async with operating(doing) as operator:
        await operator.make(size=1)
        await operator.ready()
        await operator.client.patch(ConfigMap, "c", MergePatch({"data": {"level": "odd"}}), "default")
        [informer] = [each for each in operator.manager.cache.informers if each.kind is Levels]
        await soon(lambda: (found := informer.snapshot(Key("default", "c"))) and b"odd" in found.raw)
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 0}}), "default")
        await operator.gone(ConfigMap, "c")

        assert (await operator.ready()).status.note == "[('Levels', 'c')]"


async def test_creating_a_name_that_is_taken_is_told() -> None:
    async def twice(_: Widget, ctx: Context) -> str:
        await ctx.create(ConfigMap(metadata=ObjectMeta(name="c")))
        try:
            await ctx.create(ConfigMap(metadata=ObjectMeta(name="c")))
        except AlreadyExists:
            return "taken"
        return "made twice"

    async with operating(Doing(twice)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "taken"


async def test_a_patch_can_reach_a_status_and_an_action_is_posted() -> None:
    async def bind(_: Widget, ctx: Context) -> str:
        form = {"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}}
        await ctx.post(Pod, "p", "binding", form)
        pod = await ctx.patch(Pod, "p", MergePatch({"status": {"message": "hello"}}), subresource="status")
        return f"{pod.spec.node_name} {pod.status.message}"

    async with operating(Doing(bind)) as operator:
        await operator.client.create(_pod("p"))
        await operator.make()
        assert (await operator.ready()).status.note == "n hello"
        await operator.quiet()
        [run] = operator.manager.journal.runs("widget", Key("default", "w"))
    assert [each.verb for each in run.writes] == ["binding", "patch", "patch"]


async def test_a_deletion_keeps_to_its_options() -> None:
    async def delete(_: Widget, ctx: Context) -> str:
        await ctx.post(Pod, "p", "binding", {"metadata": {"name": "p"}, "target": {"name": "n"}})
        await ctx.delete(Pod, "p", options=DeleteOptions(grace_period=timedelta(minutes=7)))
        try:
            await ctx.delete(Pod, "p", options=DeleteOptions(uid="somebody else"))
        except Conflict:
            return "conflict"
        return "deleted another one"

    async with operating(Doing(delete)) as operator:
        await operator.client.create(_pod("p"))
        await operator.make()
        assert (await operator.ready()).status.note == "conflict"
        pod = await operator.client.get(Pod, "p", "default")
    assert pod.metadata.deletion_grace_period_seconds == 420


@pytest.mark.parametrize("owned", [True, False])
async def test_what_is_created_for_nobody_has_no_owner(*, owned: bool) -> None:
    async def once(_: Widget, ctx: Context) -> int:
        made = await ctx.create(ConfigMap(metadata=ObjectMeta(name="c")), owned=owned)
        return len(made.metadata.owner_references)

    async with operating(Doing(once)) as operator:
        await operator.make()
        widget = await until(operator.widget, lambda each: bool(each.status.note))
    assert widget.status.note == str(int(owned))


async def test_a_patch_of_our_own_object_does_not_stand_in_the_way_of_its_status() -> None:
    async def work(widget: Widget, ctx: Context) -> str:
        await ctx.patch(Widget, ctx.key.name, MergePatch({"metadata": {"annotations": {"seen": "yes"}}}))
        return "marked"

    async with operating(Doing(work)) as operator:
        await operator.make()
        widget = await operator.ready()

        assert (widget.status.note, widget.metadata.annotations) == ("marked", {"seen": "yes"})
        assert len([each for each in operator.calls if "/widgets/w" in each]) == 2


class Sharing(Reconciler[Widget]):
    owns = (ConfigMap,)

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name="shared"), data={"size": str(resource.spec.size)}))
        return Result.ready()


async def test_a_part_of_one_object_is_not_taken_by_another() -> None:
    async with operating(Sharing()) as operator:
        await operator.make("a", size=1)
        await operator.ready("a")
        await operator.make("b", size=2)
        told = await operator.ready("b", reason="ReconcileFailed")
        [ready] = [each for each in told.status.conditions if each.type == "Ready"]

        assert ready.message.startswith(
            "ConfigMap default/shared is a part of Widget a already: give it another"
        )
        assert (await operator.client.get(ConfigMap, "shared", "default")).data == {"size": "1"}


async def test_what_an_object_of_the_same_name_left_behind_is_taken_over() -> None:
    async with operating(Sharing()) as operator:
        await operator.make(size=1)
        await operator.ready()
        await operator.client.delete(Widget, "w", "default")  # nobody collects here what is left
        await operator.gone(Widget)
        again = await operator.make(size=2)
        await operator.ready()

        [owner] = (await operator.client.get(ConfigMap, "shared", "default")).metadata.owner_references
        assert owner.uid == again.metadata.uid
