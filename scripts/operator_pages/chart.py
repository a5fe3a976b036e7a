"""The values of the chart that an operator ships, where its objects are those values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import yaml

from .source import SOURCE
from .table import table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CHARTS: Final = {"minimart": SOURCE / "operators" / "minimart" / "charts" / "minimart"}


def chart_values(operator: str) -> Iterator[str]:
    """A table of the values, which stand in the spec; nothing where a spec has fields of its own."""
    if operator in _CHARTS:
        yield table(("value", "unless said", "meaning"), _rows(_CHARTS[operator] / "values.yaml"))


def _rows(path: Path) -> Iterator[tuple[str, str, str]]:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    for place, key, value in _leaves(root, "spec"):
        shown = json.dumps(yaml.safe_load(yaml.serialize(value, Dumper=yaml.SafeDumper)))
        yield f"`{place}`", f"`{shown}`" if shown not in ('""', "null") else "", _comment(lines, key)


def _leaves(node: Any, path: str) -> Iterator[tuple[str, int, Any]]:
    """Each value that is no map of others, with the line of its name."""
    for key, value in node.value:
        place = f"{path}.{key.value}"
        if isinstance(value, yaml.MappingNode) and value.value:
            yield from _leaves(value, place)
        else:
            yield place, key.start_mark.line, value


def _comment(lines: list[str], line: int) -> str:
    """What the comment says that stands right above a line."""
    said: list[str] = []
    while line and lines[line - 1].lstrip().startswith("# "):
        line -= 1
        said.insert(0, lines[line].lstrip().removeprefix("# "))
    return " ".join(said)
