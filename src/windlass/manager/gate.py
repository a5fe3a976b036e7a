from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.controller import Fence
from windlass.errors import NotLeadingError

if TYPE_CHECKING:
    from datetime import timedelta


class Gate(Fence):
    """The fence of the present term of leadership; between terms it refuses everything.

    A manager has one client for all terms. This is what the client's writes are checked by.
    """

    def __init__(self) -> None:
        self._fence: Fence | None = None

    def open(self, fence: Fence) -> None:
        """A term began."""
        self._fence = fence

    def close(self) -> None:
        """The term ended."""
        self._fence = None

    @override
    def check(self) -> None:
        self._present().check()

    @override
    def left(self) -> timedelta | None:
        return self._present().left()

    @override
    def doubt(self) -> None:
        if self._fence is not None:
            self._fence.doubt()

    def _present(self) -> Fence:
        if self._fence is None:
            raise NotLeadingError("refused: this process does not lead")
        return self._fence
