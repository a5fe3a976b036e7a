"""What is known of many objects without decoding them again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from operating import operating
from polling import until
from widget import Widget, WidgetStatus
from windlass.api import Key, ObjectMeta
from windlass.client import MergePatch
from windlass.errors import UndeclaredError
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.reconcile import Context, Digest, Index, Reconciler, Result

if TYPE_CHECKING:
    from operating import Operating

BY_COLOR = Index(Widget, lambda widget: widget.spec.color)


class Counting(Reconciler[Widget]):
    """Owns as many ConfigMaps as its size says, and sums what they hold."""

    owns = (ConfigMap,)
    indexes = (BY_COLOR,)

    def __init__(self) -> None:
        self.decoded: list[str] = []
        self.held = Digest(ConfigMap, self._held)
        self.sizes = Digest(Widget, lambda widget: widget.spec.size)

    def _held(self, config: ConfigMap) -> int:
        self.decoded.append(config.metadata.name)
        return int(config.data.get("held", "0"))

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        for number in range(len(await ctx.digests(self.held)), resource.spec.size):
            await ctx.create(
                ConfigMap(metadata=ObjectMeta(name=f"{ctx.key.name}-{number}"), data={"held": "1"})
            )
        held = await ctx.digests(self.held)
        alike = await ctx.digests(self.sizes, index=BY_COLOR, value=resource.spec.color)
        return Result.ready(WidgetStatus(size=sum(held.values()), note=" ".join(sorted(map(str, alike)))))


async def held(operator: Operating, size: int) -> None:
    await until(operator.widget, lambda widget: widget.status.size == size)
    await operator.quiet()


async def test_an_object_is_decoded_once_for_each_of_its_changes() -> None:
    reconciler = Counting()
    async with operating(reconciler) as operator:
        await operator.make(size=50)
        await held(operator, 50)
        reconciler.decoded.clear()
        for number in ("7", "8"):
            await operator.client.patch(ConfigMap, "w-3", MergePatch({"data": {"held": number}}), "default")
            await held(operator, 49 + int(number))

        assert reconciler.decoded == ["w-3", "w-3"]


async def test_what_is_gone_is_neither_counted_nor_remembered() -> None:
    reconciler = Counting()
    async with operating(reconciler) as operator:
        await operator.make(size=2)
        await held(operator, 2)
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 1}}), "default")
        await operator.client.delete(ConfigMap, "w-1", "default")
        await held(operator, 1)
        [controller] = operator.manager.controllers
        known = controller._facilities.digests._known[reconciler.held]

        assert set(known) == {Key("default", "w-0")}


async def test_an_index_finds_what_is_digested() -> None:
    async with operating(Counting()) as operator:
        await operator.make("a", color="red")
        await operator.make("b", color="blue")
        await operator.make("w", color="red")

        assert (await operator.ready("w")).status.note == "default/a default/w"


async def test_a_kind_that_is_not_declared_has_no_digests() -> None:
    errors: list[UndeclaredError] = []

    class Undeclared(Reconciler[Widget]):
        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            with pytest.raises(UndeclaredError) as raised:
                await ctx.digests(Digest(Secret, str))
            errors.append(raised.value)
            return Result.ready()

    async with operating(Undeclared()) as operator:
        await operator.make()
        await operator.ready()

    assert "Watch(Secret)" in str(errors[0])
