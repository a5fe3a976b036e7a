"""The files of a chart, from a folder or from an archive."""

from __future__ import annotations

import gzip
import os
import tarfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Final, Self

from typing_extensions import override

from windlass.errors import ChartError
from windlass.helm.ignore import FILE, Ignored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LARGEST: Final = 32 * 2**20  # unpacked; Helm stores a chart in a Secret of 1 MiB, packed
_MOST_FILES: Final = 10_000
_DEEPEST: Final = 4  # archives in archives
_LARGEST_HEADER: Final = (
    4096  # of those with long names and attributes, which tarfile reads in quadratic time
)
_HEADER_WEIGHT: Final = 8
_HEADERS: Final = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_ARCHIVES: Final = (".tgz", ".tar.gz")

Files = dict[str, bytes]
Stamp = tuple[tuple[str, int, int, int], ...]


@dataclass
class _Budget:
    """How much a chart may still unpack to, with all archives in it."""

    chart: str
    size: int = _LARGEST
    files: int = _MOST_FILES

    def take(self, size: int, files: int = 1) -> None:
        """Count files before they are read.

        Raises:
            ChartError: they are more than the chart may have.
        """
        self.size -= size
        self.files -= files
        if self.size < 0:
            raise ChartError(f"chart {self.chart} is larger than {_LARGEST >> 20} MiB unpacked")
        if self.files < 0:
            raise ChartError(f"chart {self.chart} has more than {_MOST_FILES} files")


def read_files(path: Path, label: str = "") -> Files:
    """Every file that is part of a chart, by its path within; messages call the chart `label`, or its path.

    Raises:
        ChartError: there is no such chart, or a file of it cannot be read.
    """
    label = label or str(path)
    with _translated(path, label):
        if path.is_dir():
            return _folder(path, label)
        with path.open("rb") as file:
            return _unpacked(file, label, _Budget(label))


def texts(files: Mapping[str, bytes], chart: Path | str) -> Iterator[tuple[str, str]]:
    """Every file as text, with those of archived subcharts; prose in Markdown is left out.

    Raises:
        ChartError: a subchart is no archive, or the chart with its subcharts is too large.
    """
    budget = _Budget(f"{chart}")
    budget.take(sum(map(len, files.values())), len(files))
    yield from _texts(files, chart, budget, 0)


def _texts(
    files: Mapping[str, bytes], chart: Path | str, budget: _Budget, depth: int
) -> Iterator[tuple[str, str]]:
    for name, content in files.items():
        if name.endswith(_ARCHIVES):
            if depth == _DEEPEST:
                raise ChartError(f"chart {chart} nests archives deeper than {_DEEPEST} levels")
            inner = _unpacked(BytesIO(content), f"{chart}/{name}", budget)
            yield from _texts(
                {f"{name}/{each}": held for each, held in inner.items()}, chart, budget, depth + 1
            )
        elif not name.endswith(".md"):
            yield name, content.decode(errors="replace")


def stamp(path: Path, label: str = "") -> Stamp:
    """What differs once a file was added, removed or written; nothing is opened for it.

    Messages call the chart `label`, or its path.

    Raises:
        ChartError: the folder cannot be looked at.
    """
    with _translated(path, label or str(path)):
        if path.is_dir():
            return tuple(sorted(_stamped(name, found) for name, found in _walk(path, Ignored())))
        return (_stamped(path.name, path),)


@contextmanager
def _translated(path: Path, label: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if not path.exists():
            message = f"there is no chart at {label}: name a chart's folder or its .tgz archive"
        else:
            file = Path(str(error.filename or path))
            inside = file.relative_to(path) if file.is_relative_to(path) and file != path else "it"
            message = f"chart {label}: cannot read {inside}: {error.strerror}"
        raise ChartError(message) from error


def _stamped(name: str, file: os.DirEntry[str] | Path) -> tuple[str, int, int, int]:
    found = file.stat()
    return name, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _folder(path: Path, label: str) -> Files:
    rules = path / FILE
    ignored = Ignored.parse(rules.read_text(encoding="utf-8") if rules.is_file() else "")
    files, budget = {}, _Budget(label)
    for name, entry in sorted(_walk(path, ignored), key=lambda each: each[0]):
        budget.take(entry.stat().st_size)
        files[name] = Path(entry.path).read_bytes()
    return files


def _walk(folder: Path, ignored: Ignored) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Files below a folder, links followed; a link back to where it lies is not."""
    pending: list[tuple[str, str, frozenset[str]]] = [(str(folder), "", frozenset())]
    while pending:
        path, prefix, above = pending.pop()
        with os.scandir(path) as entries:
            for entry in entries:
                name, is_folder = prefix + entry.name, entry.is_dir()
                if ignored.covers(name, is_folder=is_folder):
                    continue
                if not is_folder:
                    yield name, entry
                    continue
                real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
                if real not in above and not _contains(real, path):
                    pending.append((entry.path, f"{name}/", above | {real}))


def _contains(folder: str, path: str) -> bool:
    """Whether a folder is one that the path lies in."""
    return f"{os.path.realpath(path)}/".startswith(f"{folder}/")


def _unpacked(content: IO[bytes], name: str, budget: _Budget) -> Files:
    """The files of an archive; all of them lie in one folder, which is named for the chart."""
    try:
        packed = gzip.GzipFile(fileobj=content).read(budget.size + 1)
        if len(packed) > budget.size:
            budget.take(len(packed))
        with tarfile.open(fileobj=BytesIO(packed), tarinfo=_checked(name, budget)) as archive:
            files = dict(_members(archive, name, budget))
    except (gzip.BadGzipFile, EOFError, zlib.error, tarfile.TarError, ValueError, RecursionError) as error:
        raise ChartError(f"chart {name} is no .tgz archive: {error}") from error
    return dict(sorted(files.items()))


def _checked(name: str, budget: _Budget) -> type[tarfile.TarInfo]:
    """Members that are checked and counted before tarfile reads what belongs to them."""

    class Member(tarfile.TarInfo):
        @classmethod
        @override
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            member = super().frombuf(buf, encoding, errors)
            is_header = member.type in _HEADERS
            if member.type == tarfile.GNUTYPE_SPARSE:
                raise ChartError(f"chart {name} has a sparse file: charts have none")
            if member.size < 0 or (is_header and member.size > _LARGEST_HEADER):
                raise ChartError(
                    f"chart {name}: a file has a damaged size, or attributes over {_LARGEST_HEADER} bytes"
                )
            budget.take(member.size * _HEADER_WEIGHT if is_header else 0)
            return member

    return Member


def _members(archive: tarfile.TarFile, name: str, budget: _Budget) -> Iterator[tuple[str, bytes]]:
    for member in archive:
        if member.issparse() or member.size < 0:  # attributes can make it so
            raise ChartError(f"chart {name} has a sparse file or a damaged size: charts have none")
        budget.take(member.size, 0)
        if not (member.isreg() or member.isdir()):
            raise ChartError(
                f"chart {name} has the link or special file {member.name}, which Helm takes for an empty "
                "file; put a regular file in its place, as helm package does"
            )
        if member.isreg() and (opened := archive.extractfile(member)):
            yield PurePosixPath(*PurePosixPath(member.name).parts[1:]).as_posix(), opened.read()
