"""The fixtures of the testing kit, used as a user would use them; `--control-plane real` runs the same there."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from widget import Widget, WidgetSpec, WidgetStatus
from windlass.api import LabelSelector, ObjectMeta
from windlass.client import Client, MergePatch
from windlass.errors import ConfigError
from windlass.kinds.apps.v1 import Deployment, DeploymentSpec
from windlass.kinds.core.v1 import ConfigMap, Container, Namespace, Pod, PodSpec, PodTemplateSpec
from windlass.reconcile import Context, Reconciler, Result, Rule, Watch
from windlass.testing import CALM, Faults, Starter, TrialOptions, on_trial

if TYPE_CHECKING:
    from windlass.aio import ManualClock
    from windlass.cluster import Cluster
    from windlass.manager import Manager


class Copying(Reconciler[Widget]):
    """Keeps a ConfigMap for each widget."""

    owns = (ConfigMap,)

    async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
        size = str(widget.spec.size)
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name=widget.metadata.name), data={"size": size}))
        return Result.ready(WidgetStatus(size=widget.spec.size), again=timedelta(hours=1))


def _widget(name: str = "w", size: int = 1) -> Widget:
    return Widget(metadata=ObjectMeta(name=name), spec=WidgetSpec(size=size))


async def test_an_operator_is_tested_in_ten_lines(operator: Starter) -> None:
    async with operator(Copying()) as trial:
        await trial.client.create(_widget(size=3))
        assert (await trial.ready(Widget, "w")).status.size == 3
        assert (await trial.client.get(ConfigMap, "w")).data == {"size": "3"}
        await trial.client.delete(ConfigMap, "w")
        await trial.until(ConfigMap, "w", lambda found: found.data == {"size": "3"})
        await trial.settled()


async def test_an_operator_is_given_as_a_function_that_adds_it(operator: Starter) -> None:
    def add_to(manager: Manager) -> None:
        manager.add(Copying())

    async with operator(add_to) as trial:
        await trial.client.create(_widget())
        await trial.ready(Widget, "w")
    written = [each for each in trial.requests if each.method != "GET" and "events.k8s.io" not in each.path]
    assert [each.method for each in written] == ["PATCH", "PATCH"]


async def test_an_operator_runs_with_the_least_privilege(operator: Starter) -> None:
    async with operator(Copying(), options=TrialOptions(least_privilege=True)) as trial:
        await trial.client.create(_widget())
        await trial.ready(Widget, "w")
        assert trial.granted is not None
        assert trial.granted.missing == []
        assert [each for each in trial.granted.unused if "delete" not in each] == []


class Marking(Reconciler[Widget]):
    """Patches what it does not declare, and watches what it learns of."""

    rules = (Rule.on(Namespace, "patch"), Rule.on(ConfigMap))

    async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
        await ctx.watch(Watch(ConfigMap))
        marked = MergePatch({"metadata": {"labels": {"has": "widgets"}}})
        await ctx.patch(Namespace, widget.metadata.namespace, marked)
        return Result.ready(WidgetStatus(size=len(await ctx.list(ConfigMap))))


async def test_what_an_operator_does_beyond_its_declarations_is_granted_by_its_rules(
    operator: Starter,
) -> None:
    async with operator(Marking(), options=TrialOptions(least_privilege=True)) as trial:
        await trial.client.create(_widget())
        await trial.ready(Widget, "w")
        assert trial.granted is not None
        trial.granted.check()


async def test_what_goes_wrong_on_the_way_is_said_by_the_test(operator: Starter) -> None:
    async with operator(Copying()) as trial:
        await trial.client.create(_widget())
        await trial.ready(Widget, "w")
        trial.network.faults = Faults(failed=1.0)
        await trial.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}))
        with pytest.raises(AssertionError, match=r"Widget w is not as wanted after 0.5 s: [\s\S]*failed"):
            await trial.ready(Widget, "w", within=timedelta(seconds=0.5))
        trial.network.faults = CALM
        assert (await trial.ready(Widget, "w")).status.size == 2


async def test_hours_pass_at_once_on_a_clock_of_the_test(operator: Starter, clock: ManualClock) -> None:
    async with operator(Copying(), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(_widget())
        await trial.ready(Widget, "w")
        await trial.rest()
        for count in range(2, 5):
            await clock.advance(timedelta(hours=1))
            await trial.rest()
            assert len(trial.runs("w")) == count


async def test_what_does_not_go_is_told(operator: Starter) -> None:
    async with operator(Copying()) as trial:
        metadata = ObjectMeta(name="c", finalizers=["example.com/held"])
        await trial.client.create(ConfigMap(metadata=metadata))
        await trial.client.delete(ConfigMap, "c")
        with pytest.raises(AssertionError, match=r"example\.com/held"):
            await trial.gone(ConfigMap, "c", within=timedelta(seconds=0.1))
        await trial.gone(ConfigMap, "never-there")


async def test_a_kind_without_a_ready_condition_is_told(operator: Starter) -> None:
    async with operator(Copying()) as trial:
        await trial.client.create(ConfigMap(metadata=ObjectMeta(name="c")))
        with pytest.raises(TypeError, match="ConfigMap declares no ready condition"):
            await trial.ready(ConfigMap, "c")


async def test_an_api_server_is_at_hand(api_server: Cluster) -> None:
    namespaces = await Client(api_server.transport()).list(Namespace)
    assert "default" in [each.metadata.name for each in namespaces]


class Serving(Reconciler[Widget]):
    """Runs a pod for each widget, by a Deployment."""

    owns = (Deployment,)

    async def reconcile(self, widget: Widget, ctx: Context) -> Result[WidgetStatus]:
        labels = {"widget": widget.metadata.name}
        live = await ctx.apply(
            Deployment(
                metadata=ObjectMeta(name=widget.metadata.name),
                spec=DeploymentSpec(
                    selector=LabelSelector(match_labels=labels),
                    template=PodTemplateSpec(
                        metadata=ObjectMeta(labels=labels),
                        spec=PodSpec(containers=[Container(name="main", image="web:1")]),
                    ),
                ),
            )
        )
        ready = live.status.ready_replicas or 0
        return (
            Result.ready(WidgetStatus(size=ready))
            if ready
            else Result.waiting("RollingOut", "no pod is ready")
        )


async def test_a_deployment_of_an_operator_really_runs(operator: Starter) -> None:
    async with operator(Serving(), options=TrialOptions(whole=True)) as trial:
        await trial.client.create(_widget())
        assert (await trial.ready(Widget, "w")).status.size == 1
        [pod] = await trial.client.list(Pod, trial.namespace)
        assert pod.status.phase == "Running"
        await trial.settled()


def test_a_test_with_a_whole_cluster_fails_at_once_where_no_controllers_run(api_server: Cluster) -> None:
    starter = Starter(api_server.access)

    with pytest.raises(pytest.fail.Exception, match="run pytest with --control-plane-controllers too"):
        starter(Copying(), options=TrialOptions(whole=True))


async def test_a_trial_with_a_whole_cluster_is_refused_where_no_controllers_run(api_server: Cluster) -> None:
    trial = on_trial(api_server.access, [Copying()], TrialOptions(whole=True))

    with pytest.raises(ConfigError, match="the control plane runs no controllers"):
        await trial.__aenter__()
