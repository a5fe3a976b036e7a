from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from windlass.cache.state import Phase, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.aio import Clock

_log = logging.getLogger("windlass.cache")


class Health:
    """How far an informer is, told in the log when that changes.

    `listed` tells whether everything that was asked for is there: the list was read to its end.
    """

    def __init__(self, subject: str, clock: Clock, changed: Callable[[], None]) -> None:
        self._subject = subject
        self._clock = clock
        self._changed = changed
        self.listed = False
        self.reduced = ""
        self.last_progress = clock.monotonic()
        self.state = State(Phase.STARTING, "", self.last_progress)

    def progress(self) -> None:
        """Something was heard."""
        self.last_progress = self._clock.monotonic()

    def in_step(self) -> None:
        """The watch is open, or the list was read to its end."""
        self.progress()
        if not self.listed:
            return
        was = self.state
        self._become(Phase.REDUCED if self.reduced else Phase.SYNCED, self.reduced)
        if was.phase is Phase.WAITING:
            _log.info("%s: the server serves the kind now", self._subject)
        elif was.phase is Phase.BEHIND:
            _log.info("%s: in step with the server again", self._subject)

    def behind(self, reason: str) -> None:
        """The server cannot be followed for now; a kind that was missing still counts as that."""
        if self.state.phase is Phase.WAITING:
            self._become(Phase.WAITING, reason)
            return
        if self.state.phase is not Phase.BEHIND:
            _log.warning("%s: cannot follow the server, trying again: %s", self._subject, reason)
        self._become(Phase.BEHIND, reason)

    def waiting(self, reason: str) -> None:
        """The server says that it does not know the kind, which is an answer too."""
        self.progress()
        if self.state.phase is not Phase.WAITING:
            _log.warning("%s: the server does not serve the kind, waiting for it", self._subject)
        self.listed = False
        self._become(Phase.WAITING, reason)

    def reduce(self, reason: str) -> None:
        """The memory budget is used up: metadata alone is kept from now on."""
        self.reduced = reason
        _log.warning(
            "%s: keeping metadata only, and reading the rest when it is needed: %s", self._subject, reason
        )
        if self.state.in_sync:
            self._become(Phase.REDUCED, reason)

    def list_anew(self) -> None:
        """More was asked for than is there."""
        self.listed = False
        self._changed()

    def _become(self, phase: Phase, reason: str) -> None:
        same = self.state.phase is phase
        self.state = State(phase, reason, self.state.since if same else self._clock.monotonic())
        self._changed()
