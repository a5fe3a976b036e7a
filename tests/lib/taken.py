"""Which code of the pages the tests take, read off their source.

A test takes code by the functions of `readme`. Here a call of one counts when it gets hold of one block by its mark,
or when nothing of what it returns is left out: it is unpacked, looped over, parametrized or returned, as opposed to
filtered or indexed. So a block that is added to a page is either in the hands of a test at once, or in `untaken`. Pages,
marks and names of files have to stand in the module as strings; others count for nothing.
"""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from readme import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from readme import Block

NOT_RUN = ("text", "{toctree}", "{eval-rst}", "{literalinclude}")
"""Fences around what is no code, and around the names of files, which `includes` looks after."""

_STEPS = ROOT / "docs" / "tutorial" / "steps"


class Take(NamedTuple):
    """What a call takes: of the pages that fit, the blocks of a language that have a mark, or those of some files."""

    pages: str
    language: str = ""
    mark: str = ""
    files: tuple[str, ...] = ()

    def has(self, block: Block) -> bool:
        """Whether a block is among them."""
        fits = block.file in self.files if self.files else block.language == self.language
        return fits and self.mark in block.text and fnmatchcase(block.page, self.pages)


def modules() -> list[Path]:
    """The source of the tests."""
    return sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "journeys").glob("test_*.py")])


def untaken(blocks: Iterable[Block], sources: Iterable[str]) -> list[str]:
    """The blocks that nobody takes: where they are, and in which language."""
    found = [take for source in sources for take in takes(source)]
    return [
        f"{block.page}:{block.line}: {block.language or 'no language'}"
        for block in blocks
        if block.language not in NOT_RUN and not any(take.has(block) for take in found)
    ]


def takes(source: str) -> Iterator[Take]:
    """What a module takes."""
    if "readme." not in source:
        return
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    strings = _strings(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="readme"), attr=name), args=given):
                words = [_pattern(each, strings) for each in given]
                if name in ("block", "write_files") or _is_whole(node, parents):
                    yield from _take(name, words)


def _take(name: str, words: list[str]) -> Iterator[Take]:
    match name, words:
        case "block", [mark, *more] if mark:
            page, language = [*more, *("README.md", "python")[len(more) :]]
            yield Take(page, language, mark)
        case "blocks", [language, *more]:
            yield Take(more[0] if more else "README.md", language)
        case "dialogue", more:
            yield Take(more[0] if more else "README.md", "console")
        case "write_files", [_, page, *names] if any(names):
            yield Take(page, files=tuple(filter(None, names)))


def _strings(tree: ast.Module) -> dict[str, str]:
    """The names of a module that are strings."""
    return {
        target.id: value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and (value := _pattern(node.value, {}))
    }


def _pattern(node: ast.expr, strings: Mapping[str, str]) -> str:
    """The string that an expression is, with a star for what only a run of the test knows; empty if it is all of it."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return strings.get(name, "")
        case ast.FormattedValue(value=value):
            return _pattern(value, strings) or "*"
        case ast.JoinedStr(values=parts):
            text = "".join(_pattern(part, strings) for part in parts)
            return text if text.startswith("docs/") else ""
    return ""


def _is_whole(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether nothing is left out of what an expression gives."""
    match parents[node]:
        case ast.Assign(targets=[ast.Tuple(elts=names)]):
            return not any(_is_dropped(name) for name in names)
        case ast.For() | ast.Return() | ast.comprehension(ifs=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="parametrize")):
            return True
        case ast.Starred() | ast.Tuple() as parent:
            return _is_whole(parent, parents)
    return False


def _is_dropped(target: ast.expr) -> bool:
    """Whether what is assigned to it is not looked at: `_`, `*_`."""
    match target:
        case ast.Name(id="_") | ast.Starred(value=ast.Name(id="_")):
            return True
    return False


def includes(block: Block) -> Path:
    """The file that a block shows."""
    return (ROOT / block.page).parent.joinpath(block.argument).resolve()


def is_run(file: Path, sources: Iterable[str]) -> bool:
    """Whether a test names this file and its folder. The steps of the tutorial are done as a whole."""
    if file.is_relative_to(_STEPS):
        return True
    folder, *names = (f'"{name}"' for name in (file.parent.name, file.name, file.stem))
    return any(folder in source and any(name in source for name in names) for source in sources)
