"""Archives of charts on disk, each under the digest of its content."""

from __future__ import annotations

import asyncio
import os
import tempfile
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, ParamSpec, TypeVar

from windlass.errors import ChartError
from windlass.helm.source.folder import ProcessFolder
from windlass.helm.source.origin import plain_digest
from windlass.helm.source.policy import shown
from windlass.helm.source.shelf import LARGEST_CHART, Shelf

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from windlass.aio import Clock
    from windlass.helm.chart import Chart
    from windlass.helm.source.origin import Located, Wanted
    from windlass.helm.source.shelf import CacheLimits

    Write = Callable[[bytes], None]
    Read = Callable[[Path, Wanted, str], Chart]

P = ParamSpec("P")
T = TypeVar("T")

_MOST_IN_FLIGHT: Final = 128 * 2**20  # on disk, while it is downloaded: six indexes of 20 MiB
_REFUSED_SECONDS: Final = 600.0
_MOST_REFUSED: Final = 512


class _UnfitError(ChartError):
    """What was downloaded is too large, another file, or no chart: downloading it again is in vain."""


class _Refused(NamedTuple):
    message: str
    until: float


class ChartCache:
    """Keeps archives by origin, credentials and digest. Without a folder it makes one, which goes with it.

    A digest alone is not enough to be given an archive: a tenant who knows the digest of a private chart, and
    lists it in an index of their own, must not get the copy that was fetched with other credentials.

    Downloads go to disk piece by piece. An archive is checked before it is kept, and one that fails is not
    downloaded again for ten minutes. The folder that it makes is bounded by its limits; one that it is given
    belongs to the caller. `read` reads the chart in an archive, and checks that it is the one that is wanted.
    """

    def __init__(self, folder: Path | None, read: Read, clock: Clock) -> None:
        self._folder = folder
        self._is_bounded = folder is None
        self._read = read
        self._clock = clock
        self._shelf = Shelf()
        self._refused: dict[tuple[str, str, str], _Refused] = {}
        self._in_flight = 0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="windlass-charts")

    def limit(self, limits: CacheLimits) -> None:
        """Keep no more than this."""
        self._shelf.limits = limits if self._is_bounded else None

    @property
    def folder(self) -> Path:
        """The folder of the archives; made on first use."""
        if self._folder is None:
            own = ProcessFolder()
            self._folder = own.path
            weakref.finalize(self, own.remove)
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder

    async def aside(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call what takes much time and memory in a thread; one at a time, so that its memory is bounded."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: call(*args, **kwargs))

    def use(self, chart: Chart) -> None:
        """Keep the archive of a chart for as long as the current task uses no other one."""
        self._shelf.use(chart.path)

    async def kept(self, wanted: Wanted) -> Chart | None:
        """Return the chart of the digest that is wanted, if it was fetched before.

        Raises:
            ChartError: it is no digest, or the chart is another one.
        """
        digest = plain_digest(wanted.digest, shown(wanted.origin))
        alias = self.folder / wanted.scope / f"{digest}.of"
        found = await self._kept(wanted, digest, wanted.version)
        if found is None and alias.is_file():
            return await self._kept(wanted, alias.read_text(), wanted.version)
        return found

    def name_also(self, wanted: Wanted, digest: str, chart: Chart) -> None:
        """Let an archive be found by another digest too: that of the manifest which names it."""
        alias = self.folder / wanted.scope / f"{digest}.of"
        alias.write_text(chart.path.stem)
        self._shelf.note_alias(chart.path, alias)

    async def chart(
        self, wanted: Wanted, found: Located, download: Callable[[Write], Awaitable[None]]
    ) -> Chart:
        """Return the chart in an archive, which is downloaded if it is not there.

        Without a digest, it is whatever is downloaded, if the policy allows that.

        Raises:
            ChartRefusedError: there is no digest, and the policy demands one.
            ChartError: what was downloaded has another digest, is too large, or is not the chart; or there is
                no room for it.
        """
        expected = plain_digest(found.digest, shown(found.url))
        wanted.policy.check_digest(found.url, expected)
        if expected and (kept := await self._kept(wanted, expected, found.version)):
            return kept
        attempt = (wanted.scope, found.url, expected)
        self._check_refused(attempt)
        too_large = (
            f"{shown(found.url)} is larger than {LARGEST_CHART >> 20} MiB, which no packed chart may be"
        )
        try:
            with self.part(LARGEST_CHART, too_large, wanted.scope) as part:
                await download(part.write)
                return await self._checked(wanted, found, part)
        except _UnfitError as error:
            self._refuse(attempt, error)
            raise

    @contextmanager
    def part(self, limit: int, too_large: str, scope: str = "") -> Iterator[Part]:
        """A file to download into, which is removed in the end unless it was moved away."""
        folder = self.folder / scope
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as file:
            part = Part(Path(name), file, limit, too_large, self._count)
            try:
                yield part
            finally:
                self._in_flight -= part.size
                part.path.unlink(missing_ok=True)

    async def _checked(self, wanted: Wanted, found: Located, part: Part) -> Chart:
        """Return the chart that was downloaded, moved to its place."""
        expected, digest = plain_digest(found.digest, shown(found.url)), part.digest.hexdigest()
        if expected and digest != expected:
            raise _UnfitError(
                f"{shown(found.url)} has the digest {digest}, not {expected}: it was changed or damaged"
            )
        try:
            chart = await self.aside(self._read, part.path, wanted, wanted.described(found.version))
        except ChartError as error:
            raise _UnfitError(str(error)) from error
        path = part.path.with_name(f"{digest}.tgz")
        self._shelf.add(path, part.size, wanted.tenant)
        part.path.replace(path)
        self._shelf.use(path)
        return replace(chart, path=path)

    async def _kept(self, wanted: Wanted, digest: str, version: str) -> Chart | None:
        """The chart in the archive of a digest, unless it is missing or damaged."""
        path = self.folder / wanted.scope / f"{digest}.tgz"
        if not path.is_file():
            return None
        self._shelf.use(path)
        if await self.aside(_digest, path) != digest:
            return None
        return await self.aside(self._read, path, wanted, wanted.described(version))

    def _count(self, size: int) -> None:
        if self._in_flight + size > _MOST_IN_FLIGHT:
            raise ChartError(f"more than {_MOST_IN_FLIGHT >> 20} MiB of charts are being downloaded at once")
        self._in_flight += size

    def _check_refused(self, attempt: tuple[str, str, str]) -> None:
        refused = self._refused.get(attempt)
        if refused is not None and self._clock.monotonic() < refused.until:
            raise ChartError(refused.message)

    def _refuse(self, attempt: tuple[str, str, str], error: ChartError) -> None:
        self._refused.pop(attempt, None)
        self._refused[attempt] = _Refused(str(error), self._clock.monotonic() + _REFUSED_SECONDS)
        if len(self._refused) > _MOST_REFUSED:
            del self._refused[next(iter(self._refused))]


class Part:
    """A file while it is downloaded, with its size and its digest; what is larger than `limit` is refused."""

    def __init__(
        self, path: Path, file: BinaryIO, limit: int, too_large: str, count: Callable[[int], None]
    ) -> None:
        self.path = path
        self.size = 0
        self.digest = sha256()
        self._file = file
        self._limit = limit
        self._too_large = too_large
        self._count = count

    def write(self, piece: bytes) -> None:
        """Add a piece.

        Raises:
            ChartError: the file is too large, or too much is downloaded at once.
        """
        if self.size + len(piece) > self._limit:
            raise _UnfitError(self._too_large)
        self._count(len(piece))
        self.size += len(piece)
        self.digest.update(piece)
        self._file.write(piece)
        self._file.flush()  # it is read by its path


def _digest(path: Path) -> str:
    """The digest of a file; empty if it is gone."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""
