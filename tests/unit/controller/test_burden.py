"""An object whose reconcile reads many others is not run for each change of one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from operating import operating
from polling import soon
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import Key, ObjectMeta
from windlass.client import MergePatch
from windlass.controller.burden import Burden
from windlass.kinds.core.v1 import ConfigMap
from windlass.reconcile import Context, Follow, Reconciler, Result, Watch

if TYPE_CHECKING:
    from windlass.api import Change

KEY = Key("default", "w")


class Summing(Reconciler[Widget]):
    """Looks at all ConfigMaps, and has each change of one told."""

    reads = (Watch(ConfigMap, to=lambda _: [KEY]),)

    def __init__(self) -> None:
        self.runs = 0
        self.told: set[str] = set()
        self.told_first = -1
        self.follows = (Follow(ConfigMap, self._hear),)

    def _hear(self, change: Change[ConfigMap]) -> None:
        self.told.add(change.key.name)

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        if self.told_first < 0:
            self.told_first = len(self.told)
        self.runs += 1
        await ctx.list(ConfigMap, "default")
        return Result.ready(WidgetStatus(size=resource.spec.size))


async def test_changes_are_collected_where_much_is_read_and_a_change_of_the_object_is_not() -> None:
    clock, summing = ManualClock(), Summing()
    async with operating(summing, clock=clock) as operator:
        for number in range(40):
            metadata = ObjectMeta(name=f"c{number}", namespace="default")
            await operator.client.create(ConfigMap(metadata=metadata))
        await operator.make()
        await soon(lambda: summing.runs and summing.told >= {f"c{number}" for number in range(40)})
        await operator.quiet()
        before = summing.runs

        for number in range(40):
            patch = MergePatch({"data": {"a": "b"}})
            await operator.client.patch(ConfigMap, f"c{number}", patch, "default")
            await operator.quiet()
        assert summing.runs == before
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 9}}), "default")
        await soon(lambda: summing.runs == before + 1)
        await operator.client.patch(ConfigMap, "c0", MergePatch({"data": {"a": "c"}}), "default")
        await operator.quiet()
        await clock.advance(timedelta(seconds=1))
        await soon(lambda: summing.runs == before + 2)


async def test_who_follows_a_kind_has_heard_the_first_list_before_the_first_run() -> None:
    summing = Summing()
    async with operating() as operator:
        for name in "abc":
            await operator.client.create(ConfigMap(metadata=ObjectMeta(name=name, namespace="default")))
        await operator.make()
        operator.manager.add(summing)

        await soon(lambda: summing.runs)

        assert summing.told_first >= len("abc")


def test_the_more_is_read_the_longer_changes_are_collected_but_not_for_ever() -> None:
    burden = Burden()
    waits = []
    for read in (0, 10, 100, 1000, 10**6, 1):
        burden.ran(KEY, read)
        waits.append(burden.collect(KEY))

    assert waits[:2] == [timedelta()] * 2
    assert timedelta() < waits[2] < waits[3] < waits[4] == timedelta(seconds=5)
    assert waits[5] == timedelta()
