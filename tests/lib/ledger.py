"""What a server was asked to do and said that it has done, to be compared with what is there."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple


class State(NamedTuple):
    """An object: the number that was written into it last, and its version."""

    number: int
    version: int


class Ledger:
    """Every object, by its path, with what is known of it; each has one writer, who does one thing at a time.

    `known` is the newest state that was acknowledged; what is not there does not exist. `happened` is all that
    became of an object: the numbers that were written into it, and `gone` behind the one that it ended with.
    `findings` says in words what should not be.
    """

    def __init__(self) -> None:
        self.numbers = count(1)
        self.known: dict[str, State] = {}
        self.happened: dict[str, list[str]] = {}
        self.findings: list[str] = []
        self.acknowledged = 0
        self._open: dict[str, int | None] = {}

    def paths(self) -> list[str]:
        """Of every object that there has been, or may be."""
        return sorted(self.happened.keys() | self._open.keys())

    def ask(self, path: str, number: int | None) -> None:
        """A request is sent that writes this number; `None` for one that deletes."""
        self._open[path] = number

    def answer(self, path: str, version: int) -> None:
        """The request was answered: what it asked for is so, in this version."""
        number = self._open.pop(path)
        self.acknowledged += 1
        self._take(path, None if number is None else State(number, version))

    def compare(self, path: str, found: State | None) -> None:
        """Look at an object after the server was killed: it is as acknowledged, or as last asked for."""
        known = self.known.get(path)
        if path in self._open:
            wanted = self._open.pop(path)
            if wanted == (found.number if found else None) and wanted != (known.number if known else None):
                if known and found and found.version <= known.version:
                    self.findings.append(f"{path}: {known} became {found}, which is no newer version")
                self._take(path, found)
                return
        if known is None and found is not None:
            self.findings.append(f"{path}: nothing was acknowledged, but there is {found}")
        elif known is not None and (found is None or found.number != known.number):
            self.findings.append(f"{path}: {known} was acknowledged, but there is {found}")
        elif known and found and found.version < known.version:
            self.findings.append(f"{path}: {known} has gone back to {found}")

    def _take(self, path: str, state: State | None) -> None:
        happened = self.happened.setdefault(path, [])
        if state is None:
            happened.append(f"{self.known.pop(path).number} gone")
        else:
            self.known[path] = state
            happened.append(str(state.number))
