"""What the text says that an operator began as can be done with this one, command by command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import guided
import walks
from windlass.tools import find_helm

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.timeout(240)


@pytest.mark.parametrize("operator", walks.WALKS)
async def test_every_command_of_the_text_has_one_here_that_does_what_it_promises(
    operator: str, tmp_path: Path
) -> None:
    steps = walks.WALKS[operator]
    copy = walks.checkout(tmp_path)
    commands = [walks.surroundings(), *(step.types for step in steps)]

    async with guided.cluster(walks.CLUSTER, copy, find_helm()):
        _, *answers = await guided.typed(commands, copy, find_helm())

    guided.check([(step.types, step.shows) for step in steps], answers)
