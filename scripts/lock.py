"""Pin every dependency group with hashes for all supported Pythons, naming no index address.

Needs `uv` (any recent version) beside it; `make lock` runs it.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {
    "dev": ["--group", "dev", "--extra", "test"],
    "docs": ["--group", "docs", "--constraint", "requirements/dev.txt"],
    "bench": ["--group", "dev", "--group", "bench"],
    "clients": ["--group", "clients", "--constraint", "requirements/dev.txt"],
}


def lock(name: str, arguments: list[str]) -> None:
    """Write `requirements/<name>.txt`."""
    output = f"requirements/{name}.txt"
    subprocess.run(
        [
            "uv", "pip", "compile", "pyproject.toml", *arguments,
            "--universal", "--python-version", "3.11", "--generate-hashes",
            "--no-emit-index-url", "--no-emit-find-links", "--no-header", "--quiet",
            "--output-file", output, *sys.argv[1:],
        ],
        cwd=ROOT,
        check=True,
    )  # fmt: skip


for group, options in LOCKS.items():
    lock(group, options)
