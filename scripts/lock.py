"""Pin every dependency group with hashes for all supported Pythons, naming no index address.

Needs `uv` (any recent version) beside it; `make lock` runs it.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PROJECT = "pyproject.toml"
_AS_DEVELOPED = ["--constraint", "requirements/dev.txt"]
LOCKS = {
    "dev": [_PROJECT, "--group", "dev", "--extra", "test"],
    "run": [_PROJECT, *_AS_DEVELOPED],
    "build": ["--group", "build", *_AS_DEVELOPED],
    "docs": [_PROJECT, "--group", "docs", *_AS_DEVELOPED],
    "bench": [_PROJECT, "--group", "dev", "--group", "bench"],
    "clients": [_PROJECT, "--group", "clients", *_AS_DEVELOPED],
}


def lock(name: str, arguments: list[str]) -> None:
    """Write `requirements/<name>.txt`."""
    output = f"requirements/{name}.txt"
    subprocess.run(
        [
            "uv", "pip", "compile", *arguments,
            "--universal", "--python-version", "3.11", "--generate-hashes",
            "--no-emit-index-url", "--no-emit-find-links", "--no-header", "--quiet",
            "--output-file", output, *sys.argv[1:],
        ],
        cwd=ROOT,
        check=True,
    )  # fmt: skip


for group, options in LOCKS.items():
    lock(group, options)
