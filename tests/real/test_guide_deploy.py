"""The guide to installing and deploying, command by command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import guided
import readme
from windlass.tools import find_helm

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/guides/deploy.md"

pytestmark = pytest.mark.timeout(240)


async def test_every_command_of_the_guide_does_what_it_shows(tmp_path: Path) -> None:
    (up, _), *rest = readme.dialogue(PAGE)
    commands = [command for command, _ in rest]
    async with guided.cluster(up, tmp_path, find_helm()):
        answers = await guided.typed(commands, tmp_path, find_helm())

    guided.check(rest, answers)
