"""Kinds that a reconciler can do without: it goes on, and is told when they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from operating import install, operating
from polling import until
from widget import Plain, Widget, WidgetStatus
from windlass.api import Key, ObjectMeta
from windlass.codegen import operator_rules
from windlass.controller.planning import plan
from windlass.errors import KindMissingError
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.reconcile import Context, Digest, Owns, Reconciler, Result, Rule, Watch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PLAIN = Plain(metadata=ObjectMeta(name="w"))
DIGEST = Digest(Plain, str)


async def apply(ctx: Context) -> Any:
    return await ctx.apply(PLAIN)


class Content(Reconciler[Widget]):
    """Makes do with what is served, and says what that is."""

    owns = (Owns(Plain, optional=True),)

    def __init__(self, act: Callable[[Context], Awaitable[Any]] = apply) -> None:
        self._act = act

    async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
        try:
            await self._act(ctx)
        except KindMissingError:
            return Result.ready(WidgetStatus(note="missing"))
        return Result.ready(WidgetStatus(note="served"))


ACTS = {
    "apply": apply,
    "get": lambda ctx: ctx.get(Plain, "w"),
    "list": lambda ctx: ctx.list(Plain),
    "owned": lambda ctx: ctx.owned(Plain),
    "digests": lambda ctx: ctx.digests(DIGEST),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
async def test_whoever_asks_for_it_is_told_that_it_is_missing_and_looked_at_when_it_comes(
    act: Callable[[Context], Awaitable[Any]],
) -> None:
    async with operating(Content(act), installed=(Widget,)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "missing"
        await install(operator.client, Plain)

        async def is_told() -> bool:
            return (await operator.widget()).status.note == "served"

        await until(is_told)


async def test_it_is_told_too_when_the_kind_goes_again() -> None:
    async with operating(Content()) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "served"
        await operator.client.delete(CustomResourceDefinition, "plains.test.windlass.dev")

        async def is_told() -> bool:
            return (await operator.widget()).status.note == "missing"

        await until(is_told)


async def test_where_nobody_answers_it_the_object_waits() -> None:
    class Dependent(Content):
        async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
            await ctx.apply(PLAIN)
            return Result.ready()

    async with operating(Dependent(), installed=(Widget,)) as operator:
        await operator.make()
        await operator.ready(reason="KindMissing")
        await install(operator.client, Plain)
        await operator.ready()


async def test_a_kind_that_is_needed_elsewhere_is_needed() -> None:
    class Strict(Content):
        reads = (Watch(Plain),)

    async with operating(Strict(), installed=(Widget,)) as operator:
        await operator.make()
        await operator.ready(reason="KindMissing")


async def test_a_plan_is_told_too() -> None:
    async with operating(installed=(Widget,)) as operator:
        await operator.make()
        planned = await plan(Content(), operator.client, Key("default", "w"))

        assert (planned.writes[0].kind, planned.outcome) == ("Widget", "ready")


def test_its_role_is_that_of_any_other_kind() -> None:
    class Plainly(Content):
        owns = (Plain,)  # type: ignore[assignment]

    assert operator_rules([Content]) == operator_rules([Plainly])
    assert Rule.on(Plain, "get", "list", "watch", "create", "patch", "delete") in operator_rules([Content])
