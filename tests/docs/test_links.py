"""The documentation is one book: every page can be reached, and every link leads somewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import readme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DOCS = readme.ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.DOTALL | re.MULTILINE)
INCLUDED = re.compile(r"^```\{literalinclude\} (\S+)", re.MULTILINE)


def listed(page: Path) -> Iterator[Path]:
    """The pages that the tables of contents of a page list."""
    for block in TOCTREE.findall(page.read_text(encoding="utf-8")):
        for line in filter(None, map(str.strip, block.splitlines())):
            if not line.startswith(":"):
                yield page.parent / f"{line}.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = [*re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text), *INCLUDED.findall(text)]

    assert [link for link in named if not (page.parent / link).is_file()] == []


def test_every_page_is_reached_from_the_index() -> None:
    reached, found = set(), [DOCS / "index.md"]
    while found:
        page = found.pop()
        reached.add(page)
        found += [each for each in listed(page) if each not in reached]

    assert [str(page.relative_to(DOCS)) for page in PAGES if page not in reached] == []
