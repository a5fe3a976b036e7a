"""Generated files: written where they are wanted, or compared with what is there."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that is not what the types say; `text` is a unified diff."""

    path: Path
    text: str


def write_files(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Write the files whose text changed, and return their paths."""
    written = []
    for name, text in sorted(files.items()):
        path = folder / name
        if _present(path) != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def compare_files(folder: Path, files: Mapping[str, str]) -> list[Difference]:
    """The files that are missing or differ from what they should be."""
    return [
        Difference(folder / name, _diff(_present(folder / name), text, str(folder / name)))
        for name, text in sorted(files.items())
        if _present(folder / name) != text
    ]


def _present(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _diff(present: str | None, wanted: str, name: str) -> str:
    lines = (present or "").splitlines(keepends=True), wanted.splitlines(keepends=True)
    committed = name if present is not None else "/dev/null"
    return "".join(unified_diff(*lines, fromfile=committed, tofile=f"{name} (from the types)"))
