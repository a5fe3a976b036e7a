from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """Where an object of a kind lies; the namespace of a cluster-wide one is empty."""

    namespace: str
    name: str

    def __str__(self) -> str:
        """As messages name it: `default/web`, or `web`."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name
