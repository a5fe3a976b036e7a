"""Objects that select others by labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from operating import operating
from widget import Widget, WidgetStatus
from windlass.api import LabelSelector, LabelSelectorRequirement, ObjectMeta
from windlass.client import MergePatch
from windlass.kinds.core.v1 import ConfigMap
from windlass.reconcile import Context, Reconciler, Result, Watch

if TYPE_CHECKING:
    from operating import Operating

SELECTORS = {
    "red": LabelSelector(match_labels={"color": "red"}),
    "large-red": LabelSelector(match_labels={"color": "red", "size": "large"}),
    "not-red": LabelSelector(
        match_expressions=[LabelSelectorRequirement(key="color", operator="NotIn", values=["red"])]
    ),
    "all": LabelSelector(),
    "none": None,
}


class Selecting(Reconciler[Widget]):
    """Notes whom a ConfigMap wakes; the color of a widget names its selector."""

    reads = (Watch(ConfigMap, selects=lambda widget: SELECTORS[widget.spec.color]),)

    def __init__(self) -> None:
        self.woken: list[str] = []

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.woken += [ctx.key.name for cause in ctx.causes if cause.kind == "ConfigMap"]
        return Result.ready()


async def prepared(operator: Operating) -> None:
    for name in SELECTORS:
        await operator.make(name, color=name)
    await operator.make("elsewhere", namespace="kube-system", color="all")
    for name in SELECTORS:
        await operator.ready(name)
    await operator.quiet()


@pytest.mark.parametrize(
    ("labels", "woken"),
    [
        ({}, {"not-red", "all"}),
        ({"color": "red"}, {"red", "all"}),
        ({"color": "red", "size": "large"}, {"red", "large-red", "all"}),
        ({"color": "blue", "size": "large"}, {"not-red", "all"}),
    ],
)
async def test_a_labelled_object_wakes_those_that_select_it(labels: dict[str, str], woken: set[str]) -> None:
    reconciler = Selecting()
    async with operating(reconciler) as operator:
        await prepared(operator)
        await operator.client.create(
            ConfigMap(metadata=ObjectMeta(name="c", namespace="default", labels=labels))
        )
        await operator.quiet()

        assert set(reconciler.woken) == woken


async def test_an_object_that_loses_a_label_wakes_those_that_selected_it_before() -> None:
    reconciler = Selecting()
    async with operating(reconciler) as operator:
        await prepared(operator)
        red = ObjectMeta(name="c", namespace="default", labels={"color": "red"})
        await operator.client.create(ConfigMap(metadata=red))
        await operator.quiet()
        reconciler.woken.clear()
        await operator.client.patch(
            ConfigMap, "c", MergePatch({"metadata": {"labels": {"color": "blue"}}}), "default"
        )
        await operator.quiet()

        assert set(reconciler.woken) == {"red", "not-red", "all"}
