"""Who is asked a second time, because somebody changed an object after they had seen it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema import alike, copied

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from windlass.apiserver.admission.review import Review

    Turn = Callable[[int], bool]

_TURNS: Final = 2


def take_turns(parties: Sequence[Turn], again: Callable[[], None]) -> None:
    """Let parties change an object, one after the other, and a second time if any of them did in the first.

    A party is called with the number of the turn, and tells whether it has changed the object. Before the
    second turn, the server's own admission sees the object `again`.
    """
    for turn in range(_TURNS):
        if turn:
            again()
        changed = False
        for party in parties:
            changed |= party(turn)
        if not changed:
            return


class Audience:
    """Those of a party who want to know of changes after theirs; who they are is told by a key."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self._informed: set[Hashable] = set()
        self._outdated: set[Hashable] = set()
        self._left: Any = None

    def inform(self, who: Hashable) -> None:
        """They have seen the object as it is, and want to know of the next change."""
        self._informed.add(who)

    def outdate(self) -> None:
        """The object is not any more what those have seen who want to know."""
        self._outdated |= self._informed
        self._informed = set()

    def leave(self) -> None:
        """The turn of the party ends; it wants to know of any change until the next."""
        if self._informed:
            self._left = copied(self._review.obj)

    def enter(self) -> None:
        """The next turn begins."""
        if self._informed and not alike(self._left, self._review.obj):
            self.outdate()

    def lags(self, who: Hashable) -> bool:
        """Whether the object has changed since they saw it."""
        return who in self._outdated
