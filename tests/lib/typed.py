"""The strict type checker, as somebody runs it on code of his own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_CACHE = Path(__file__).resolve().parents[2] / ".mypy_cache" / "of-tests"
"""What it knows of Windlass it has to find out once."""


def complaints(folder: Path, *files: str) -> list[str]:
    """What it has against these files of a folder, or against all, a line each."""
    command = ["mypy", "--strict", "--config-file=", "--no-error-summary", "--cache-dir", str(_CACHE)]
    checked = subprocess.run(
        [sys.executable, "-m", *command, *(files or ["."])],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
    )
    return (checked.stdout + checked.stderr).splitlines()
