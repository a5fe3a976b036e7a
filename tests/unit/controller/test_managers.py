"""Applying in the name of another field manager than the operator's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from operating import Operating, operating
from widget import Widget, WidgetStatus
from windlass.api import Key, ObjectMeta, Selection
from windlass.client import MergePatch
from windlass.controller.planning import plan
from windlass.errors import NotFound
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.reconcile import Context, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

LABELLED = Selection(labels="chart=shop")


class Doing(Reconciler[Widget]):
    """Does what a test says, and reports what came of it."""

    def __init__(self, act: Callable[[Widget, Context], Awaitable[Any]]) -> None:
        self._act = act

    async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready(WidgetStatus(note=str(await self._act(widget, ctx))))


class Acting(Doing):
    owns = (Owns(ConfigMap, managers=("helm",)),)
    reads = (Watch(Secret, selection=LABELLED, managers=("helm",)),)


def config(**data: str) -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(name="child"), data=data)


def secret(value: str, **labels: str) -> Secret:
    return Secret(metadata=ObjectMeta(name="child", labels=labels), string_data={"word": value})


async def again(operator: Operating) -> list[str]:
    """What another pass over the widget writes, its status aside."""
    await operator.quiet()
    before = len(operator.writes)
    widget = await operator.widget()
    larger = MergePatch({"spec": {"size": widget.spec.size + 1}})
    await operator.client.patch(Widget, "w", larger, "default")
    await operator.ready()
    await operator.quiet()
    return [each for each in operator.writes[before:] if "/status" not in each]


def appliers(found: ConfigMap | Secret) -> list[str]:
    entries = found.to_wire()["metadata"].get("managedFields") or ()
    return sorted(each["manager"] for each in entries if each["operation"] == "Apply")


async def test_each_manager_has_fields_of_its_own_and_a_second_pass_sends_nothing() -> None:
    async def act(_: Widget, ctx: Context) -> None:
        await ctx.apply(config(chart="1"), owned=False, manager="helm")
        await ctx.apply(config(owner="us"))

    async with operating(Acting(act)) as operator:
        await operator.make()
        await operator.ready()
        made = await operator.client.get(ConfigMap, "child", "default")
        assert appliers(made) == ["helm", "tester"]
        assert made.data == {"chart": "1", "owner": "us"}
        assert await again(operator) == []


async def test_a_field_that_one_manager_no_longer_wants_goes_and_that_of_the_other_stays() -> None:
    async def act(widget: Widget, ctx: Context) -> None:
        more = {"extra": "yes"} if widget.spec.size == 1 else {}
        await ctx.apply(config(chart="1", **more), owned=False, manager="helm")
        await ctx.apply(config(owner="us"))

    async with operating(Acting(act)) as operator:
        await operator.make(size=1)
        await operator.ready()
        (call,) = await again(operator)
        assert "fieldManager=helm" in call
        made = await operator.client.get(ConfigMap, "child", "default")
    assert made.data == {"chart": "1", "owner": "us"}


async def test_a_hand_edit_is_put_back_in_the_name_of_the_manager() -> None:
    async def act(_: Widget, ctx: Context) -> str:
        live = await ctx.apply(config(chart="1"), manager="helm")
        return live.data["chart"]

    async with operating(Acting(act)) as operator:
        await operator.make()
        await operator.ready()
        await operator.quiet()
        await operator.client.patch(ConfigMap, "child", MergePatch({"data": {"chart": "2"}}), "default")
        await again(operator)
        made = await operator.client.get(ConfigMap, "child", "default")
    assert made.data == {"chart": "1"}
    assert appliers(made) == ["helm"]


async def test_what_was_applied_in_another_name_is_not_pruned() -> None:
    async def act(widget: Widget, ctx: Context) -> int:
        if widget.spec.size == 1:
            await ctx.apply(config(chart="1"), manager="helm")
        return len(await ctx.prune())

    async with operating(Acting(act)) as operator:
        await operator.make(size=1)
        await operator.ready()
        assert await again(operator) == []
        assert (await operator.client.get(ConfigMap, "child", "default")).data == {"chart": "1"}


async def test_a_manager_that_is_not_declared_is_told_with_the_line_to_add() -> None:
    async def act(_: Widget, ctx: Context) -> None:
        await ctx.apply(config(chart="1"), manager="flux")

    async with operating(Acting(act)) as operator:
        await operator.make()
        widget = await operator.ready(reason="ReconcileFailed")
        with pytest.raises(NotFound):
            await operator.client.get(ConfigMap, "child", "default")
    told = next(each.message for each in widget.status.conditions if each.type == "Ready")
    assert 'reads = (Watch(ConfigMap, managers=("flux",)),)' in told


async def test_an_object_that_only_the_apply_brings_into_the_selection_is_read_at_once() -> None:
    async def act(_: Widget, ctx: Context) -> list[str]:
        await ctx.apply(secret("a", chart="shop"), owned=False, manager="helm")
        return [each.metadata.name for each in await ctx.list(Secret)]

    async with operating(Acting(act)) as operator:
        existing = Secret(metadata=ObjectMeta(name="child", namespace="default"), string_data={"old": "b"})
        await operator.client.create(existing)
        await operator.make()
        assert (await operator.ready()).status.note == "['child']"
        assert await again(operator) == []  # what the server wrote in another form is remembered too


async def test_what_is_outside_the_selection_is_applied_and_not_shown() -> None:
    async def act(_: Widget, ctx: Context) -> list[str]:
        live = await ctx.apply(secret("a", chart="other"), owned=False, manager="helm")
        return [live.metadata.name, *(each.metadata.name for each in await ctx.list(Secret))]

    async with operating(Acting(act)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "['child']"
        assert appliers(await operator.client.get(Secret, "child", "default")) == ["helm"]


async def test_of_two_selections_the_one_that_keeps_the_manager_is_asked() -> None:
    class Both(Doing):
        owns = (ConfigMap, Owns(ConfigMap, selection=LABELLED, managers=("helm",)))

    async def act(_: Widget, ctx: Context) -> None:
        await ctx.apply(
            ConfigMap(metadata=ObjectMeta(name="child", labels={"chart": "shop"}), data={"a": "1"}),
            manager="helm",
        )

    async with operating(Both(act)) as operator:
        await operator.make()
        await operator.ready()
        assert await again(operator) == []


async def test_a_plan_knows_what_a_manager_has_applied_already() -> None:
    async def act(widget: Widget, ctx: Context) -> None:
        await ctx.apply(config(size=str(widget.spec.size)), manager="helm")

    async with operating(Acting(act)) as operator:
        await operator.make()
        await operator.ready()
        key = Key("default", "w")
        assert not (await plan(Acting(act), operator.client, key, name="tester")).writes
        await operator.stop()
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 7}}), "default")
        planned = await plan(Acting(act), operator.client, key, name="tester")
        assert "apply ConfigMap default/child" in str(planned)
        assert (await operator.client.get(ConfigMap, "child", "default")).data != {"size": "7"}


@pytest.mark.parametrize("managers", ["helm", ("",), ["helm"]])
def test_managers_are_a_tuple_of_names(managers: Any) -> None:
    with pytest.raises(TypeError, match=r'managers=\("helm",\)'):
        Watch(ConfigMap, managers=managers)
