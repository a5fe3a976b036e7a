"""A temporary folder that goes with its process, also if that was killed."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

_PREFIX: Final = "windlass-charts-"


class ProcessFolder:
    """A folder of this process, and the end of those whose processes are gone.

    A process locks its folder (`flock`), which the kernel undoes when it ends, however it ends. What is not
    locked has no process any more, and is removed when the next folder is made.
    """

    def __init__(self) -> None:
        self._lock = -1
        while self._lock < 0:
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
            self._lock = _locked(self.path)
        _remove_abandoned(self.path.parent)

    def remove(self) -> None:
        """Remove the folder with all that is in it; doing so twice is no fault."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _locked(folder: Path) -> int:
    """Lock a folder of this user; returns its descriptor, or -1 if another process has it or removed it."""
    if sys.platform == "win32":
        return os.open(os.devnull, os.O_RDONLY)  # it has no locks of folders
    import fcntl  # not on Windows

    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return -1
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        found = os.fstat(descriptor)
        if found.st_uid == os.getuid() and os.path.samestat(found, folder.lstat()):
            return descriptor
    os.close(descriptor)
    return -1


def _remove_abandoned(folder: Path) -> None:
    if sys.platform == "win32":
        return
    for each in folder.glob(f"{_PREFIX}*"):
        descriptor = _locked(each)  # our own is locked
        if descriptor >= 0:
            shutil.rmtree(each, ignore_errors=True)
            os.close(descriptor)
