"""One kind, reached in more than one way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operating import operating
from polling import soon
from widget import Widget, WidgetStatus
from windlass.api import ObjectMeta, Selection, Untyped
from windlass.client import MergePatch
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.manager import ManagerOptions
from windlass.reconcile import Context, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Callable

AnyConfigMap = Untyped.of(ConfigMap.__kind__)
LABELLED = Selection(labels="app=widget")


class Acting(Reconciler[Widget]):
    def __init__(self, act: Callable[[Context], Any]) -> None:
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready(WidgetStatus(note=str(await self._act(ctx))))


async def test_what_was_applied_by_another_class_of_its_kind_is_not_pruned() -> None:
    class Twice(Acting):
        owns = (ConfigMap, AnyConfigMap)

    async def act(ctx: Context) -> int:
        await ctx.apply(AnyConfigMap(metadata=ObjectMeta(name="child")))
        return len(await ctx.prune())

    async with operating(Twice(act)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "0"
        await operator.client.get(ConfigMap, "child", "default")


async def test_an_object_that_two_informers_hold_is_pruned_once() -> None:
    class Twice(Acting):
        owns = (ConfigMap, Owns(ConfigMap, selection=LABELLED))

    counts: list[tuple[int, int]] = []

    async def act(ctx: Context) -> None:
        if not counts:
            await ctx.apply(ConfigMap(metadata=ObjectMeta(name="child", labels={"app": "widget"})))
        owned = await ctx.owned(ConfigMap)
        counts.append((len(owned), len(await ctx.prune())))

    async with operating(Twice(act)) as operator:
        await operator.make()
        await operator.ready()
        await operator.quiet()
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        await operator.ready()

        assert counts[:2] == [(1, 0), (1, 1)]


async def test_what_one_selection_leaves_out_is_read_by_the_other_and_listed_once() -> None:
    class Twice(Acting):
        owns = (Owns(ConfigMap, selection=LABELLED),)
        reads = (Watch(ConfigMap),)

    async def act(ctx: Context) -> str:
        found = await ctx.get(ConfigMap, "unlabelled")
        listed = sorted(each.metadata.name for each in await ctx.list(ConfigMap, "default"))
        return f"{found is not None} {listed}"

    async with operating(Twice(act)) as operator:
        await operator.client.create(ConfigMap(metadata=ObjectMeta(name="unlabelled", namespace="default")))
        labelled = ObjectMeta(name="labelled", namespace="default", labels={"app": "widget"})
        await operator.client.create(ConfigMap(metadata=labelled))
        await operator.make()

        assert (await operator.ready()).status.note == "True ['labelled', 'unlabelled']"


async def test_the_values_of_a_secret_are_read_where_one_of_two_declarations_asks_for_them() -> None:
    class Twice(Acting):
        owns = (Secret,)
        reads = (Watch(Secret, selection=Selection(values=True)),)

    async def act(ctx: Context) -> bytes | None:
        found = await ctx.get(Secret, "password")
        return found.data["value"] if found else None

    async with operating(Twice(act)) as operator:
        metadata = ObjectMeta(name="password", namespace="default")
        await operator.client.create(Secret(metadata=metadata, data={"value": b"hunter2"}))
        await operator.make()

        assert (await operator.ready()).status.note == "b'hunter2'"


async def test_what_is_not_kept_whole_is_listed_by_pages_and_not_one_by_one() -> None:
    class Reading(Acting):
        reads = (Watch(ConfigMap),)

    async def act(ctx: Context) -> str:
        found = await ctx.list(ConfigMap, "default", labels="app=widget")
        return " ".join(f"{each.metadata.name}={len(each.data['text'])}" for each in found)

    async with operating(
        Reading(act), options=ManagerOptions(name="tester", cache_budget=20_000)
    ) as operator:
        for number in range(20):
            labels = {"app": "widget"} if number % 10 == 0 else {}
            metadata = ObjectMeta(name=f"c{number}", namespace="default", labels=labels)
            await operator.client.create(ConfigMap(metadata=metadata, data={"text": "x" * 5000}))
        [informer] = [each for each in operator.manager.cache.informers if each.kind is ConfigMap]
        await soon(lambda: informer.is_reduced and not informer.is_reducing)
        await operator.make()

        assert (await operator.ready()).status.note == "c0=5000 c10=5000"
        assert informer.live_reads == 1
