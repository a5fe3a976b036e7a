"""The operator of `scenario`, as a file for `windlass run`; what it rents is written down in a file of its own.

The environment variable `RENTS` names that file: a line for each thing that was rented or given back.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from scenario import Outside, Renting

if TYPE_CHECKING:
    from windlass.manager import Manager


class OutsideOnDisk(Outside):
    """A service that remembers what it did, whatever becomes of the process that asked for it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        file.touch()
        self.read()

    def read(self) -> None:
        """See what was done so far, by whichever process."""
        done = [line.split() for line in self._file.read_text().splitlines()]
        self.rents = Counter(uid for what, uid in done if what == "rent")
        self.returns = Counter(uid for what, uid in done if what == "return")
        self.rented = set(self.rents - self.returns)

    @override
    async def rent(self, uid: str) -> None:
        await super().rent(uid)
        self._write("rent", uid)
        await asyncio.sleep(0)

    @override
    async def give_back(self, uid: str) -> None:
        if uid in self.rented:
            self._write("return", uid)
        await super().give_back(uid)

    def _write(self, what: str, uid: str) -> None:
        with self._file.open("a") as file:
            file.write(f"{what} {uid}\n")


def add_to(manager: Manager) -> None:
    """Add the one reconciler."""
    manager.add(Renting(OutsideOnDisk(Path(os.environ["RENTS"]))))
