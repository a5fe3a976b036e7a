"""The roles and bindings that the embedded server starts with, beside those of the real API server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.cluster import Access

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "dump_roles.py"


def test_the_roles_are_those_of_the_real_server(control_plane: Access) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "--check", "--kubeconfig", control_plane.kubeconfig],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")
