"""Which releases may be changed now, so that a few slow ones do not occupy every worker."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Key


class Turn(NamedTuple):
    """The change of one release. `of_kind` is how many releases of its kind may be changed at a time."""

    release: Key
    tenant: str = ""
    kind: str = ""
    of_kind: int = sys.maxsize


class Turns:
    """Lets at most `most` releases be changed at a time, and at most `of_tenant` of one tenant.

    A release that gets no turn does not wait for it in a worker: its owner is reconciled again, by `wake`,
    when another one ends. Meanwhile its drift is repaired, and others are removed. Releases without a tenant
    share no limit but the first.
    """

    def __init__(self, most: int = sys.maxsize, of_tenant: int = sys.maxsize) -> None:
        self.most = most
        self._of_tenant = of_tenant
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
        taken = self._taken.values()
        of_tenant = sum(each.tenant == turn.tenant for each in taken) if turn.tenant else 0
        of_kind = sum(each.kind == turn.kind for each in taken)
        return len(taken) < self.most and of_tenant < self._of_tenant and of_kind < turn.of_kind
