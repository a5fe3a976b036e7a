"""What `make` would do, without doing it."""

from __future__ import annotations

import os
import subprocess

from readme import ROOT


def make(*words: str) -> subprocess.CompletedProcess[str]:
    """What make would do for some words, in an environment that is set up."""
    command = ["make", "--dry-run", "--assume-old=.venv/.ready", *words]
    outside = ("ARGS", "MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MFLAGS")  # of the make that runs the tests
    env = {name: value for name, value in os.environ.items() if name not in outside}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=env)
