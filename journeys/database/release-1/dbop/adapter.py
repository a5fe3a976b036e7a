"""Where backups are kept."""

import shutil
from pathlib import Path
from typing import Protocol


class BackupStore(Protocol):
    """The backups of databases, by the databases' uids."""

    async def exists(self, uid: str) -> bool:
        """Whether there is a place for the backups of a database."""

    async def create(self, uid: str) -> None:
        """Make the place; it may be there already."""

    async def delete(self, uid: str) -> None:
        """Delete all backups of a database; there may be none."""


class FolderStore(BackupStore):
    """Backups in a folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def exists(self, uid: str) -> bool:
        return (self.folder / uid).is_dir()

    async def create(self, uid: str) -> None:
        (self.folder / uid).mkdir(parents=True, exist_ok=True)

    async def delete(self, uid: str) -> None:
        shutil.rmtree(self.folder / uid, ignore_errors=True)
