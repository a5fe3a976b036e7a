"""Which releases may be changed now, so that a few slow ones do not occupy every worker."""

from __future__ import annotations

import sys
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Key


class Turn(NamedTuple):
    """The change or removal of one release.

    `of_kind` is how many releases of its kind may be changed at a time.
    """

    release: Key
    tenant: str = ""
    kind: str = ""
    of_kind: int = sys.maxsize
    removes: bool = False

    @property
    def party(self) -> str:
        """Who shares turns fairly with others: a tenant, or without one, a namespace."""
        return self.tenant or self.release.namespace


class _Waiting(NamedTuple):
    """A turn that is waited for."""

    turn: Turn
    wake: Callable[[], None]


class Turns:
    """Limit how many releases are changed at a time, and how many are removed, and share that fairly.

    At most `most` are changed at a time, at most `of_tenant` of one tenant; at most `removals` are removed,
    of one tenant one less, if that leaves any. Releases without a tenant share no limit but the first.

    A release that gets no turn does not wait for it in a worker: its owner is reconciled again, by `wake`,
    when another one ends. Meanwhile its drift is repaired. The next turn goes to the tenant or namespace that
    has the fewest, then to the one that has had none for longest, then to the release that waits longest:
    many releases of one tenant do not delay the one of another.
    """

    def __init__(
        self, most: int = sys.maxsize, of_tenant: int = sys.maxsize, *, removals: int = sys.maxsize
    ) -> None:
        self._changes = most, of_tenant
        self._removals = removals, max(removals - 1, 1)
        self._taken: dict[Key, Turn] = {}
        self._waiting: dict[Key, _Waiting] = {}
        self._since: dict[Key, int] = {}
        self._last: dict[str, int] = {}
        self._clock = count(1)

    def take(self, turn: Turn, wake: Callable[[], None]) -> bool:
        """Take a turn; if there is none, call `wake` once when there is. `leave` gives it back."""
        self._since.setdefault(turn.release, next(self._clock))
        self._waiting[turn.release] = _Waiting(turn, wake)
        if self._next(removes=turn.removes) != turn and not self._is_spare(turn):
            return False
        del self._waiting[turn.release], self._since[turn.release]
        self._taken[turn.release] = turn
        self._last[turn.party] = next(self._clock)
        return True

    def leave(self, release: Key) -> None:
        """Give a turn back, and wake the release that is to have the next one."""
        ended = self._taken.pop(release, None)
        self._since.pop(release, None)
        if ended is None:
            return
        self._last[ended.party] = next(self._clock)
        self._wake_next(removes=ended.removes)
        if not self._taken and not self._waiting:
            self._last.clear()

    def withdraw(self, release: Key) -> None:
        """Stop waiting for now; a release that waits again keeps its place."""
        self._waiting.pop(release, None)

    def forget(self, release: Key) -> None:
        """Stop waiting for a turn: the release is gone, or needs none."""
        self._waiting.pop(release, None)
        if self._since.pop(release, None) is not None:  # it may have been woken for the next turn
            for removes in (False, True):
                self._wake_next(removes=removes)

    def _wake_next(self, *, removes: bool) -> None:
        following = self._next(removes=removes)
        if following is not None:
            self._waiting[following.release].wake()

    def _next(self, *, removes: bool) -> Turn | None:
        """Return the turn that is to be taken next, of those that are free."""
        free = [each.turn for each in self._waiting.values() if each.turn.removes == removes]
        return min(filter(self._is_free, free), key=self._rank, default=None)

    def _is_spare(self, turn: Turn) -> bool:
        """Whether there are turns for all that wait, so that none has to be before another."""
        most, _ = self._removals if turn.removes else self._changes
        same = [each for each in self._taken.values() if each.removes == turn.removes]
        waiting = [each for each in self._waiting.values() if each.turn.removes == turn.removes]
        return self._is_free(turn) and len(same) + len(waiting) <= most

    def _rank(self, turn: Turn) -> tuple[int, int, int]:
        held = sum(each.party == turn.party for each in self._taken.values())
        return held, self._last.get(turn.party, 0), self._since[turn.release]

    def _is_free(self, turn: Turn) -> bool:
        taken = [each for each in self._taken.values() if each.removes == turn.removes]
        most, most_of_tenant = self._removals if turn.removes else self._changes
        of_tenant = sum(each.tenant == turn.tenant for each in taken) if turn.tenant else 0
        of_kind = sum(each.kind == turn.kind for each in taken)
        return len(taken) < most and of_tenant < most_of_tenant and of_kind < turn.of_kind
