from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from windlass.api import SecretValues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.testing.simulation.loop import SimulatedLoop


class Entry(NamedTuple):
    """Something that happened: when, to whom, what, and the rest of it."""

    at: float
    who: str
    what: str
    about: str

    def __str__(self) -> str:
        return f"{self.at:10.3f}  {self.who:<12} {self.what:<10} {self.about}".rstrip()


class Trace:
    """What happened in a simulation, in order; two runs of one seed have the same, to the last byte.

    The values of Secrets are masked: of those that were stored, and of what else is noted in `secrets`.
    """

    def __init__(self, loop: SimulatedLoop) -> None:
        self.secrets = SecretValues()
        self._loop = loop
        self._entries: list[Entry] = []

    def add(self, who: str, what: str, about: str = "") -> None:
        """Something happened; what is cleaned up after the end did not."""
        if self._loop.is_running():
            self._entries.append(Entry(self._loop.time(), who, what, about))

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        mask = self.secrets.mask
        return (each._replace(what=mask(each.what), about=mask(each.about)) for each in self._entries)

    def end(self, count: int) -> str:
        """The last lines, without those of an election that goes its way."""
        worth = [each for each in self if "leases/operator" not in each.about]
        return "\n".join(map(str, worth[-count:]))

    @property
    def digest(self) -> str:
        """The SHA-256 of all lines."""
        digest = sha256()
        for entry in self:
            digest.update(f"{entry}\n".encode())
        return digest.hexdigest()

    def __str__(self) -> str:
        return "\n".join(map(str, self))
