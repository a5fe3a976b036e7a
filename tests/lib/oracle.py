"""The API machinery of Kubernetes itself, as a program that answers questions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCE = Path(__file__).resolve().parents[1] / "oracle"


def build(into: Path, source: Path = SOURCE) -> Path:
    """The program, built from its source; Go remembers what it has built."""
    program = into / "oracle"
    done = subprocess.run(
        ["go", "build", "-mod=readonly", "-o", program, "."],
        cwd=source,
        env={**os.environ, "GOFLAGS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return program


def ask(program: Path, questions: Sequence[Any]) -> list[Any]:
    """An answer to each question."""
    lines = b"".join(orjson.dumps(question) + b"\n" for question in questions)
    done = subprocess.run([program], input=lines, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    answers = [orjson.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(questions)
    return answers
