"""No code on a page of the documentation goes unrun: `text` is what nobody can run, the rest is taken by a test."""

from __future__ import annotations

import ast

import pytest

import readme
import taken
from readme import Block

RUNNABLE = ("console", "dockerfile", "ini", "json", "python", "yaml")
BLOCKS = [block for page in readme.pages() for block in readme.fenced(page)]
SOURCES = [path.read_text(encoding="utf-8") for path in taken.modules()]


def test_every_block_says_what_it_is() -> None:
    known = (*RUNNABLE, *taken.NOT_RUN)

    assert [f"{each.page}:{each.line}" for each in BLOCKS if each.language not in known] == []


def test_what_says_that_it_is_text_is_no_code() -> None:
    texts = [each for each in BLOCKS if each.language == "text"]

    assert [f"{each.page}:{each.line}" for each in texts if is_code(each.text)] == []


def is_code(text: str) -> bool:
    """Whether this is a program, or typed at a prompt."""
    try:
        ast.parse(text)
    except SyntaxError:
        return text.startswith("$ ")
    return True


def test_every_block_is_taken_by_a_test() -> None:
    assert taken.untaken(BLOCKS, SOURCES) == []


def test_every_file_that_a_page_shows_is_run_by_a_test() -> None:
    shown = [each for each in BLOCKS if each.language == "{literalinclude}"]
    unrun = [f"{each.page}:{each.line}" for each in shown if not taken.is_run(taken.includes(each), SOURCES)]

    assert len(shown) > 30
    assert unrun == []


def test_every_console_begins_at_a_prompt() -> None:
    consoles = [each for each in BLOCKS if each.language == "console"]

    assert [f"{each.page}:{each.line}" for each in consoles if not each.text.startswith("$ ")] == []


PAGE = 'PAGE = "docs/a.md"\n'
ADDED = Block("docs/a.md", 7, "python", "", "# shop.py\nprint(1)\n")
UNNAMED = Block("docs/a.md", 9, "python", "", "print(1)\n")


@pytest.mark.parametrize(
    "source",
    [
        "",
        PAGE + 'first = readme.blocks("python", PAGE)[0]',
        PAGE + 'first, *_ = readme.blocks("python", PAGE)',
        PAGE + 'first = next(each for each in readme.blocks("python", PAGE) if "a" in each)',
        PAGE + '(only,) = readme.blocks("yaml", PAGE)',
        PAGE + 'example = readme.block("print(2)", PAGE)',
        PAGE + "example = readme.block(mark, PAGE)",
        PAGE + "readme.write_files(folder, PAGE, *names)",
        PAGE + "told = [each for each, _ in readme.dialogue(PAGE)]",
        '(only,) = readme.blocks("python", "docs/b.md")',
        '(only,) = readme.blocks("python")',
        PAGE + 'readme.write_files(folder, PAGE, "test_shop.py")',
        'readme.write_files(folder, "README.md", "shop.py")',
    ],
)
def test_a_block_that_no_test_takes_is_found(source: str) -> None:
    assert taken.untaken([ADDED, UNNAMED], [source]) == ["docs/a.md:7: python", "docs/a.md:9: python"]


@pytest.mark.parametrize(
    "source",
    [
        PAGE + '(only,) = readme.blocks("python", PAGE)',
        PAGE + 'first, *rest = readme.blocks("python", PAGE)',
        PAGE + 'for each in (*readme.blocks("yaml", PAGE), *readme.blocks("python", PAGE)): run(each)',
        PAGE + '@pytest.mark.parametrize("code", readme.blocks("python", PAGE))\ndef test(code): ...',
        PAGE + 'example = readme.block("print(1)", PAGE)',
        PAGE + 'readme.write_files(folder, PAGE, "test_shop.py", "shop.py")',
        'def blocks(step):\n    return readme.blocks("python", f"docs/{step}.md")',
    ],
)
def test_a_block_that_a_test_takes_is_not(source: str) -> None:
    assert taken.untaken([ADDED], [source]) == []
