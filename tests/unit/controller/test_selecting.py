"""Objects that select others by labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from operating import operating
from widget import Widget, WidgetStatus
from windlass.api import Key, LabelSelector, LabelSelectorRequirement, ObjectMeta, Snapshot
from windlass.cache.index import Index, Sight
from windlass.client import MergePatch
from windlass.controller.selecting import demands, entries, selections
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


def test_one_is_filed_under_the_label_that_the_fewest_demand() -> None:
    uses = {"default:app=shop": 1000, "default:instance=a": 1, "default:tier=web": 300}
    rarest = selections(lambda _: uses, uses.__getitem__)

    assert [*rarest(Widget())] == ["default:instance=a"]


LABELS = st.dictionaries(st.sampled_from("abc"), st.sampled_from("xy"))


@given(st.lists(st.tuples(st.sampled_from("stuv"), LABELS), max_size=12), LABELS)
def test_whatever_selectors_come_and_change_each_is_filed_where_what_it_selects_finds_it(
    history: list[tuple[str, dict[str, str]]], labels: dict[str, str]
) -> None:
    selectors: dict[str, LabelSelector] = {}
    demanded = demands(Watch(ConfigMap, selects=lambda widget: selectors[widget.metadata.name]))
    every = Index("every", demanded)
    index = Index("rarest", selections(demanded, lambda label: len(every.find(label))))
    for name, chosen in history:
        selectors[name] = LabelSelector(match_labels=chosen)
        raw = orjson.dumps({"metadata": {"name": name, "namespace": "default"}})
        for each in (every, index):
            each.set(Key("default", name), Sight(Snapshot(Widget, raw)))
    found = {key.name for place in entries("default", labels) for key in index.find(place)}
    expected = {name for name, chosen in history if selectors[name].matches(labels)}

    assert found >= expected
