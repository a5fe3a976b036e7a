from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def chart_path() -> Path:
    """Where the chart lies."""
    return Path(str(files("windlass.operators.minimart") / "charts" / "minimart"))
