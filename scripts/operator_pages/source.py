"""The code of an operator that decides what people are told."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCE: Final = ROOT / "src" / "windlass"
OPERATORS: Final = ("pagerduty", "collector", "minimart", "ptemplate", "peerpod")

_BESIDE: Final = {"minimart": (SOURCE / "helm" / "controller.py", SOURCE / "helm" / "status.py")}
"""What an operator leaves to a controller that ships."""

_APART: Final = frozenset({"simulator", "simulator.py"})


def modules(operator: str) -> Iterator[tuple[Path, ast.Module]]:
    """Each module by its path below `windlass`, with its tree; but no simulators, which stand for others."""
    own = sorted((SOURCE / "operators" / operator).rglob("*.py"))
    for file in (*own, *_BESIDE.get(operator, ())):
        path = file.relative_to(SOURCE)
        if _APART.isdisjoint(path.parts):
            yield path, ast.parse(file.read_text(encoding="utf-8"))
