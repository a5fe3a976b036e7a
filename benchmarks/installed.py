"""Windlass as it is once installed."""

import compileall
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import windlass


@contextmanager
def installed() -> Iterator[dict[str, str]]:
    """The environment of a process that finds a copy of Windlass with its bytecode.

    The peers have theirs, which pip compiled. In a checkout it may be missing, stale, or unwritable.
    """
    package = Path(windlass.__file__).parent
    with TemporaryDirectory() as folder:
        copy = Path(folder, package.name)
        shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(copy, quiet=2)
        yield {**os.environ, "PYTHONPATH": folder}
