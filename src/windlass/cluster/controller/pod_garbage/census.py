from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Change, Json
    from windlass.kinds.core.v1 import Pod

OVERFLOW: Final = Key("", "pods that are over")
"""The key of all pods that are over; no node has such a name."""

_OVER: Final = ("Succeeded", "Failed")


class Entry(NamedTuple):
    """A pod, as far as it can be garbage. Entries are in the order in which pods that are over go."""

    rank: tuple[bool, str, str]
    node: str
    is_over: bool
    is_going: bool


def entry_of(pod: Json) -> Entry:
    """The entry of a pod as it stands on the wire; those that were evicted go first, then the oldest."""
    metadata, status = pod["metadata"], pod.get("status") or {}
    is_evicted = status.get("phase") == "Failed" and status.get("reason") == "Evicted"
    return Entry(
        rank=(not is_evicted, metadata.get("creationTimestamp") or "", metadata["name"]),
        node=(pod.get("spec") or {}).get("nodeName") or "",
        is_over=status.get("phase") in _OVER,
        is_going=bool(metadata.get("deletionTimestamp")),
    )


class Pods:
    """All pods, by node, and those that are over; kept up to date change by change."""

    def __init__(self) -> None:
        self._entries: dict[Key, Entry] = {}
        self._nodes: dict[str, dict[Key, None]] = {}
        self._over: dict[Key, None] = {}

    @property
    def over(self) -> int:
        """How many are over."""
        return len(self._over)

    def get(self, key: Key) -> Entry | None:
        """What is known of a pod."""
        return self._entries.get(key)

    def on(self, node: str) -> list[Key]:
        """The pods that are bound to a node."""
        return list(self._nodes.get(node, ()))

    def surplus(self, most: int) -> list[Key]:
        """The pods that are over beyond so many, in the order in which they go."""
        ordered = sorted(self._over, key=lambda key: (self._entries[key].rank, key))
        return ordered[: max(len(ordered) - most, 0)]

    def set(self, key: Key, entry: Entry | None) -> Entry | None:
        """A pod is this now, or is gone; returns what it was before."""
        before = self._entries.pop(key, None)
        if before is not None:
            self._over.pop(key, None)
            if before.node:
                self._nodes[before.node].pop(key, None)
                if not self._nodes[before.node]:
                    del self._nodes[before.node]
        if entry is not None:
            self._entries[key] = entry
            if entry.is_over:
                self._over[key] = None
            if entry.node:
                self._nodes.setdefault(entry.node, {})[key] = None
        return before

    def see(self, change: Change[Pod]) -> Iterator[Key]:
        """Take in a change, of which nothing is decoded; tells which pods and nodes may be garbage by it."""
        entry = entry_of(change.new.data) if change.new else None
        is_first = entry is not None and entry.node not in self._nodes
        before = self.set(change.key, entry)
        if entry is None:
            return
        begins = entry.is_going and not (before and before.is_going)
        if entry.is_going and not entry.node:
            yield change.key
        elif entry.node and (is_first or begins):
            yield Key("", entry.node)
        if entry.is_over:
            yield OVERFLOW
