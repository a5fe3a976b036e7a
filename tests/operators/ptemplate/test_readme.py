"""The README of the operator, command by command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import guided
import readme
from templating import PRINTED
from windlass.api import read_yaml
from windlass.client import Client
from windlass.manager import Manager
from windlass.operators.ptemplate import AliasPtemplateController, PtemplateController
from windlass.operators.ptemplate.types import PtemplateSpec

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.cluster import Cluster

PAGE = "src/windlass/operators/ptemplate/README.md"
RUN = "windlass run ptemplate"


@pytest.mark.timeout(240)
async def test_every_command_of_the_readme_does_what_it_shows(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if not request.config.getoption("--control-plane"):
        pytest.skip("needs kubectl, which is obtained where a control plane is named")
    (up, _), *rest = readme.dialogue(PAGE)
    (manifest,) = readme.blocks("yaml", PAGE)
    (tmp_path / "ptemplate.yaml").write_text(manifest, encoding="utf-8")
    commands = guided.on_free_ports(rest, RUN)

    async with guided.cluster(up, tmp_path):
        answers = await guided.typed(commands, tmp_path)

    guided.check(rest, answers)


def test_its_manifest_is_the_one_that_is_applied_to_the_letter() -> None:
    (manifest,) = readme.blocks("yaml", PAGE)
    sample = readme.ROOT / "src/windlass/operators/ptemplate/samples/ptemplates_v1alpha_ptemplate.yaml"

    assert read_yaml(manifest) == read_yaml(PRINTED)
    assert read_yaml(sample.read_bytes()) == read_yaml(PRINTED)


def test_its_program_is_what_runs(api_server: Cluster) -> None:
    (program,) = readme.blocks("python", PAGE)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102 - the README is ours
    manager = Manager(Client(api_server.transport()))
    names["add_to"](manager)

    assert [type(each.reconciler) for each in manager.controllers] == [
        PtemplateController,
        AliasPtemplateController,
    ]


def test_it_names_every_field_and_every_reason() -> None:
    text = (readme.ROOT / PAGE).read_text(encoding="utf-8")
    told = set(re.findall(r"`(\w+)`", text))
    fields = {field.alias or name for name, field in PtemplateSpec.model_fields.items()}
    folder = readme.ROOT / "src/windlass/operators/ptemplate"
    said = {
        reason
        for name in ("report.py", "desired.py")
        for reason in re.findall(
            r'status="False",\s*reason="(\w+)"|(?:waiting|Terminal)\(\s*"(\w+)"',
            (folder / name).read_text(encoding="utf-8"),
        )
        for reason in reason
        if reason
    }

    assert len(said) == 9
    assert (fields | said) - told == set()
