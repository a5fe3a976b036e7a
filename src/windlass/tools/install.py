"""Installing a program: where it is already, else downloaded, else built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.errors import ToolError
from windlass.tools.build import GoTool
from windlass.tools.cache import Cache
from windlass.tools.download import Downloads
from windlass.tools.program import Found, Origin, UnavailableError
from windlass.tools.search import is_program, search, version_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windlass.tools.program import Platform, Program
    from windlass.tools.progress import Progress


class Installer:
    """One run that installs one or several programs."""

    def __init__(self, env: Mapping[str, str], progress: Progress, platform: Platform) -> None:
        self._env = env
        self._progress = progress
        self._platform = platform
        self._cache = Cache.of(env)
        self._downloads = Downloads(env, progress, self._platform)
        self._said: set[str] = set()

    def install(self, program: Program) -> Found:
        """Find the program or make it, and return where it is.

        Safe to be called by several processes at once: one makes the program, the others wait for it.

        Raises:
            ToolError: every way to it is closed, or what was downloaded is not what was published.
        """
        found = search(program, self._env, self._progress.say)
        if found is not None:
            return found
        try:
            with self._cache.exclusive(program, self._progress):
                path = self._cache.path(program)
                if not is_program(path):
                    self._make(program)
        except OSError as error:
            raise ToolError(
                f"{program} was not installed: {error}. Another folder can be chosen with WINDLASS_CACHE."
            ) from error
        return Found(program, program.version, path, Origin.CACHE)

    def _make(self, program: Program) -> None:
        began = self._progress.elapsed
        with self._cache.workshop(program) as work:
            made = self._obtain(program, work)
            made.chmod(0o755)
            said = version_of(program, made, self._env)
            if said != program.version:
                raise ToolError(
                    f"{program} was not installed: the result says that it is {said or 'nothing'}"
                )
            path = self._cache.publish(program, made)
        took = (self._progress.elapsed - began).total_seconds()
        self._progress.say(f"{program}: installed as {path} in {took:.1f} s")

    def _obtain(self, program: Program, work: Path) -> Path:
        try:
            return self._downloads.download(program, work)
        except UnavailableError as error:
            no_download = str(error)
        # One line for a host that is out of reach, not one for each program.
        if no_download not in self._said:
            self._said.add(no_download)
            self._progress.say(f"{program}: no download: {no_download}")
        try:
            return GoTool(program, work, self._env, self._progress).build(self._platform)
        except UnavailableError as error:
            raise ToolError(_closed(program, no_download, str(error))) from error


def _closed(program: Program, no_download: str, no_build: str) -> str:
    """What was tried, and what a person can do."""
    wanted = f"{program.name} {program.series}"
    return "\n".join((
        f"{program} was not installed:",
        f"- found: neither KUBEBUILDER_ASSETS, nor PATH, nor the cache has {wanted}",
        f"- downloaded: {no_download}",
        f"- built: {no_build}",
        f"Put {wanted} on PATH; or allow the download, or put Go (https://go.dev/dl) on PATH, and run again:",
        f"windlass tools install {program.bundle}",
    ))  # fmt: skip
