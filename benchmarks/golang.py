"""Builds the Go program that uses controller-runtime."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

_SOURCE = Path(__file__).parent / "go"


def build() -> str:
    """The path of the program, built anew when its source changed."""
    go = shutil.which("go")
    if go is None:
        sys.exit("the peer that uses controller-runtime is built from source: put `go` on PATH")
    program = _folder() / "controller-runtime"
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([go, "build", "-o", str(program), "."], cwd=_SOURCE, check=True)
    return str(program)


def _folder() -> Path:
    chosen = os.environ.get("WINDLASS_CACHE")
    return (Path(chosen).absolute() if chosen else Path.home() / ".cache" / "windlass") / "benchmarks"
