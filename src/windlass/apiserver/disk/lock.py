from __future__ import annotations

import os
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


class Lock:
    """A file that one process at a time holds. The kernel lets go of it for a process that is killed."""

    def __init__(self, file: Path) -> None:
        """Take it.

        Raises:
            ConfigError: another process has it, or this system knows no such locks.
        """
        try:
            import fcntl
        except ImportError:
            raise ConfigError("a data folder needs a system that knows flock: Linux, macOS or BSD") from None

        self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._descriptor, 20, 0).decode(errors="replace").strip()
            os.close(self._descriptor)
            raise ConfigError(
                f"{file.parent} is in use by process {holder or 'unknown'}; stop it, or choose another folder"
            ) from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let go of it. The file stays: to remove it would let two others hold a lock of its name."""
        os.close(self._descriptor)
