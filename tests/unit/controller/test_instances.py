"""One class of reconcilers, made for several kinds."""

from __future__ import annotations

from typing import Any

import pytest

from operating import operating
from polling import until
from widget import Plain, PlainStatus, Widget, WidgetStatus
from windlass.api import Key, ObjectMeta, Resource, Selection, Status
from windlass.client import MergePatch
from windlass.controller.plan import plan
from windlass.kinds.core.v1 import ConfigMap
from windlass.reconcile import Context, Index, Reconciler, Result, generation_changed


class Copying(Reconciler[Any]):
    """Keeps a ConfigMap for each object, of whatever kind, until that is finalized."""

    def __init__(self, of: type[Resource], status: type[Status], **said: Any) -> None:
        self.of = of
        self.owns = (ConfigMap,)
        self.finalizer = f"{of.__kind__.group}/{of.__kind__.plural}"
        self._status = status
        self.runs: list[str] = []
        self.finalized: list[str] = []
        vars(self).update(said)

    async def reconcile(self, resource: Any, ctx: Context) -> Result[Any]:
        self.runs.append(resource.metadata.name)
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name=f"{self.name}-{resource.metadata.name}")))
        found = [each for index in self.indexes for each in await ctx.list(self.of, index=index, value="red")]
        return Result.ready(self._status.from_wire({"size": 1 + len(found)}))

    async def finalize(self, resource: Any, ctx: Context) -> Result[Any]:
        self.finalized.append(resource.metadata.name)
        return Result.ready()


async def test_two_instances_of_one_class_serve_two_kinds_in_one_manager() -> None:
    widgets, plains = Copying(Widget, WidgetStatus), Copying(Plain, PlainStatus)
    async with operating(widgets, plains) as operator:
        await operator.make("a")
        await operator.client.create(Plain(metadata=ObjectMeta(name="b", namespace="default")))

        async def is_done() -> bool:
            names = [each.metadata.name for each in await operator.client.list(ConfigMap, "default")]
            return {"widget-a", "plain-b"} <= set(names)

        await until(is_done)
        await operator.quiet()
        assert (set(widgets.runs), set(plains.runs)) == ({"a"}, {"b"})
        assert [each.name for each in operator.manager.controllers] == ["widget", "plain"]
        held = (await operator.widget("a")).metadata.finalizers
        assert held == ["test.windlass.dev/widgets"]

        await operator.client.delete(Widget, "a", "default")
        await operator.gone(Widget, "a")
        assert (widgets.finalized, plains.finalized) == (["a"], [])


async def test_two_instances_share_a_kind_by_selections_and_indexes_of_their_own() -> None:
    index = Index(Widget, lambda widget: widget.spec.color)
    red = Copying(Widget, WidgetStatus, name="red", selection=Selection(labels="team=red"), indexes=(index,))
    blue = Copying(Widget, WidgetStatus, name="blue", selection=Selection(labels="team=blue"))
    async with operating(red, blue) as operator:
        for name in ("red", "blue"):
            metadata = ObjectMeta(name=name, namespace="default", labels={"team": name})
            await operator.client.create(
                Widget.from_wire({"metadata": metadata.to_wire(), "spec": {"color": name}})
            )
        assert (await operator.ready("red")).status.size == 2
        assert (await operator.ready("blue")).status.size == 1
        await operator.quiet()
    assert (set(red.runs), set(blue.runs)) == ({"red"}, {"blue"})


async def test_an_instance_says_which_changes_wake() -> None:
    picky = Copying(Widget, WidgetStatus, when=generation_changed)
    async with operating(picky) as operator:
        await operator.make("a")
        await operator.ready("a")
        await operator.quiet()
        runs = len(picky.runs)
        label = MergePatch({"metadata": {"labels": {"a": "b"}}})
        await operator.client.patch(Widget, "a", label, "default")
        cached = operator.manager.controllers[0].declared.of(Widget)[0]

        async def is_told() -> bool:
            found = cached.snapshot(Key("default", "a"))
            return found is not None and found.metadata.get("labels") == {"a": "b"}

        await until(is_told)
        await operator.quiet()
        assert len(picky.runs) == runs
        await operator.client.patch(Widget, "a", MergePatch({"spec": {"size": 5}}), "default")
        await operator.ready("a")
    assert len(picky.runs) == runs + 1


async def test_an_old_finalizer_that_an_instance_names_goes_with_the_new_one() -> None:
    reconciler = Copying(Widget, WidgetStatus, old_finalizers=("example.com/old",))
    async with operating(reconciler) as operator:
        metadata = ObjectMeta(name="a", namespace="default", finalizers=["example.com/old"])
        await operator.client.create(Widget(metadata=metadata))
        await operator.ready("a")
        await operator.client.delete(Widget, "a", "default")
        await operator.gone(Widget, "a")
    assert reconciler.finalized == ["a"]


async def test_a_plan_is_made_of_what_an_instance_says() -> None:
    async with operating() as operator:
        await operator.make("a")
        planned = await plan(Copying(Widget, WidgetStatus), operator.client, Key("default", "a"))
    assert "apply ConfigMap default/widget-a" in str(planned)


async def test_a_mistake_of_an_instance_is_told_when_it_is_added() -> None:
    with pytest.raises(TypeError, match="say finalizer"):
        async with operating(Copying(Widget, WidgetStatus, finalizer="")):
            pass
