"""Archives of charts on disk, each under the digest of its content."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from windlass.errors import ChartError
from windlass.helm.source.origin import plain_digest
from windlass.helm.source.policy import shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from windlass.helm.source.origin import Wanted


class ChartCache:
    """Keeps archives by origin, credentials and digest. Without a folder it makes one, which goes with it.

    A digest alone is not enough to be given an archive: a tenant who knows the digest of a private chart, and
    lists it in an index of their own, must not get the copy that was fetched with other credentials.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """The folder of the archives; made on first use."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="windlass-charts-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder

    def kept(self, wanted: Wanted) -> Path | None:
        """Return the archive of the digest that is wanted, if it was fetched before.

        Raises:
            ChartError: it is no digest.
        """
        digest = plain_digest(wanted.digest, shown(wanted.origin))
        folder = self.folder / wanted.scope
        alias = folder / f"{digest}.of"
        return _kept(folder, digest) or (_kept(folder, alias.read_text()) if alias.is_file() else None)

    def name_also(self, wanted: Wanted, digest: str, archive: Path) -> None:
        """Let an archive be found by another digest too: that of the manifest which names it."""
        (self.folder / wanted.scope / f"{digest}.of").write_text(archive.stem)

    async def archive(
        self, wanted: Wanted, url: str, digest: str, download: Callable[[], Awaitable[bytes]]
    ) -> Path:
        """Return the archive of a digest, downloaded if it is not there.

        Without a digest, it is whatever is downloaded, if the policy allows that.

        Raises:
            ChartRefusedError: there is no digest, and the policy demands one.
            ChartError: what was downloaded has another digest.
        """
        expected = plain_digest(digest, shown(url))
        wanted.policy.check_digest(url, expected)
        folder = self.folder / wanted.scope
        if expected and (kept := _kept(folder, expected)):
            return kept
        content = await download()
        found = sha256(content).hexdigest()
        if expected and found != expected:
            raise ChartError(
                f"{shown(url)} has the digest {found}, not {expected}: it was changed or damaged"
            )
        return _keep(folder, found, content)


def _kept(folder: Path, digest: str) -> Path | None:
    """The archive of a digest, unless it is missing or damaged."""
    path = folder / f"{digest}.tgz"
    is_whole = path.is_file() and sha256(path.read_bytes()).hexdigest() == digest
    return path if is_whole else None


def _keep(folder: Path, digest: str, content: bytes) -> Path:
    """Write an archive atomically."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{digest}.tgz"
    handle, part = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(part).replace(path)
    return path
