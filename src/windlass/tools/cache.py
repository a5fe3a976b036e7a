"""The folder that keeps what was downloaded or built: `<cache>/tools/<name>-<version>/<name>`.

A program appears in it whole or not at all: it is made in a folder of its own beside its final place, written
to disk, and renamed. Whoever makes one holds a lock on its name and version, which the kernel takes back when
the holder dies, however it dies; the next holder clears away what was left unfinished.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from windlass.tools.program import Program
    from windlass.tools.progress import Progress

_UNFINISHED = ".unfinished-"
_LOCK_POLL_SECONDS = 0.1


def cache_folder(env: Mapping[str, str]) -> Path:
    """Return the folder of everything that Windlass caches. A relative `XDG_CACHE_HOME` is ignored."""
    if chosen := env.get("WINDLASS_CACHE"):
        return Path(chosen).absolute()
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    shared = Path(env.get("XDG_CACHE_HOME", ""))
    return (shared if shared.is_absolute() else home / ".cache") / "windlass"


class Cache:
    """Finished programs, and the means to add one."""

    def __init__(self, folder: Path) -> None:
        self._tools = folder / "tools"

    @classmethod
    def of(cls, env: Mapping[str, str]) -> Cache:
        """The cache that this environment names, or the usual one."""
        return cls(cache_folder(env))

    def path(self, program: Program) -> Path:
        """Where this program is, once it is there."""
        return self._folder(program) / program.name

    @contextmanager
    def exclusive(self, program: Program, progress: Progress) -> Iterator[None]:
        """Keep every other process from making this program. Waits for its turn, and says so."""
        import fcntl  # absent on Windows, where programs can be found but not installed

        self._tools.mkdir(parents=True, exist_ok=True)
        with self._lock_file(program).open("a+b") as lock:
            told = False
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    text = f"waiting for {_holder(lock)}, which is installing it"
                    (progress.still if told else progress.say)(f"{program}: {text}")
                    told = True
                # Polled, as a blocking flock gives no chance for a sign of life.
                time.sleep(_LOCK_POLL_SECONDS)
            lock.truncate(0)
            lock.write(str(os.getpid()).encode())
            lock.flush()
            yield

    @contextmanager
    def workshop(self, program: Program) -> Iterator[Path]:
        """A folder to make the program in, gone afterwards. Only for the holder of the lock."""
        folder = self._folder(program)
        folder.mkdir(exist_ok=True)
        for leftover in folder.glob(f"{_UNFINISHED}*"):
            # The orphan of a killed installation may still write here; what escapes now goes the next time.
            shutil.rmtree(leftover, ignore_errors=True)
        work = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder))
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)
            with suppress(OSError):
                folder.rmdir()  # only when nothing was made

    def publish(self, program: Program, made: Path) -> Path:
        """Move a program from the workshop to its place, in one step that outlives a power cut."""
        made.chmod(0o755)
        _write_to_disk(made)
        path = self.path(program)
        made.replace(path)
        _write_to_disk(path.parent)
        return path

    def _folder(self, program: Program) -> Path:
        return self._tools / f"{program.name}-{program.version}"

    def _lock_file(self, program: Program) -> Path:
        return self._tools / f"{program.name}-{program.version}.lock"


def _holder(lock: BinaryIO) -> str:
    lock.seek(0)
    pid = lock.read(20).decode(errors="replace")
    return f"process {pid}" if pid.isdigit() else "another process"


def _write_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
