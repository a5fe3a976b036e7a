from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from windlass.client import Client


class Companion(Protocol):
    """What a manager runs beside its controllers, whether or not it leads: a server of webhooks, say."""

    @property
    def name(self) -> str:
        """What readiness calls it."""

    async def run(self, client: Client, /) -> None:
        """Do the work until cancelled.

        No fence is before `client`: others may do the same at the same time, so that what is written must
        hold against them by itself.
        """

    def problem(self) -> str | None:
        """Why it is not ready; None when it is."""
