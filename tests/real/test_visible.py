"""What people see of an operator: events, log lines and who changed what, on each of the servers."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from polling import until
from widget import Widget, WidgetSpec, WidgetStatus
from windlass.api import Key, ObjectMeta
from windlass.client import JsonPatch, MergePatch
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.events.v1 import Event
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    import pytest

    from windlass.testing import Starter, Trial


class Sizing(Reconciler[Widget]):
    """Applies a ConfigMap; size 2 waits, size 3 fails."""

    owns = (ConfigMap,)

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[Any]:
        size = resource.spec.size
        data = {"size": f"hunter{size}", "kept": "x"}
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data=data))
        if size == 2:
            return Result.waiting("RollingOut", "1 of 2 replicas")
        if size == 3:
            raise OSError("GET https://user:pw@db.test/?token=1: the disk is full")
        return Result.ready(WidgetStatus(size=size))


async def events(trial: Trial) -> list[tuple[str, str, str]]:
    found = sorted(await trial.client.list(Event, trial.namespace), key=lambda each: str(each.event_time))
    return [(str(each.type), str(each.reason), str(each.note)) for each in found]


async def change(trial: Trial, size: int, reason: str) -> None:
    await trial.client.patch(Widget, "w", MergePatch({"spec": {"size": size}}))

    def is_so(widget: Widget) -> bool:
        ready = {each.type: each for each in widget.status.conditions}.get("Ready")
        return widget.status.observed_generation == widget.metadata.generation and bool(
            ready and ready.reason == reason
        )

    await trial.until(Widget, "w", is_so)


async def test_failures_and_transitions_are_events_and_writes_are_lines(
    standing: Starter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "windlass.controller")
    async with standing(Sizing()) as trial:
        await trial.client.create(Widget(metadata=ObjectMeta(name="w"), spec=WidgetSpec(size=1)))
        await trial.ready(Widget, "w")
        await change(trial, 2, "RollingOut")
        await change(trial, 1, "Ready")
        await change(trial, 3, "ReconcileFailed")
        told = await until(lambda: events(trial), lambda found: len(found) >= 4)
        where = f"{trial.namespace}/w"

    assert told == [
        ("Normal", "Ready", "Ready is True (was Unknown)"),
        ("Normal", "RollingOut", "1 of 2 replicas"),
        ("Normal", "Ready", "Ready is True (was False)"),
        ("Warning", "ReconcileFailed", "the disk is full"),
    ]
    lines = [each.getMessage() for each in caplog.records if each.levelno == logging.INFO]
    assert [each for each in lines if each.startswith(("Created", "Updated", "Deleted", "Ready is"))] == [
        f"Created ConfigMap {where}",
        "Ready is True (was Unknown): Ready",
        f"Updated ConfigMap {where}: .data.size",
        "Ready is False (was True): RollingOut: 1 of 2 replicas",
        f"Updated ConfigMap {where}: .data.size",
        "Ready is True (was False): Ready",
        f"Updated ConfigMap {where}: .data.size",
        "Ready is False (was True): ReconcileFailed: the disk is full",
    ]
    assert "hunter" not in "".join(lines)


async def test_the_journal_names_who_changed_a_part_and_nobody_for_a_removal(standing: Starter) -> None:
    async with standing(Sizing()) as trial:
        await trial.client.create(Widget(metadata=ObjectMeta(name="w"), spec=WidgetSpec(size=1)))
        await trial.ready(Widget, "w")
        await trial.settled()
        person = trial.client.using(field_manager="kubectl-edit")

        await person.patch(ConfigMap, "w", MergePatch({"data": {"size": "theirs"}}))
        edited = await until(lambda: causes(trial, ".data.size"))
        await trial.until(ConfigMap, "w", lambda found: found.data.get("size") == "hunter1")
        await trial.settled()
        await person.patch(ConfigMap, "w", JsonPatch([{"op": "remove", "path": "/data/kept"}]))
        removed = await until(lambda: causes(trial, ".data.kept"))
        await trial.until(ConfigMap, "w", lambda found: found.data.get("kept") == "x")
        await trial.settled()

    changed = f"ConfigMap {trial.namespace}/w modified"
    assert edited == [f"{changed} .data.size by kubectl-edit"]
    assert removed == [f"{changed} .data.kept"]


async def causes(trial: Trial, path: str) -> list[str]:
    """The causes of runs in which a field changed."""
    runs = trial.manager.journal.runs("widget", Key(trial.namespace, "w"))
    return [cause for run in runs for cause in run.causes if path in cause]
