"""An intent that is written before the effect that it announces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operating import operating
from polling import soon
from widget import Widget, WidgetStatus
from windlass.api import Key
from windlass.client import MergePatch
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

INTENDED, DONE = "intended", "done"


class Once(Reconciler[Widget]):
    """Does something once for each Widget; `meanwhile` happens before the intent of the first run is written."""

    def __init__(self, meanwhile: Callable[[], Awaitable[object]]) -> None:
        self.notes: list[str] = []
        self.effects: list[Key] = []
        self.forgotten: list[Key] = []
        self._meanwhile = meanwhile

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.notes.append(resource.status.note)
        if len(self.notes) == 1:
            await self._meanwhile()
        if not resource.status.note:
            await ctx.checkpoint(WidgetStatus(note=INTENDED))
            await ctx.effect("act", self._act(ctx.key))
        return Result.ready(WidgetStatus(note=DONE))

    async def forget(self, key: Key) -> None:
        self.forgotten.append(key)

    def _act(self, key: Key) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            self.effects.append(key)

        return act


async def test_who_sees_an_old_status_cannot_write_an_intent_over_a_newer_one() -> None:
    async def other_acts() -> None:
        patch = MergePatch({"status": {"note": DONE}})
        await operator.client.status.patch(Widget, "w", patch, "default")

    reconciler = Once(other_acts)
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()
        await operator.quiet()

        assert reconciler.notes[0] == ""
        assert reconciler.notes[-1] == DONE
        assert reconciler.effects == []


async def test_a_change_of_anything_else_does_not_stand_in_the_way() -> None:
    async def other_labels() -> None:
        patch = MergePatch({"metadata": {"labels": {"a": "b"}}})
        await operator.client.patch(Widget, "w", patch, "default")

    reconciler = Once(other_labels)
    async with operating(reconciler) as operator:
        await operator.make()
        await operator.ready()
        await operator.quiet()

        assert reconciler.effects == [Key("default", "w")]


async def test_no_intent_is_written_for_what_is_gone() -> None:
    async def other_deletes() -> None:
        await operator.client.delete(Widget, "w", "default")

    reconciler = Once(other_deletes)
    async with operating(reconciler) as operator:
        await operator.make()
        await soon(lambda: bool(reconciler.forgotten))

        assert reconciler.effects == []


async def test_a_status_that_another_process_wrote_meanwhile_is_not_overwritten_by_what_rests_on_the_old_one() -> (
    None
):
    seen: list[str] = []

    class Late(Reconciler[Widget]):
        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            seen.append(resource.status.note)
            if len(seen) == 1:  # as the leader before us does, whose write our cache has not seen
                patch = MergePatch({"status": {"note": DONE}})
                await operator.client.status.patch(Widget, "w", patch, "default")
            return Result.ready(resource.status.model_copy(update={"size": 7}))

    async with operating(Late()) as operator:
        await operator.make()
        found = await operator.ready()
        await operator.quiet()

    assert (found.status.note, found.status.size) == (DONE, 7)
    assert seen[:2] == ["", DONE]
