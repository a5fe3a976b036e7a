"""The README of the operator, command by command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import guided
import readme
from windlass.client import Client
from windlass.manager import Manager
from windlass.operators.peerpod import PeerPodConfigController, PeerPodController

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.cluster import Cluster

PAGE = "src/windlass/operators/peerpod/README.md"
RUN = "windlass run peerpod"

pytestmark = pytest.mark.timeout(240)


async def test_every_command_of_the_readme_does_what_it_shows(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if not request.config.getoption("--control-plane"):
        pytest.skip("needs kubectl, which `make test-real` has")
    (up, _), *rest = readme.dialogue(PAGE)
    (manifest,) = readme.blocks("yaml", PAGE)
    settings = (readme.ROOT / PAGE).parent / "samples" / "settings.yaml"
    (tmp_path / "config.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "settings.yaml").write_text(settings.read_text("utf-8"), encoding="utf-8")
    commands = guided.on_free_ports(rest, RUN)

    async with guided.cluster(up, tmp_path):
        answers = await guided.typed(commands, tmp_path)

    guided.check(rest, answers)


def test_its_program_is_what_runs(api_server: Cluster) -> None:
    (program,) = readme.blocks("python", PAGE)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102 - the README is ours
    manager = Manager(Client(api_server.transport()))
    names["add_to"](manager)

    configs, machines = (each.reconciler for each in manager.controllers)
    assert isinstance(configs, PeerPodConfigController)
    assert isinstance(machines, PeerPodController)
    assert configs.options.namespace == "peer-pods"


def test_the_files_that_it_links_to_are_there() -> None:
    folder = (readme.ROOT / PAGE).parent
    links = readme.links(PAGE)

    assert "samples/settings.yaml" in links
    assert [link for link in links if not (folder / link).exists()] == []
