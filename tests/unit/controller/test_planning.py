"""What a reconcile would do, told instead of done."""

from __future__ import annotations

from typing import Any

from operating import install
from widget import Widget, WidgetSpec, WidgetStatus
from windlass.api import Key, ObjectMeta
from windlass.client import Client, ClientOptions, WriteOptions
from windlass.cluster import Cluster
from windlass.controller.planning import plan
from windlass.kinds.core.v1 import ConfigMap
from windlass.reconcile import Context, Reconciler, Result

KEY = Key("default", "w")


class Mapping(Reconciler[Widget]):
    owns = (ConfigMap,)
    finalizer = "test.windlass.dev/widget"
    called = False

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[Any]:
        data = {"size": str(resource.spec.size)}
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data=data))
        await ctx.prune()
        if resource.spec.color:
            planned = "an id" if resource.spec.color == "known" else None
            await ctx.effect("paint it", self._paint, planned=planned)
            await ctx.apply(ConfigMap(metadata=ObjectMeta(name="painted")))
        return Result.ready(WidgetStatus(size=resource.spec.size))

    async def finalize(self, resource: Widget, ctx: Context) -> Result[Any]:
        return Result.ready()

    async def _paint(self) -> str:
        self.called = True
        return "a real id"


async def cluster_with(cluster: Cluster, **spec: Any) -> Client:
    client = Client(cluster.transport(), ClientOptions(write=WriteOptions(field_manager="windlass")))
    await install(client)
    metadata = ObjectMeta(name="w", namespace="default")
    await client.create(Widget(metadata=metadata, spec=WidgetSpec(**spec)))
    return client


async def test_a_plan_tells_each_write_and_makes_none() -> None:
    async with Cluster() as cluster:
        client = await cluster_with(cluster, size=3)

        planned = await plan(Mapping(), client, KEY)

        told = [(write.verb, write.kind, str(write.key)) for write in planned.writes]
        assert told == [
            ("patch", "Widget", "default/w"),
            ("apply", "ConfigMap", "default/w"),
            ("patch", "Widget", "default/w"),
        ]
        assert (planned.outcome, bool(planned)) == ("ready", True)
        assert ".data" in str(planned)
        names = [each.metadata.name for each in await client.list(ConfigMap, "default")]
        assert "w" not in names
        assert (await client.get(Widget, "w", "default")).metadata.finalizers == []


async def test_a_plan_of_a_settled_object_is_empty() -> None:
    from operating import operating

    async with operating(Mapping()) as operator:
        await operator.make(size=3)
        await operator.ready()

        planned = await plan(Mapping(), operator.client, KEY, name="tester")

        assert not planned
        assert str(planned) == "then ready: Ready"


async def test_a_plan_shows_the_fields_that_would_change() -> None:
    from operating import operating

    async with operating(Mapping()) as operator:
        await operator.make(size=3)
        await operator.ready()
        await operator.stop()
        widget = await operator.widget()
        widget.spec.size = 4
        await operator.client.update(widget)

        planned = await plan(Mapping(), operator.client, KEY, name="tester")

        changes = {str(change) for write in planned.writes for change in write.changes}
        assert ".data.size: '3' → '4'" in changes
        assert ".status.size: 3 → 4" in changes


async def test_an_effect_is_told_instead_of_done_and_the_plan_ends_there() -> None:
    async with Cluster() as cluster:
        client = await cluster_with(cluster, color="red")
        reconciler = Mapping()

        planned = await plan(reconciler, client, KEY)

        assert [each.what for each in planned.effects] == ["paint it"]
        assert "paint it" in planned.ends
        assert "painted" not in str([write.key for write in planned.writes])
        assert not reconciler.called


async def test_a_plan_goes_on_where_the_effect_says_what_it_would_return() -> None:
    async with Cluster() as cluster:
        client = await cluster_with(cluster, color="known")
        reconciler = Mapping()

        planned = await plan(reconciler, client, KEY)

        assert planned.ends == ""
        assert Key("default", "painted") in [write.key for write in planned.writes]
        assert not reconciler.called


async def test_there_is_nothing_to_plan_for_an_object_that_is_gone() -> None:
    async with Cluster() as cluster:
        client = await cluster_with(cluster)

        planned = await plan(Mapping(), client, Key("default", "nobody"))

        assert (planned.outcome, bool(planned)) == ("gone", False)
