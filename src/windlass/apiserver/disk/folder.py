from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from windlass._collector import collector_at_rest
from windlass.apiserver.disk.database import Database
from windlass.apiserver.disk.journal import DiskJournal
from windlass.apiserver.disk.lock import Lock
from windlass.apiserver.store import Store
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

_DATABASE: Final = "objects.sqlite"
_LOCK: Final = "lock"


class Folder:
    """A folder with everything that a server must know again after its end; this process has it alone.

    `store` is the store that it holds; `path` is where its owner may put other files.
    """

    def __init__(self, path: Path, history: int = 10_000) -> None:
        """Open a folder, or make one.

        Raises:
            ConfigError: another process has it, or it cannot be used; the message says why.
        """
        self.path = path
        with ExitStack() as stack:
            self._claim(stack)
            database = Database(path / _DATABASE)
            stack.callback(database.close)
            with collector_at_rest():
                saved = database.load()
                self._journal = DiskJournal(database, saved.revision)
                self.store = Store.restored(saved, self._journal, history)
            self._held = stack.pop_all()

    async def close(self) -> None:
        """Write what is left, and let others have the folder."""
        await self._journal.close(f"{self.path} is closed")
        self.release()

    def release(self) -> None:
        """Let others have the folder at once; what was not waited for may be lost."""
        self._held.close()

    def _claim(self, stack: ExitStack) -> None:
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            stack.callback(Lock(self.path / _LOCK).release)
            (self.path / _DATABASE).touch(mode=0o600)  # SQLite would let others read it, Secrets and all
        except OSError as error:
            raise ConfigError(f"cannot use the folder {self.path}: {error.strerror}") from error
