"""The steps of the tutorial: their pages, and the files that a reader has after each."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import readme

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PAGES = "docs/tutorial"


def steps() -> Sequence[str]:
    """The names of the steps, as the index lists them."""
    index = (readme.ROOT / PAGES / "index.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"```\{toctree\}\n(.*?)```", index, re.DOTALL)
    return tuple(listed.split())


def dialogue(step: str) -> list[tuple[str, list[str]]]:
    """The commands of a step, with the lines that are shown of their output."""
    return readme.dialogue(f"{PAGES}/{step}.md")


def files_of(step: str) -> Path:
    """What a reader writes in a step."""
    return readme.ROOT / PAGES / "steps" / step


def write(folder: Path, last: str) -> None:
    """Do all steps up to this one in a folder."""
    names = steps()
    for step in names[: names.index(last) + 1]:
        shutil.copytree(files_of(step), folder, dirs_exist_ok=True)
