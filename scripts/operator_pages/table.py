"""Tables, as Markdown has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty where it has no rows."""
    lines = [_line(row) for row in rows]
    return "\n".join([_line(head), "|---" * len(head) + "|", *lines]) + "\n" if lines else ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |"
