"""The picture of the layers is what import-linter holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "draw_layers.py"


def test_the_page_shows_the_layers_as_they_are() -> None:
    command = [sys.executable, str(SCRIPT), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)

    assert checked.returncode == 0, checked.stderr
