"""Type checkers have nothing against the code of the README, the tutorial, the guides and the examples."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import readme
import tutorial
import typed

CLIENTS = ("kopf", "kr8s", "lightkube")
"""Programs of others that pages show beside ours; they are installed for the tests of real clients only."""

_ANNOUNCED = re.compile(r"`(\w+\.py)`:$")

PAGES = ("README.md", *(page for page in readme.pages() if page.startswith("docs/guides/")))
EXAMPLES = ("examples", "docs/guides/embedding", "docs/guides/kopf")


def of_others(text: str) -> bool:
    return any(f"import {name}" in text or f"from {name}" in text for name in CLIENTS)


def part_of_another(text: str) -> bool:
    """Whether a block imports from a module that the page leaves to the reader, or continues another one."""
    return "from page import" in text or "import " not in text


def write_page(folder: Path, page: str) -> None:
    """Write the programs of a page: those that are named as files, and the others by their lines."""
    folder.mkdir()
    lines = readme.text_of(page).splitlines()
    for each in readme.fenced(page):
        if each.language == "python" and not part_of_another(each.text):
            announced = _ANNOUNCED.search(" ".join(lines[: each.line - 1]).rstrip())
            name = each.file or (announced[1] if announced else f"line_{each.line}.py")
            (folder / name).write_text(each.text, encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each page, each step of the tutorial, and the examples."""
    folder = tmp_path_factory.mktemp("pages")
    for page in PAGES:
        write_page(folder / Path(page).stem.replace("-", "_").lower(), page)
    for empty in [each for each in folder.iterdir() if not list(each.iterdir())]:
        empty.rmdir()
    for step in tutorial.steps():
        tutorial.write(folder / f"step_{step}", step)
    (folder / "examples").mkdir()
    for source in EXAMPLES:
        for path in (readme.ROOT / source).glob("*.py"):
            if not of_others(path.read_text(encoding="utf-8")):
                shutil.copy(path, folder / "examples")
    return folder


def roots(project: Path) -> list[str]:
    return sorted(each.name for each in project.iterdir() if each.is_dir())


def test_pyright_has_nothing_against_any_of_them(project: Path) -> None:
    assert len(list(project.rglob("*.py"))) > 60
    assert typed.pyright_complaints(project, roots(project)) == []


def test_mypy_has_nothing_against_any_of_them(project: Path) -> None:
    assert [f"{root}/{each}" for root in roots(project) for each in typed.complaints(project / root)] == []
