"""Controllers run inside other programs, as the guide shows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

import readme
from polling import until
from windlass.api import Key, ObjectMeta
from windlass.client import Client
from windlass.codegen import load_module, load_project
from windlass.errors import NotFound
from windlass.manager import Manager
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.cluster import Cluster
    from windlass.testing import Starter

FOLDER = readme.ROOT / "docs" / "guides" / "embedding"


@pytest.fixture(autouse=True)
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of the guide lie beside those that they import."""
    monkeypatch.syspath_prepend(str(readme.ROOT / "examples"))
    for name in ("children", "minimal"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def guide(name: str) -> Any:
    return load_module(str(FOLDER / f"{name}.py"))


def test_several_operators_share_one_manager(api_server: Cluster) -> None:
    manager = Manager(Client(api_server.transport()))

    guide("together").add_to(manager)

    assert [each.name for each in manager.controllers] == ["greeting", "site", "minimart-controller"]


def test_one_role_is_generated_for_all_of_them() -> None:
    project = load_project(str(FOLDER / "together.py"))

    assert len(project.crds()) == 3
    role = project.rbac()["rbac/role.yaml"]
    assert [
        plural for plural in ("greetings", "sites", "minimarts", "configmaps") if plural not in role
    ] == []


async def test_two_of_them_work_side_by_side(operator: Starter) -> None:
    together = guide("together")
    async with operator(together.GreetingController(), together.SiteController()) as trial:
        greeting, site = together.GreetingController.of, together.SiteController.of
        await trial.client.create(greeting(metadata=ObjectMeta(name="world")))
        await trial.client.create(site(metadata=ObjectMeta(name="docs")))
        await trial.ready(greeting, "world")
        await trial.ready(site, "docs")


async def test_a_web_application_makes_objects_wakes_them_and_shows_metrics(api_server: Cluster) -> None:
    web_application = guide("web_application")
    client = Client(api_server.transport())
    await install_kinds(client, [web_application.Greeting])
    app = web_application.application(client)
    manager = app[web_application.MANAGER]

    async def said() -> str:
        try:
            found = await client.get(web_application.Greeting, "ada", "default")
        except NotFound:
            return ""
        text: str = found.status.text
        return text

    async def causes() -> list[str]:
        return [
            cause for run in manager.journal.runs("greeting", Key("default", "ada")) for cause in run.causes
        ]

    async with TestClient(TestServer(app)) as browser:
        assert (await browser.post("/greetings/ada")).status == 202
        assert await until(said) == "Hello, ada!"
        assert (await browser.post("/push/ada")).status == 202
        await until(causes, lambda found: "push" in found)
        shown = await (await browser.get("/metrics")).text()

    assert 'controller_runtime_reconcile_total{controller="greeting"' in shown
    assert not manager.is_leading
