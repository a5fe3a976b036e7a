"""Looking for a program where nothing has to be done to get it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from windlass.tools.cache import Cache
from windlass.tools.program import Found, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from windlass.tools.program import Program

_VERSION = re.compile(r"(?<![\w.])v?(\d+\.\d+(?:\.\d+)?)")


def search(program: Program, env: Mapping[str, str], notice: Callable[[str], None]) -> Found | None:
    """The program from the environment if it is of the right series, else from the cache.

    `notice` is told of each file of the right name that is passed over, and why.
    """
    for origin, path in _candidates(program.name, env):
        try:
            version = version_of(program, path, env)
        except OSError as error:
            notice(f"{program}: passed over {path}: it cannot be run ({error})")
            continue
        if program.serves(version):
            return Found(program, version, path, origin)
        said = version or "silent about its version"
        notice(f"{program}: passed over {path}: it is {said}, and {program.series} is needed")
    cached = Cache.of(env).path(program)
    return Found(program, program.version, cached, Origin.CACHE) if is_program(cached) else None


def version_of(program: Program, path: Path, env: Mapping[str, str]) -> str:
    """The version that a program says it has; empty when it says none.

    Raises:
        OSError: it cannot be run, or does not answer (`TimeoutError`).
    """
    from windlass.tools.process import ask  # most programs come from the cache, which needs no subprocess

    said = _VERSION.search(ask([str(path), *program.version_arguments], env))
    return said[1] if said else ""


def is_program(path: Path) -> bool:
    """Whether this is a file that may be run."""
    return path.is_file() and os.access(path, os.X_OK)


def _candidates(name: str, env: Mapping[str, str]) -> Iterator[tuple[Origin, Path]]:
    """Every file of this name, in the order of preference. Empty and relative folders are never searched."""
    folders = [(Origin.ASSETS, env.get("KUBEBUILDER_ASSETS", ""))]
    folders += [(Origin.PATH, folder) for folder in env.get("PATH", "").split(os.pathsep)]
    seen = set()
    for origin, folder in folders:
        path = Path(folder, name)
        if path.is_absolute() and is_program(path) and (real := path.resolve()) not in seen:
            seen.add(real)
            yield origin, path
