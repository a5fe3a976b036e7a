from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from windlass.api import Resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

R = TypeVar("R", bound=Resource)

_INITIAL_EVENTS_END = "k8s.io/initial-events-end"


@dataclass(frozen=True, slots=True)
class Listing(Generic[R]):
    """Objects of one snapshot, and its version, from which a watch can go on.

    `more` is the token of the next page, `remaining` how many objects are left where the server tells.
    `shard` is the selector of the shard that these objects are, empty where they are all, or where the server
    does not tell: of custom resources it never does.
    """

    items: Sequence[R]
    resource_version: str
    more: str = ""
    remaining: int | None = None
    shard: str = ""

    def __iter__(self) -> Iterator[R]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Event(Generic[R]):
    """One change. A bookmark carries an object with nothing but a resource version: go on from there."""

    type: Literal["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]
    object: R

    @property
    def resource_version(self) -> str:
        """The version from which a watch goes on after this event."""
        return self.object.metadata.resource_version

    @property
    def initial_events_end(self) -> bool:
        """Whether this bookmark closes the present objects, and changes follow."""
        return self.type == "BOOKMARK" and _INITIAL_EVENTS_END in self.object.metadata.annotations
