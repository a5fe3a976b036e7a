"""Generated files: written where they are wanted, or compared with what is there."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that is not what the types say; `text` is a unified diff."""

    path: Path
    text: str


def write_files(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Write the files whose text changed, and return their paths.

    Raises:
        ConfigError: a file cannot be written.
    """
    written = []
    for name, text in sorted(files.items()):
        path = folder / name
        if _present(path) != text:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            except OSError as error:
                raise ConfigError(f"{path} cannot be written: {error.strerror}") from error
            written.append(path)
    return written


def orphans(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Files beside the given ones that were generated with them once, and would not be today.

    They are known by their first line, which names the generator and what it was for.
    """
    known = {folder / name for name in files}
    heads = {(path.parent, _head(files[str(path.relative_to(folder))])) for path in known}
    beside = {path for parent in {path.parent for path in known} for path in parent.glob("*.*")}
    return sorted(path for path in beside - known if (path.parent, _head(_present(path) or "")) in heads)


def _head(text: str) -> str:
    """The first line, if it is a generator's; a text without one belongs to nobody."""
    line = text.partition("\n")[0]
    return line if line.startswith("# Generated") else f"not generated: {id(text)}"


def compare_files(folder: Path, files: Mapping[str, str]) -> list[Difference]:
    """The files that are missing, differ from what they should be, or should not be there any more."""
    left = [Difference(path, _diff(_present(path), "", str(path))) for path in orphans(folder, files)]
    return left + [
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
