"""Reading what release pages publish: lists of checksums, and archives with one program of interest."""

from __future__ import annotations

import re
import shutil
import tarfile
import zipfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from windlass.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SHA256 = re.compile(r"[0-9a-f]{64}")


def published_checksum(text: str, file_name: str) -> str | None:
    """The SHA-256 sum of a file: the only word of the text, or the one on the line that ends in its name."""
    for line in text.splitlines():
        match line.split():
            case [checksum] if _SHA256.fullmatch(checksum.lower()):
                return checksum.lower()
            case [checksum, name] if name.lstrip("*").rpartition("/")[2] == file_name:
                return checksum.lower() if _SHA256.fullmatch(checksum.lower()) else None
            case _:
                pass
    return None


def extract(archive: Path, member: str, target: Path) -> None:
    """Copy one member of a tar or zip archive into the file `target`.

    Raises:
        ToolError: this is no such archive, or it has no such member.
    """
    try:
        with _opened(archive, member) as stream, target.open("wb") as file:
            shutil.copyfileobj(stream, file)
    except (KeyError, EOFError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise ToolError(f"the archive that was downloaded has no {member} in it ({error})") from error


@contextmanager
def _opened(archive: Path, member: str) -> Iterator[IO[bytes]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed, packed.open(member) as stream:
            yield stream
        return
    with tarfile.open(archive) as packed_tar:
        tar_stream = packed_tar.extractfile(member)
        if tar_stream is None:
            raise KeyError(f"{member} is not a file")
        with tar_stream:
            yield tar_stream
