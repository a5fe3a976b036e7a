from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WHOLE = 1 << 64


class Chance:
    """Everything that a seed decides, each decision drawn by its own name: leaving one out moves no other.

    A decision is named by its kind, by what it is about, and by how many of these came before. `only` names
    the disturbances that may happen, when a failing seed is shrunk; `calm` ends them all.
    """

    def __init__(self, seed: int, only: frozenset[str] | None = None) -> None:
        self.seed = seed
        self.calm = False
        self._only = only
        self._counts: Counter[tuple[str, str]] = Counter()
        self._happened: dict[str, str] = {}

    @property
    def happened(self) -> Sequence[str]:
        """The names of the disturbances that did happen, in that order."""
        return list(self._happened)

    def number(self, *name: object) -> float:
        """A number from 0 to 1 that belongs to a name."""
        text = "/".join(map(str, (self.seed, *name))).encode()
        return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") / _WHOLE

    def between(self, low: float, high: float, *name: object) -> float:
        """A number of a range that belongs to a name."""
        return low + (high - low) * self.number(*name)

    def choice(self, options: Sequence[str], *name: object) -> str:
        """One of several, by a name."""
        return options[int(self.number(*name) * len(options))]

    def next(self, kind: str, about: str) -> str:
        """The name of the next decision of a kind about something."""
        number = self._counts[kind, about]
        self._counts[kind, about] += 1
        return f"{kind} {about}" + (f" #{number}" if number else "")

    def happens(self, share: float, kind: str, about: str) -> str:
        """The name of a disturbance that happens now, to a share of all that could; empty if it does not."""
        name = self.next(kind, about)
        if self.calm or self.number("happens", name) >= share:
            return ""
        return name if self.allows(name) else ""

    def allows(self, name: str) -> bool:
        """Whether a disturbance that the seed has decided on may happen; if so, it did."""
        if self._only is not None and name not in self._only:
            return False
        self._happened[name] = name
        return True
