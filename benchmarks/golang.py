"""Builds the peers that are written in Go."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

_SOURCE = Path(__file__).parent / "go"


def build() -> str:
    """The path of the program that uses controller-runtime, built anew when its source changed."""
    program = _folder() / "controller-runtime"
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([_go(), "build", "-o", str(program), "."], cwd=_SOURCE, check=True)
    return str(program)


def install(package: str, version: str) -> str:
    """The path of somebody else's program, built once from its published module, which takes minutes."""
    program = _folder() / version / package.rpartition("/")[2]
    if not program.exists():
        print(f"building {package} {version}", flush=True)
        environment = {**os.environ, "GOBIN": str(program.parent)}
        subprocess.run([_go(), "install", f"{package}@{version}"], env=environment, check=True)
    return str(program)


def _go() -> str:
    found = shutil.which("go")
    if found is None:
        sys.exit("the peers that are written in Go are built from source: put `go` on PATH")
    return found


def _folder() -> Path:
    chosen = os.environ.get("WINDLASS_CACHE")
    return (Path(chosen).absolute() if chosen else Path.home() / ".cache" / "windlass") / "benchmarks"
