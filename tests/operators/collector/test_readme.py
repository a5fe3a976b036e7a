"""The README of the operator, command by command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import guided
import readme
from windlass.client import Client
from windlass.manager import Manager
from windlass.operators.collector import CollectorController
from windlass.operators.collector.settings import read_options

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.cluster import Cluster

PAGE = "src/windlass/operators/collector/README.md"
RUN = "windlass run collector"

pytestmark = pytest.mark.timeout(240)


async def test_every_command_of_the_readme_does_what_it_shows(helm: Path, tmp_path: Path) -> None:
    (up, _), *rest = readme.dialogue(PAGE)
    readme.write_files(tmp_path, PAGE, "collector.yaml")
    commands = guided.on_free_ports(rest, RUN)

    async with guided.cluster(up, tmp_path, helm):
        answers = await guided.typed(commands, tmp_path, helm)

    guided.check(rest, answers)


def test_its_program_is_what_runs(api_server: Cluster) -> None:
    (program,) = readme.blocks("python", PAGE)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102 - the README is ours
    manager = Manager(Client(api_server.transport()))
    names["add_to"](manager)

    (controller,) = manager.controllers
    assert isinstance(controller.reconciler, CollectorController)
    assert controller.reconciler.options.source("development").version == "0.0.1"


def test_its_configuration_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(readme.block("defaultServiceAccount", PAGE, "yaml"), encoding="utf-8")

    found = read_options(file)

    assert found.tenancy.allows_namespace("team-a", "team-a-web")
    assert found.otherwise.images == "registry.example.com/collectors"


def test_the_files_that_it_links_to_are_there() -> None:
    folder = (readme.ROOT / PAGE).parent
    links = readme.links(PAGE)

    assert "samples/example_v1alpha_collector.yaml" in links
    assert [link for link in links if not (folder / link).exists()] == []
