"""An operator that puts every field back that it applied passes; one that does not is named, with the field."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from widget import Widget, WidgetStatus
from windlass.api import ObjectMeta
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Secret, Service
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.testing import Starter

SOON = timedelta(seconds=2)


def deployment() -> Deployment:
    labels = {"app": "w"}
    container = {
        "name": "web",
        "image": "web:1",
        "ports": [{"containerPort": 80}, {"containerPort": 81, "name": "more"}],
        "env": [{"name": "A", "value": "1"}],
        "resources": {"requests": {"cpu": "1000m", "memory": "1024Mi"}},
        "args": ["--verbose"],
    }
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"replicas": 2, "selector": {"matchLabels": labels}, "template": template}
    return Deployment.from_wire({"metadata": {"name": "w", "labels": labels}, "spec": spec})


class Owning(Reconciler[Widget]):
    owns = (Deployment, Service, ConfigMap, Secret)

    def __init__(self, act: Callable[[Context], Any]) -> None:
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        await self._act(ctx)
        return Result.ready()


async def apply_all(ctx: Context) -> None:
    await ctx.apply(deployment())
    ports = [{"port": 80, "name": "web"}]
    await ctx.apply(
        Service.from_wire({"metadata": {"name": "w"}, "spec": {"ports": ports, "selector": {"app": "w"}}})
    )
    await ctx.apply(
        ConfigMap(metadata=ObjectMeta(name="w", annotations={"a.example.com/x": "y"}), data={"a.b": "c"})
    )
    await ctx.apply(Secret(metadata=ObjectMeta(name="w"), string_data={"password": "generated"}))


async def test_every_applied_field_is_edited_and_put_back(operator: Starter) -> None:
    async with operator(Owning(apply_all)) as trial:
        await trial.client.create(Widget(metadata=ObjectMeta(name="w")))
        await trial.ready(Widget, "w")

        report = await trial.assert_drift_repaired()

        where = trial.namespace
        for edit in (
            f"Deployment {where}/w .spec.replicas set to 3",
            f"Deployment {where}/w .spec.template.spec.containers[name=web].resources.requests.cpu set to '19'",
            f"Deployment {where}/w .spec.template.spec.containers[name=web].resources.requests.cpu removed",
            f"Deployment {where}/w .spec.template.spec.containers[name=web].args set to ['--verbose', 'drift']",
            f"Deployment {where}/w .metadata.labels.app removed",
            f"Service {where}/w .spec.selector set to {{'app': 'w', 'drift': 'drift'}}",
            f"ConfigMap {where}/w .data[a.b] set to 'c-drift'",
            f"ConfigMap {where}/w .metadata.annotations[a.example.com/x] removed",
            f"Secret {where}/w .data.password set to 'ZHJpZnQ='",
            f"Secret {where}/w .data.password removed",
            f"Secret {where}/w .data edited by stringData",
            f"Secret {where}/w .data emptied",
        ):
            assert edit in report.repaired, "\n".join(report.repaired)
        assert any(".spec.selector" in each and "immutable" in why for each, why in report.not_edited.items())
        await trial.settled()


async def test_a_field_that_is_not_put_back_is_named(operator: Starter) -> None:
    async def once(ctx: Context) -> None:
        live = await ctx.get(ConfigMap, "w")
        text = live.data.get("text", "") if live else "first"
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data={"text": text, "fixed": "f"}))

    async with operator(Owning(once)) as trial:
        await trial.client.create(Widget(metadata=ObjectMeta(name="w")))
        await trial.ready(Widget, "w")

        with pytest.raises(
            AssertionError, match=r"ConfigMap \S+/w \.data\.text set to 'first-drift'"
        ) as failed:
            await trial.assert_drift_repaired(ConfigMap, within=SOON)
        assert ".data.fixed" not in str(failed.value)


async def test_it_fails_if_nothing_could_be_edited(operator: Starter) -> None:
    async def nothing(ctx: Context) -> None:
        """Apply nothing."""

    async with operator(Owning(nothing)) as trial:
        await trial.client.create(Widget(metadata=ObjectMeta(name="w")))
        await trial.ready(Widget, "w")

        with pytest.raises(AssertionError, match="no applied field could be edited"):
            await trial.assert_drift_repaired(within=SOON)
