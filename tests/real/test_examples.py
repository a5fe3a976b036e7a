"""How examples are tried, command by command."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import guided
import readme

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/examples.md"

pytestmark = pytest.mark.timeout(120)


async def test_every_command_of_the_page_does_what_it_shows(tmp_path: Path) -> None:
    shutil.copytree(readme.ROOT / "examples", tmp_path / "examples")
    (up, _), *rest = readme.dialogue(PAGE)
    commands = guided.on_free_ports(rest, "windlass run examples/minimal.py")
    async with guided.cluster(up, tmp_path):
        answers = await guided.typed(commands, tmp_path)

    guided.check(rest, answers)
