"""Each example does what its docstring says."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

import readme
import tutorial
import typed
from polling import until
from windlass.api import Json, Kind, ObjectMeta, Untyped
from windlass.client import MergePatch
from windlass.codegen import load_module
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Event, Pod
from windlass.testing import StandInHelm, TrialOptions

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.aio import ManualClock
    from windlass.helm import Blueprint
    from windlass.manager import Manager
    from windlass.testing import Starter

EXAMPLES = readme.ROOT / "examples"
LONGEST = 60


def example(name: str) -> Any:
    """The module of an example."""
    return load_module(str(EXAMPLES / f"{name}.py"))


def reason_of(resource: Any) -> str:
    """The reason of the ready condition."""
    found: dict[str, str] = {each.type: each.reason for each in resource.status.conditions}
    return found.get("Ready", "")


async def test_minimal_says_hello(operator: Starter) -> None:
    minimal = example("minimal")
    async with operator(minimal.GreetingController()) as trial:
        await trial.client.create(minimal.Greeting(metadata=ObjectMeta(name="world")))
        assert (await trial.ready(minimal.Greeting, "world")).status.text == "Hello, world!"
        await trial.client.patch(minimal.Greeting, "world", MergePatch({"spec": {"word": "Bye"}}))
        await trial.until(minimal.Greeting, "world", lambda found: found.status.text == "Bye, world!")


async def test_children_come_and_go_with_their_pages(operator: Starter) -> None:
    children = example("children")
    async with operator(children.SiteController()) as trial:
        spec = children.SiteSpec(pages={"home": "hello", "about": "us"})
        await trial.client.create(children.Site(metadata=ObjectMeta(name="docs"), spec=spec))
        await trial.ready(children.Site, "docs")
        await trial.client.patch(ConfigMap, "docs-home", MergePatch({"data": {"text": "mine"}}))
        await trial.until(ConfigMap, "docs-home", lambda found: found.data["text"] == "hello")
        await trial.client.patch(children.Site, "docs", MergePatch({"spec": {"pages": {"about": None}}}))
        await trial.gone(ConfigMap, "docs-about")
        await trial.settled()

        async def told() -> list[str | None]:
            return [
                each.message
                for each in await trial.client.list(Event, trial.namespace)
                if each.reason == "Removed"
            ]

        assert await until(told) == ["docs-about is no longer wanted"]


async def test_an_external_api_has_what_the_cluster_has(operator: Starter) -> None:
    external_api, topics = example("external_api"), set[str]()

    async def answer(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        known = name in topics
        if request.method == "PUT":
            topics.add(name)
        elif request.method == "DELETE":
            topics.discard(name)
        return web.Response(status=200 if known or request.method == "PUT" else 404)

    application = web.Application()
    application.router.add_route("*", "/topics/{name}", answer)
    async with TestServer(application) as broker:
        controller = external_api.TopicController(str(broker.make_url("")).rstrip("/"))
        async with operator(controller) as trial:
            await trial.client.create(external_api.Topic(metadata=ObjectMeta(name="orders")))
            await trial.ready(external_api.Topic, "orders")
            assert topics == {f"{trial.namespace}.orders"}
            (effect,) = [each.what for run in trial.runs("orders") for each in run.effects]
            assert effect == "create topic orders"
            await trial.settled()
            await trial.client.delete(external_api.Topic, "orders")
            await trial.gone(external_api.Topic, "orders")
            assert topics == set()


async def test_a_finalizer_removes_the_folder_first(
    operator: Starter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finalizer = example("finalizer")
    monkeypatch.chdir(tmp_path)
    async with operator(finalizer.WorkspaceController()) as trial:
        await trial.client.create(finalizer.Workspace(metadata=ObjectMeta(name="desk")))
        await trial.ready(finalizer.Workspace, "desk")
        assert _inside(tmp_path) == [f"{trial.namespace}-desk"]
        await trial.settled()
        await trial.client.delete(finalizer.Workspace, "desk")
        await trial.gone(finalizer.Workspace, "desk")
        assert _inside(tmp_path) == []


def _inside(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_a_timer_reminds_again_and_cron_reminds_all(operator: Starter, clock: ManualClock) -> None:
    timer = example("timer")
    async with operator(timer.ReminderController(), options=TrialOptions(clock=clock)) as trial:
        spec = timer.ReminderSpec(every=timedelta(minutes=10))
        await trial.client.create(timer.Reminder(metadata=ObjectMeta(name="tea"), spec=spec))
        first = (await trial.ready(timer.Reminder, "tea")).status.reminded
        await trial.rest()
        await clock.advance(timedelta(minutes=10))
        second = await trial.until(timer.Reminder, "tea", lambda found: found.status.reminded != first)
        assert second.status.reminded - first == timedelta(minutes=10)
        await until(lambda: trial.client.list(Event, trial.namespace))


async def test_plain_dicts_note_the_image(operator: Starter) -> None:
    plain_dicts = example("plain_dicts")
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}}
    spec = {"selector": {"matchLabels": labels}, "template": template}
    metadata = {"name": "web", "labels": {"audit": "yes"}}
    note = "demo.example.com/image"
    async with operator(plain_dicts.AuditController()) as trial:
        await trial.client.create(Deployment.from_wire({"metadata": metadata, "spec": spec}))
        await trial.until(Deployment, "web", lambda found: found.metadata.annotations.get(note) == "web:1")
        await trial.settled()


async def test_metadata_only_counts_the_pods_of_a_team(operator: Starter) -> None:
    metadata_only = example("metadata_only")
    async with operator(metadata_only.TeamController()) as trial:
        team = metadata_only.Team(metadata=ObjectMeta(name="shop"), spec=metadata_only.TeamSpec(name="shop"))
        await trial.client.create(team)
        for number in range(3):
            pod: dict[str, Any] = {"metadata": {"name": f"p{number}", "labels": {"team": "shop"}}}
            pod["spec"] = {"containers": [{"name": "main", "image": "main"}]}
            await trial.client.create(Pod.from_wire(pod))
        await trial.until(metadata_only.Team, "shop", lambda found: found.status.pods == 3)
        await trial.client.delete(Pod, "p0")
        await trial.until(metadata_only.Team, "shop", lambda found: found.status.pods == 2)


async def test_a_late_crd_is_waited_for(operator: Starter) -> None:
    late_crd = example("late_crd")
    free: Json = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": free}}
    names = {"plural": "servicemonitors", "kind": "ServiceMonitor"}
    group = "monitoring.coreos.com"
    spec = {"group": group, "scope": "Namespaced", "names": names, "versions": [version]}
    definition = {"metadata": {"name": f"servicemonitors.{group}"}, "spec": spec}
    async with operator(late_crd.ProbeController()) as trial:
        await trial.client.create(late_crd.Probe(metadata=ObjectMeta(name="shop")))
        await trial.until(late_crd.Probe, "shop", lambda found: reason_of(found) == "KindMissing")
        await trial.client.create(CustomResourceDefinition.from_wire(definition))
        await trial.ready(late_crd.Probe, "shop")
        monitor = Untyped.of(Kind(group=group, version="v1", name="ServiceMonitor", plural="servicemonitors"))
        assert (await trial.client.get(monitor, "shop"))["spec"]["endpoints"]


def rendered(blueprint: Blueprint, revision: int) -> list[Json]:
    """In place of the chart: its values, in a ConfigMap."""
    data = {"replicas": str(blueprint.values["replicaCount"])}
    name = blueprint.release.name
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}]


async def test_a_chart_gets_the_values_that_python_worked_out(operator: Starter) -> None:
    chart = example("chart")

    def add_to(manager: Manager) -> None:
        helm = StandInHelm(manager.client, {"minimart": rendered})
        manager.add(chart.StallController(of=chart.Stall, chart=chart.CHART, helm=helm))

    async with operator(add_to) as trial:
        spec = chart.StallSpec(size="large")
        await trial.client.create(chart.Stall(metadata=ObjectMeta(name="fruit"), spec=spec))
        await trial.until(ConfigMap, "fruit", lambda found: found.data["replicas"] == "4")
        await trial.client.delete(chart.Stall, "fruit")
        await trial.gone(ConfigMap, "fruit")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("plan_mode", ["apply ConfigMap default/docs-home", "then ready: Ready"]),
        ("leader_election", ["Hello, ada!", "Hello, grace!", "by first", "by second"]),
    ],
)
def test_a_program_prints_what_it_shows(name: str, lines: list[str]) -> None:
    command = [sys.executable, str(EXAMPLES / f"{name}.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)

    assert done.returncode == 0, done.stderr
    assert [line for line in lines if line not in done.stdout.splitlines()] == [], done.stdout


def test_examples_are_short_and_say_how_they_are_run() -> None:
    for path in sorted(EXAMPLES.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= LONGEST, path.name
        assert f"examples/{path.name}`" in text.partition('"""')[2].partition('"""')[0], path.name


def test_the_page_of_examples_shows_each_of_them() -> None:
    page = (readme.ROOT / "docs" / "examples.md").read_text(encoding="utf-8")

    assert [
        path.name for path in sorted(EXAMPLES.glob("*.py")) if f"../examples/{path.name}" not in page
    ] == []


def test_the_code_of_examples_and_tutorial_is_typed(tmp_path: Path) -> None:
    tutorial.write(tmp_path, tutorial.steps()[-1])
    for path in EXAMPLES.glob("*.py"):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")

    assert typed.complaints(tmp_path) == []
