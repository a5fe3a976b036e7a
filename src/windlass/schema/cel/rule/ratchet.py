"""What an update may leave as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.schema.custom.judge import Link


@dataclass(frozen=True, slots=True)
class Ratchet:
    """A value with its link to the old one, or, where there is none, the nearest link above it."""

    link: Link | None = None
    above: Link | None = None

    def key(self, name: str) -> Ratchet:
        """That of a field."""
        if self.link is None:
            return self
        if self.above is None and name in {"apiVersion", "kind"}:
            return _NOTHING  # both objects were converted to the same type, so nobody knows what it was
        return Ratchet(self.link.key(name), self.link)

    def item(self, position: int) -> Ratchet:
        """That of an item."""
        return self if self.link is None else Ratchet(self.link.item(position), self.link)

    def excuses(self) -> bool:
        """Whether what is wrong was wrong before and has not changed."""
        link = self.link or self.above
        return link is not None and link.same()


_NOTHING = Ratchet()
