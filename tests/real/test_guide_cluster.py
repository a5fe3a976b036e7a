"""The guide to a cluster on a laptop, command by command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import guided
import readme

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/guides/cluster.md"

pytestmark = pytest.mark.timeout(240)  # among others, a node has to be silent for 50 seconds


def _write_files(folder: Path) -> None:
    operator = readme.block("class PageController(", "docs/guides/testing.md")
    (folder / "page.py").write_text(operator, encoding="utf-8")
    (manifest,) = readme.blocks("yaml", PAGE)
    (folder / "pages.yaml").write_text(manifest, encoding="utf-8")


async def test_every_command_of_the_guide_does_what_it_shows(tmp_path: Path) -> None:
    _write_files(tmp_path)
    (up, _), *rest = readme.dialogue(PAGE)
    commands = [command for command, _ in rest]
    async with guided.cluster(up, tmp_path):
        answers = await guided.typed(commands, tmp_path)

    guided.check(rest, answers)
    by_command = dict(zip(commands, answers, strict=True))
    (health,) = [answer for command, answer in by_command.items() if command.startswith("curl")]
    (holder,) = [answer for command, answer in by_command.items() if "holderIdentity" in command]
    assert health.splitlines()[-1].startswith("ok")
    assert holder.startswith("pages-")
