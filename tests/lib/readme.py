"""The README and the other pages as data: their code, so that tests can run it, and the commands that they mention.

Tests get at code by these functions alone, so that `taken` can tell which code no test runs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("benchmarks", "charts", "docs", "examples", "journeys", "src")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(\S*)\s*(.*)")


class Block(NamedTuple):
    """What stands between two fences: where, what the first fence says, and the text."""

    page: str
    line: int
    language: str
    argument: str
    text: str

    @property
    def file(self) -> str:
        """The file that it is to become, if its first line is a comment that says so: `# shop.py`."""
        named = re.match(r"# ([\w.-]+\.\w+)", self.text)
        return named[1] if named else ""


def pages() -> list[str]:
    """Every page of the project."""
    found = [*ROOT.glob("*.md"), *(page for folder in _FOLDERS for page in (ROOT / folder).rglob("*.md"))]
    return sorted(str(page.relative_to(ROOT)) for page in found if "_build" not in page.parts)


def text_of(page: str) -> str:
    """All of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def fenced(page: str) -> list[Block]:
    """All code of a page."""
    return list(_fenced(page))


def _fenced(page: str) -> Iterator[Block]:
    start, opened = 0, None
    inside: list[str] = []
    for number, line in enumerate(text_of(page).splitlines(keepends=True), 1):
        fence = _FENCE.fullmatch(line.rstrip())
        if opened is None:
            if fence:
                start, opened, inside = number, fence, []
        elif fence and fence[1] == opened[1] and not fence[2]:
            yield Block(page, start, opened[2], opened[3], "".join(inside))
            opened = None
        else:
            inside.append(line)
    assert opened is None, f"{page}:{start}: a block that does not end"


def prose(page: str) -> str:
    """What is left of a page without its code."""
    lines = text_of(page).splitlines(keepends=True)
    for each in reversed(fenced(page)):
        del lines[each.line - 1 : each.line + 1 + each.text.count("\n")]
    return "".join(lines)


def blocks(language: str, page: str = "README.md") -> list[str]:
    """The code of one language, in its order. Unpack it or loop over it: what is picked out counts as not run."""
    return [each.text for each in fenced(page) if each.language == language]


def block(mark: str, page: str = "README.md", language: str = "python") -> str:
    """The one block of a language that has this mark."""
    found = [each for each in blocks(language, page) if mark in each]
    assert len(found) == 1, f"{page} has {len(found)} blocks of {language} with {mark!r}"
    return found[0]


def dialogue(page: str = "README.md") -> list[tuple[str, list[str]]]:
    """Each command that is typed at a prompt, with the lines that are shown of its output."""
    told: list[tuple[str, list[str]]] = []
    for line in (line for each in blocks("console", page) for line in each.splitlines()):
        if line.startswith("$ "):
            told.append((line[2:], []))
        else:
            told[-1][1].append(line)
    return told


def write_files(folder: Path, page: str, *names: str) -> None:
    """Write the blocks that name these files into a folder."""
    named = {each.file: each.text for each in fenced(page)}
    for name in names:
        (folder / name).write_text(named[name], encoding="utf-8")


def links(page: str) -> list[str]:
    """The files that a page links to."""
    return re.findall(r"\]\(([^)#:]+)\)", text_of(page))
