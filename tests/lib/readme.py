"""The code of the README and of other pages, so that tests can run it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def blocks(language: str, page: str = "README.md") -> list[str]:
    """The code blocks of one language, in their order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(page: str = "README.md") -> list[str]:
    """What is typed at a prompt, without the comments."""
    lines = [line for block in blocks("console", page) for line in block.splitlines()]
    return [line[2:].split(" #")[0].strip() for line in lines if line.startswith("$ ")]


def dialogue(page: str) -> list[tuple[str, list[str]]]:
    """Each command with the lines that are shown of its output."""
    told: list[tuple[str, list[str]]] = []
    for line in (line for block in blocks("console", page) for line in block.splitlines()):
        if line.startswith("$ "):
            told.append((line[2:], []))
        else:
            told[-1][1].append(line)
    return told


def links(page: str) -> list[str]:
    """The files that a page links to."""
    return re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text(encoding="utf-8"))


def write_files(folder: Path) -> list[Path]:
    """Write each block that names its file (`# shop.py`) into a folder."""
    written = []
    for block in blocks("python"):
        named = re.match(r"# (\w+\.py)", block)
        if named:
            written.append(folder / named[1])
            written[-1].write_text(block, encoding="utf-8")
    return written
