"""The README of the operator, command by command."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

import guided
import readme
from windlass.client import Client
from windlass.helm import read_watches
from windlass.manager import Manager
from windlass.operators.minimart import CHART, MinimartController

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.cluster import Cluster

PAGE = "src/windlass/operators/minimart/README.md"
RUN = "windlass run minimart"

pytestmark = pytest.mark.timeout(240)


async def test_every_command_of_the_readme_does_what_it_shows(helm: Path, tmp_path: Path) -> None:
    (up, _), *rest = readme.dialogue(PAGE)
    commands = guided.on_free_ports(rest, RUN)

    async with guided.cluster(up, tmp_path, helm):
        answers = await guided.typed(commands, tmp_path, helm)

    guided.check(rest, answers)


async def test_its_program_and_its_file_are_what_runs(api_server: Cluster, tmp_path: Path) -> None:
    (program,) = readme.blocks("python", PAGE)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102 - the README is ours
    manager = Manager(Client(api_server.transport()))
    names["add_to"](manager)
    (watches,) = readme.blocks("yaml", PAGE)
    (tmp_path / "watches.yaml").write_text(watches, encoding="utf-8")
    shutil.copytree(CHART, tmp_path / "charts" / "minimart")
    (entry,) = read_watches(tmp_path / "watches.yaml")

    (controller,) = manager.controllers
    assert isinstance(controller.reconciler, MinimartController)
    assert (entry.group, entry.version, entry.kind) == ("charts.samutup.com", "v1alpha1", "Minimart")


def test_the_files_that_it_links_to_are_there() -> None:
    folder = (readme.ROOT / PAGE).parent
    links = readme.links(PAGE)

    assert "samples/charts_v1alpha1_minimart.yaml" in links
    assert [link for link in links if not (folder / link).exists()] == []
