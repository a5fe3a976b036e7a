"""The tutorial, command by command, as one reader types it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import guided
import tutorial

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.timeout(400)

RUN = "windlass run preview"
REFUSED = ("The Preview", "Error from server")


def _typed(command: str, shown: list[str]) -> str:
    """A command; one that the page shows to be refused may fail."""
    return f"{command} || true" if any(line.startswith(REFUSED) for line in shown) else command


async def test_every_command_of_the_tutorial_does_what_it_shows(tmp_path: Path) -> None:
    first, *_ = steps = tutorial.steps()
    (up, _), *told = tutorial.dialogue(first)
    tutorial.write(tmp_path, first)
    for step in steps[1:]:
        copy = f"cp -r {tutorial.files_of(step)}/. ."
        told += [(copy, []), *tutorial.dialogue(step)]
    typed = [(_typed(command, shown), shown) for command, shown in told]

    async with guided.cluster(up, tmp_path):
        answers = await guided.typed(guided.on_free_ports(typed, RUN), tmp_path)

    guided.check(told, answers)
    by_command = {command: answer for (command, _), answer in zip(told, answers, strict=True)}
    (journal,) = [answer for command, answer in by_command.items() if "/journal" in command]
    (reconciles,) = [answer for command, answer in by_command.items() if "reconcile_total" in command]
    assert "publish shop-42.default.preview.test" in journal
    assert 'controller="preview"' in reconciles
