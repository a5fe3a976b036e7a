"""A folder to work in, whose modules are forgotten afterwards."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def working_in(folder: Path) -> Iterator[Path]:
    """Work in a folder: it is the present one, and what is imported from below it is forgotten at the end."""
    before, path = os.getcwd(), list(sys.path)  # noqa: PTH109 - what chdir takes back
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(before)
        sys.path[:] = path
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(folder.resolve())):
                del sys.modules[name]


def write(path: Path, text: str = "") -> Path:
    """Write a file, and the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
