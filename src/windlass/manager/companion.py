from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Resource
    from windlass.client import Client
    from windlass.reconcile import Rule


class Companion(Protocol):
    """What a manager runs beside its controllers, whether or not it leads: a server of webhooks, say.

    Inherit from it for the defaults. `kinds` are those that it serves, `rules` what it has to be allowed:
    definitions and roles are generated from both. `converts` are the kinds that the API server cannot list
    without it.
    """

    @property
    def name(self) -> str:
        """What readiness calls it."""

    @property
    def kinds(self) -> Sequence[type[Resource]]:
        """The kinds that it serves."""
        return ()

    @property
    def rules(self) -> Sequence[Rule]:
        """What it has to be allowed to do."""
        return ()

    @property
    def converts(self) -> Sequence[type[Resource]]:
        """The kinds that it converts, in one of their versions."""
        return ()

    async def run(self, client: Client, /) -> None:
        """Do the work until cancelled.

        No fence is before `client`: others may do the same at the same time, so that what is written must
        hold against them by itself.
        """

    def problem(self) -> str | None:
        """Why it is not ready; None when it is."""
