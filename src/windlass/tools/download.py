"""Official releases, verified against the checksums that are published with them."""

from __future__ import annotations

import hashlib
import sys
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from windlass.errors import ToolError
from windlass.tools import fetch
from windlass.tools.archive import extract, published_checksum
from windlass.tools.process import Child, run
from windlass.tools.program import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windlass.tools.program import Platform, Program
    from windlass.tools.progress import Progress

PATIENCE = timedelta(seconds=4)
"""How long one run may spend, in all, on finding out that there is no way to the releases."""


class Downloads:
    """The downloads of one run. A host out of reach is asked once, and all such hosts within `patience`."""

    def __init__(
        self, env: Mapping[str, str], progress: Progress, platform: Platform, patience: timedelta = PATIENCE
    ) -> None:
        self._env = env
        self._progress = progress
        self._platform = platform
        self._patience = patience
        self._closed: dict[str, str] = {}

    def download(self, program: Program, work: Path) -> Path:
        """Download the program into the folder `work`, and return its file there.

        Raises:
            UnavailableError: there is no way to it, or it is not published for this platform.
            ToolError: what was downloaded is not what was published.
        """
        url = program.fill(program.release.url, self._platform)
        published = self._checksum(program, url.rpartition("/")[2], work)
        self._progress.say(f"{program}: downloading {url}")
        file = work / "download"
        try:
            self._fetch(url, file, f"{program}: still downloading")
        except ConnectionError as error:
            raise UnavailableError(f"{url}: {error}") from error
        with file.open("rb") as stream:
            actual = hashlib.file_digest(stream, "sha256").hexdigest()
        if actual != published:
            raise ToolError(
                f"{program} was not installed: {url} has the SHA-256 sum {actual},"
                f" but {published} is published for it."
                " Try again later; if it stays so, something on the way to you changes files."
            )
        if not program.release.member:
            return file
        binary = work / program.name
        extract(file, program.fill(program.release.member, self._platform), binary)
        return binary

    def _checksum(self, program: Program, file_name: str, work: Path) -> str:
        """The published checksum. It is small: asking for it also shows whether there is a way out at all."""
        url = program.fill(program.release.checksums, self._platform)
        file = work / "checksums"
        self._knock(url, file, f"{program}: still asking for its checksum")
        checksum = published_checksum(file.read_text(encoding="utf-8", errors="replace"), file_name)
        if checksum is None:
            raise UnavailableError(f"{url} holds no checksum for {file_name}")
        return checksum

    def _knock(self, url: str, file: Path, doing: str) -> None:
        """Fetch something small, with the patience that is left, unless its host is known to be closed."""
        host = urlsplit(url).netloc
        if host in self._closed:
            raise UnavailableError(self._closed[host])
        if not self._patience:
            raise UnavailableError("there is no way out")
        began = self._progress.elapsed
        try:
            self._fetch(url, file, doing, limit=self._patience)
        except TimeoutError as error:
            raise self._close(
                host, f"no answer within {self._patience.total_seconds():.1f} s", began
            ) from error
        except ConnectionError as error:
            raise self._close(host, str(error), began) from error

    def _close(self, host: str, reason: str, began: timedelta) -> UnavailableError:
        self._patience = max(self._patience - (self._progress.elapsed - began), timedelta())
        self._closed[host] = f"there is no way to {host} ({reason})"
        return UnavailableError(self._closed[host])

    def _fetch(self, url: str, file: Path, doing: str, limit: timedelta | None = None) -> None:
        child = Child(
            argv=(sys.executable, "-I", fetch.__file__, url, str(file)),
            env=self._env,
            cwd=file.parent,
            output=file.with_suffix(".out"),
            log=file.with_suffix(".log"),
        )

        def alive() -> None:
            size = file.stat().st_size if file.exists() else 0
            self._progress.still(f"{doing} ({size / 1e6:.1f} MB so far)")

        code = run(child, alive, pulse=self._progress.beat, limit=limit)
        if code == fetch.REFUSED:
            raise UnavailableError(f"{url}: {child.last_words()}")
        if code != 0:
            raise ConnectionError(child.last_words() or f"exit code {code}")
