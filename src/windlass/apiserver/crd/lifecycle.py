from __future__ import annotations

from typing import Protocol


class Lifecycle(Protocol):
    """What the objects of a kind ask and tell about the life of its definition, by its name."""

    def is_terminating(self, name: str) -> bool:
        """Whether a definition is about to go, so that no more objects of its kind can be created."""

    def emptied(self, name: str) -> None:
        """An object of a kind is gone; perhaps its definition only waited for that."""
