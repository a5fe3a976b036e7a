"""The guide to webhooks: its tests, and command by command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import guided
import readme

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/guides/webhooks.md"
RUN = "windlass run shop.py"

pytestmark = pytest.mark.timeout(240)  # a cluster, and processes on its nodes


def _write_files(folder: Path) -> None:
    operator, test = readme.blocks("python", PAGE)
    (folder / "shop.py").write_text(operator, encoding="utf-8")
    (folder / "test_shop.py").write_text(test, encoding="utf-8")
    readme.write_files(folder, PAGE, "large.yaml")


async def test_every_command_of_the_guide_does_what_it_shows(tmp_path: Path) -> None:
    _write_files(tmp_path)
    (up, _), *rest = readme.dialogue(PAGE)
    commands = guided.on_free_ports(rest, RUN)
    async with guided.cluster(up, tmp_path):
        answers = await guided.typed(commands, tmp_path)

    guided.check(rest, answers)


async def test_the_tests_of_the_guide_pass(tmp_path: Path) -> None:
    _write_files(tmp_path)

    (said,) = await guided.typed(
        ["pytest -q -p no:cacheprovider -o asyncio_mode=auto test_shop.py"], tmp_path
    )

    assert "2 passed" in said
