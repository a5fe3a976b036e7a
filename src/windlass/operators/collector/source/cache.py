"""Archives of charts on disk, each under the digest of its content."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.errors import ChartError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class ChartCache:
    """Keeps archives by their digests. Without a folder it makes one, which goes with it."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """Where the archives lie; made when it is first asked for."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="windlass-charts-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder

    async def archive(self, url: str, digest: str, download: Callable[[], Awaitable[bytes]]) -> Path:
        """The archive of a digest, downloaded if it is not there; without a digest, whatever is downloaded.

        Raises:
            ChartError: what was downloaded has another digest.
        """
        wanted = digest.removeprefix("sha256:").lower()
        if wanted and not _SHA256.fullmatch(wanted):  # it becomes the name of a file
            raise ChartError(f"{url} is listed with a digest that is none of SHA-256")
        if wanted and (kept := self._kept(wanted)):
            return kept
        content = await download()
        found = sha256(content).hexdigest()
        if wanted and found != wanted:
            raise ChartError(f"{url} is not what its repository lists: its digest is {found}, not {wanted}")
        return self._keep(found, content)

    def _kept(self, digest: str) -> Path | None:
        """The archive of a digest, unless it is missing or damaged."""
        path = self.folder / f"{digest}.tgz"
        is_whole = path.is_file() and sha256(path.read_bytes()).hexdigest() == digest
        return path if is_whole else None

    def _keep(self, digest: str, content: bytes) -> Path:
        """Write an archive so that nobody ever sees half of it."""
        path = self.folder / f"{digest}.tgz"
        handle, part = tempfile.mkstemp(dir=self.folder)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(part).replace(path)
        return path
