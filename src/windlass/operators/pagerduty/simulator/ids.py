from __future__ import annotations

from string import ascii_uppercase, digits
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

_ALPHABET = ascii_uppercase + digits
_OBJECT, _DEPENDENCY, _KEY = 6, 15, 32


class Ids:
    """Identifiers like PagerDuty's, from the given chance: the same seed gives the same ones. None twice."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._given: set[str] = set()

    def next(self) -> str:
        """For an object: `P1NKFZC`."""
        return self._unused("P", _OBJECT)

    def dependency(self) -> str:
        """For a dependency between services: `DQVP7E6G0E8AC3NR`."""
        return self._unused("D", _DEPENDENCY)

    def key(self) -> str:
        """For an integration: 32 hexadecimal digits, which is what events are sent with."""
        return f"{self._random.getrandbits(4 * _KEY):0{_KEY}x}"

    def _unused(self, prefix: str, length: int) -> str:
        while True:
            made = prefix + "".join(self._random.choices(_ALPHABET, k=length))
            if made not in self._given:
                self._given.add(made)
                return made
