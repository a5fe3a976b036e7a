"""The first run: how long a newcomer waits."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.result import Row, row
from benchmarks.server import LIMIT, Environment

FIRST_LIMIT = 60.0
"""Seconds from `make run` in a fresh clone to the first resource that is ready, set-up included."""
EMBEDDED_LIMIT = 60.0
REAL_LIMIT = 180.0
_ROOT = Path(__file__).parents[1]
_READY = re.compile(r"^\S+ \S+: (Ready|Deployed|Available)\b")


def demo(_environment: Environment) -> list[Row]:
    """`make run` in a fresh clone, again when all is set up, and on the real control plane."""
    with TemporaryDirectory() as folder:
        clone = Path(folder, "windlass")
        subprocess.run(["git", "clone", "--quiet", _ROOT, clone], check=True)
        first, _ = shown(clone)
        _, embedded = shown(clone)
        _, real = shown(clone, "REAL=1")
    return [
        row("fresh clone: first one Ready", "s", LIMIT, (first, FIRST_LIMIT)),
        row("demo: all Ready", "s", LIMIT, (embedded, EMBEDDED_LIMIT)),
        row("demo on the real one: all Ready", "s", LIMIT, (real, REAL_LIMIT)),
    ]


def shown(clone: Path, *settings: str) -> tuple[float, float]:
    """The seconds from the command to the first resource that is ready, and to the last."""
    begin = time.perf_counter()
    command = ["make", "run", "ARGS=--exit-when-ready --plain", *settings]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    said, first = [], 0.0
    with subprocess.Popen(command, cwd=clone, stdout=subprocess.PIPE, text=True, env=outside) as process:
        assert process.stdout  # noqa: S101 - a pipe was asked for
        for line in process.stdout:
            said.append(line)
            if not first and _READY.match(line):
                first = time.perf_counter() - begin
    if process.returncode or not first:
        sys.exit(f"{' '.join(command)} failed:\n{''.join(said)}")
    return first, time.perf_counter() - begin
