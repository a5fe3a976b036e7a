"""What the README shows works."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import readme
import typed
from polling import until
from windlass.api import ObjectMeta, read_yaml
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster
from windlass.codegen import custom_resource_definitions
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.apps.v1 import Deployment
from windlass.testing import admit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

WINDLASS = Path(sys.executable).parent / "windlass"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The README's files in an empty folder."""
    readme.write_files(tmp_path, "README.md", "shop.py", "shop_operator.py", "test_shop.py")
    return tmp_path


def run(project: Path, command: str) -> subprocess.CompletedProcess[str]:
    assert command.startswith("windlass ")
    arguments = [str(WINDLASS), *command.split()[1:]]
    return subprocess.run(arguments, cwd=project, capture_output=True, text=True, check=False)


def test_the_generate_commands_work_and_check_notices_an_edit(project: Path) -> None:
    generate, check = [command for command, _ in readme.dialogue() if command.startswith("windlass generate")]

    assert run(project, generate).returncode == 0
    assert run(project, check).returncode == 0
    definition = project / "config/crd/bases/demo.example.com_webapps.yaml"
    definition.write_text(definition.read_text().replace("maximum: 10", "maximum: 11"))
    failed = run(project, check)

    assert failed.returncode == 1
    assert "maximum: 10" in failed.stdout
    assert "windlass generate all" in failed.stderr


@pytest.mark.parametrize("flags", [[], ["--control-plane", "embedded", "--control-plane-controllers"]])
def test_the_test_passes_on_the_embedded_control_plane(flags: list[str], project: Path) -> None:
    (ini,) = readme.blocks("ini")
    (project / "pytest.ini").write_text(ini, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", *flags, "-q", "-p", "no:cacheprovider"]
    passed = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)

    assert passed.returncode == 0, passed.stdout
    assert "1 passed" in passed.stdout
    assert "Warning" not in passed.stdout + passed.stderr


def test_the_file_for_a_chart_is_the_one_of_the_guide_whose_commands_are_run() -> None:
    (shown,) = readme.blocks("yaml")
    guided = readme.block("# watches.yaml", "docs/guides/helm.md", "yaml")

    assert read_yaml(shown) == read_yaml(guided)


async def test_the_example_without_a_port_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(readme.block("Cluster()"), names)  # noqa: S102 - the README is ours

    await names["store"]()

    assert capsys.readouterr().out == "a {'x': '1'}\n"


@pytest.fixture
def shop(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The README's types; other tests have modules of the same name, before and after."""
    monkeypatch.syspath_prepend(str(project))
    for name in _loaded():
        monkeypatch.delitem(sys.modules, name)
    yield import_module("shop")
    for name in _loaded():
        del sys.modules[name]


def _loaded() -> list[str]:
    return [name for name in sys.modules if name.partition(".")[0] in ("shop", "shop_operator")]


async def test_the_operator_brings_an_application_to_ready(shop: ModuleType) -> None:
    names: dict[str, Any] = {}
    exec(readme.block("manager.run()"), names)  # noqa: S102 - the README is ours
    async with Cluster() as cluster, asyncio.TaskGroup() as group:
        client = Client(cluster.transport())
        (definition,) = custom_resource_definitions([shop.WebApp])
        await client.create(CustomResourceDefinition.from_wire(definition))
        running = group.create_task(names["operate"](client))
        metadata = ObjectMeta(name="web", namespace="default")
        await client.create(shop.WebApp(metadata=metadata, spec=shop.WebAppSpec(image="web:1", replicas=2)))

        async def reason() -> str:
            app = await client.get(shop.WebApp, "web", "default")
            return app.status.conditions[0].reason if app.status.conditions else ""

        await until(reason, lambda said: said == "RollingOut")
        ready = MergePatch({"status": {"replicas": 2, "readyReplicas": 2}})
        await client.status.patch(Deployment, "web", ready, "default")
        await until(reason, lambda said: said == "Ready")
        running.cancel()


@pytest.mark.parametrize(("image", "allowed"), [("shop:1", True), ("shop", False)])
async def test_the_webhook_wants_a_tag(image: str, shop: ModuleType, *, allowed: bool) -> None:
    names: dict[str, Any] = {}
    exec(readme.block("@validating(WebApp)"), names)  # noqa: S102 - the README is ours
    app = shop.WebApp(metadata=ObjectMeta(name="web"), spec=shop.WebAppSpec(image=image))

    admitted = await admit(names["has_a_tag"], app)

    assert admitted.verdict.allowed is allowed
    assert ("write the tag too" in admitted.verdict.message) is not allowed


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_to_a_file_leads_somewhere(page: str) -> None:
    assert [link for link in readme.links(page) if not (readme.ROOT / link).exists()] == []


def test_python_blocks_are_typed(project: Path) -> None:
    shown = readme.blocks("python") + readme.blocks("python", "docs/guides/faults.md")
    for index, block in enumerate(shown):
        if not block.startswith("# "):
            (project / f"block_{index}.py").write_text(block, encoding="utf-8")

    assert typed.complaints(project, *(path.name for path in project.glob("*.py"))) == []
