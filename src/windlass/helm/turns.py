"""Which releases may be changed now, so that a few slow ones do not occupy every worker."""

from __future__ import annotations

import sys
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


class Turns:
    """Limit how many releases are changed at a time, and how many are removed.

    At most `most` are changed at a time, at most `of_tenant` of one tenant; at most `removals` are removed,
    of one tenant one less, if that leaves any. Releases without a tenant share no limit but the first. A
    release that gets no turn does not wait for it in a worker: its owner is reconciled again, by `wake`, when
    another one ends. Meanwhile its drift is repaired.
    """

    def __init__(
        self, most: int = sys.maxsize, of_tenant: int = sys.maxsize, *, removals: int = sys.maxsize
    ) -> None:
        self._changes = most, of_tenant
        self._removals = removals, max(removals - 1, 1)
        self._taken: dict[Key, Turn] = {}
        self._waiting: dict[Key, tuple[Turn, Callable[[], None]]] = {}

    def take(self, turn: Turn, wake: Callable[[], None]) -> bool:
        """Take a turn; if there is none, call `wake` once when there is. `leave` gives it back."""
        if self._is_free(turn):
            self._waiting.pop(turn.release, None)
            self._taken[turn.release] = turn
            return True
        self._waiting[turn.release] = turn, wake
        return False

    def leave(self, release: Key) -> None:
        """Give a turn back, and wake the first release that can have one now."""
        self._taken.pop(release, None)
        for turn, wake in self._waiting.values():
            if self._is_free(turn):
                del self._waiting[turn.release]
                wake()
                return

    def forget(self, release: Key) -> None:
        """Stop waiting for a turn: the release is gone."""
        self._waiting.pop(release, None)

    def _is_free(self, turn: Turn) -> bool:
        taken = [each for each in self._taken.values() if each.removes == turn.removes]
        most, most_of_tenant = self._removals if turn.removes else self._changes
        of_tenant = sum(each.tenant == turn.tenant for each in taken) if turn.tenant else 0
        of_kind = sum(each.kind == turn.kind for each in taken)
        return len(taken) < most and of_tenant < most_of_tenant and of_kind < turn.of_kind
