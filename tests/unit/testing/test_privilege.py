"""Operators under exactly the role that their declarations make."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from scenario import A_SECOND, ELECTED, LEASE, NAMESPACE, Renting, Scenario, scenario
from windlass.api import ObjectMeta
from windlass.codegen import Rule, Setting, operator_rules
from windlass.errors import Forbidden
from windlass.kinds.core.v1 import ConfigMap, Pod
from windlass.manager import Manager
from windlass.testing import least_privilege

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from widget import Widget, WidgetStatus
    from windlass.reconcile import Context, Result
    from windlass.testing import Granted

RULES = operator_rules([Renting], Setting(lease=LEASE, lease_namespace=NAMESPACE))
DELETE = Rule.on(ConfigMap, "delete")


@asynccontextmanager
async def under(
    rules: Sequence[Rule], world: Scenario, reconciler: Renting | None = None
) -> AsyncIterator[Granted]:
    """Run an operator under rules."""
    async with least_privilege(world.cluster, rules) as granted:
        manager = Manager(granted.client, ELECTED, clock=world.clock)
        manager.add(reconciler or Renting(world.outside))
        world.run(manager)
        yield granted


class Growing(Renting):
    """Keeps one ConfigMap more as long as a Widget is small, so that one is pruned when it grows."""

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        if resource.spec.size == 0:
            await ctx.apply(ConfigMap(metadata=ObjectMeta(name=f"{ctx.key.name}-small")))
        return await super().reconcile(resource, ctx)


async def test_an_operator_needs_what_its_declarations_grant_it_and_nothing_more() -> None:
    async with scenario() as world, under(RULES, world, Growing(world.outside)) as granted:
        await world.make(3)
        await world.converged()
        await world.change_some(1)
        await world.converged()
        await world.delete_some(1)
        await world.converged()

        granted.check()


async def test_a_grant_that_is_missing_is_named() -> None:
    rules = [rule for rule in RULES if rule.resources != ("widgets/status",)]
    async with scenario() as world, under(rules, world) as granted:
        await world.make(1)
        await world.pass_time(10 * A_SECOND)

        with pytest.raises(AssertionError) as raised:
            granted.check(except_for=[DELETE])

    said = str(raised.value)
    assert "missing grants:\n  patch widgets/status.test.windlass.dev in default" in said


async def test_grants_that_are_not_used_are_named_and_can_be_excused() -> None:
    extra = Rule.on(Pod, "get", "list", "delete")
    async with scenario() as world, under([*RULES, extra], world) as granted:
        await world.make(1)
        await world.converged()
        await world.pass_time(10 * A_SECOND)

        assert granted.missing == []
        assert granted.unused == ["delete configmaps", "delete pods", "get, list and watch pods"]
        with pytest.raises(AssertionError, match="unused grants:\n  delete configmaps\n  delete pods"):
            granted.check()
        granted.check(except_for=[DELETE, extra])


async def test_a_grant_in_one_namespace_holds_there_alone() -> None:
    there = Rule(groups=("",), resources=("configmaps",), verbs=("get", "list"), namespace="default")
    async with scenario() as world, least_privilege(world.cluster, [there]) as granted:
        await granted.client.list(ConfigMap, "default")
        with pytest.raises(Forbidden):
            await granted.client.list(ConfigMap, "kube-system")

        assert granted.missing == ["list configmaps in kube-system"]
        assert granted.unused == []


async def test_what_others_do_is_not_held_against_the_operator() -> None:
    async with scenario() as world, least_privilege(world.cluster, []) as granted:
        await world.user.list(ConfigMap, "default")

        granted.check()


async def test_a_rule_about_one_name_is_used_by_that_name_alone() -> None:
    rule = Rule(groups=("core",), resources=("configmaps",), verbs=("get",), names=("a", "b"))
    async with scenario() as world, least_privilege(world.cluster, [rule]) as granted:
        for name in ("a", "b"):
            await world.user.create(ConfigMap(metadata=ObjectMeta(name=name, namespace="default")))
        await granted.client.get(ConfigMap, "a", "default")

        assert granted.unused == ["get, list and watch configmaps b"]
