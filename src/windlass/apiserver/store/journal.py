from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windlass.apiserver.store.record import Change, ChangeType, Record


class Unwritable(WindlassError):
    """What a store holds could not be kept, and from now on nothing is; the message says why."""


class Journal(Protocol):
    """Keeps what happens to a store, so that it is there again after the end of the process.

    `record` and `keep` only take note, and cost next to nothing. What they are told between two awaits is
    kept as a whole or not at all.
    """

    def record(self, collection: str, change: Change) -> None:
        """A collection is about to change.

        Raises:
            Unwritable: the change must not happen, since it could not be kept.
        """

    def keep(self, collection: str, floor: int | None, dropped: Sequence[int]) -> None:
        """The history of a collection reaches back to `floor` and no further; `None`: the collection is gone.

        `dropped` are the revisions of the versions that nobody can ask for any more.
        """

    async def durable(self, revision: int) -> None:
        """Wait until every change up to a revision is kept.

        Raises:
            Unwritable: it could not be.
        """


class Version(NamedTuple):
    """A version of an object as a journal has kept it, and how it came about."""

    collection: str
    type: ChangeType
    record: Record


class Saved(NamedTuple):
    """What a journal has kept of a store.

    `versions` are in the order of their revisions: those of the history, which in each collection begins
    after its floor, and of what is older those that were still the newest then.
    """

    revision: int
    floors: Mapping[str, int]
    versions: Iterable[Version]
