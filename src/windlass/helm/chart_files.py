"""The files of a chart, from a folder or from an archive."""

from __future__ import annotations

import gzip
import os
import tarfile
import zlib
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from windlass.errors import ChartError
from windlass.helm.ignore import FILE, Ignored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LARGEST: Final = 100 * 2**20  # what Helm takes, unpacked
_ARCHIVES: Final = (".tgz", ".tar.gz")

Files = dict[str, bytes]
Stamp = tuple[tuple[str, int, int, int], ...]


def read_files(path: Path) -> Files:
    """Every file that is part of a chart, by its path within.

    Raises:
        ChartError: there is no such chart, or a file of it cannot be read.
    """
    with _translated(path):
        return _folder(path) if path.is_dir() else _unpacked(path.read_bytes(), f"{path}")


def texts(files: Mapping[str, bytes], chart: Path) -> Iterator[tuple[str, str]]:
    """Every file as text, with those of archived subcharts; prose in Markdown is left out.

    Raises:
        ChartError: a subchart is no archive.
    """
    for name, content in files.items():
        if name.endswith(_ARCHIVES):
            inner = _unpacked(content, f"{chart / name}")
            yield from texts({f"{name}/{each}": held for each, held in inner.items()}, chart)
        elif not name.endswith(".md"):
            yield name, content.decode(errors="replace")


def stamp(path: Path) -> Stamp:
    """What differs once a file was added, removed or written; nothing is opened for it.

    Raises:
        ChartError: the folder cannot be looked at.
    """
    with _translated(path):
        if path.is_dir():
            return tuple(sorted(_stamped(name, found) for name, found in _walk(path, Ignored())))
        return (_stamped(path.name, path),)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if not path.exists():
            message = f"there is no chart at {path}: name a chart's folder or its .tgz archive"
        else:
            message = f"chart {path}: cannot read {error.filename or path}: {error.strerror}"
        raise ChartError(message) from error


def _stamped(name: str, file: os.DirEntry[str] | Path) -> tuple[str, int, int, int]:
    found = file.stat()
    return name, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _folder(path: Path) -> Files:
    rules = path / FILE
    ignored = Ignored.parse(rules.read_text(encoding="utf-8") if rules.is_file() else "")
    files, size = {}, 0
    for name, entry in sorted(_walk(path, ignored), key=lambda each: each[0]):
        size += entry.stat().st_size
        if size > _LARGEST:
            raise ChartError(f"chart {path} is larger than the {_LARGEST >> 20} MiB that Helm takes")
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


def _unpacked(content: bytes, name: str) -> Files:
    """The files of an archive; all of them lie in one folder, which is named for the chart."""
    try:
        packed = gzip.GzipFile(fileobj=BytesIO(content)).read(_LARGEST + 1)
        if len(packed) > _LARGEST:
            raise ChartError(f"chart {name} is larger than the {_LARGEST >> 20} MiB that Helm takes")
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            files = {
                PurePosixPath(*PurePosixPath(member.name).parts[1:]).as_posix(): opened.read()
                for member in archive
                if member.isfile() and (opened := archive.extractfile(member))
            }
    except (gzip.BadGzipFile, EOFError, zlib.error, tarfile.TarError) as error:
        raise ChartError(f"chart {name} is no .tgz archive: {error}") from error
    return dict(sorted(files.items()))
