"""What is checked in the cluster when an operator starts: its definitions, and where its webhooks lead."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.errors import WindlassError
from windlass.manager import Companion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Resource
    from windlass.client import Client
    from windlass.manager import Manager

_log = logging.getLogger("windlass.run")


class DefinitionCheck(Companion):
    """Says loudly, once, which fields of the kinds that are reconciled the cluster would drop in silence.

    Nobody waits for it, and what it finds stops nothing.
    """

    name = "definitions"

    def __init__(self, manager: Manager) -> None:
        self._manager = manager

    @override
    async def run(self, client: Client) -> None:
        from windlass.client import stale_definitions  # schemas and what derives them: needed once, by some

        try:
            await stale_definitions(client, self._kinds())
        except WindlassError as error:
            _log.warning("Definitions could not be compared with the types: %s", error)

    @override
    def problem(self) -> str | None:
        return None

    def _kinds(self) -> Iterable[type[Resource]]:
        from windlass.reconcile import is_of_objects

        every: list[Any] = [each.reconciler for each in self._manager.controllers]
        return dict.fromkeys(each.of for each in every if is_of_objects(each))


class ReplacedWebhooks(Companion):
    """Puts back the webhooks that a killed `windlass run --webhook-url` has left behind.

    They are those that lead to a URL where no process listens; each request about the operator's objects
    would fail.
    """

    name = "replaced-webhooks"

    def __init__(self, manager: Manager) -> None:
        self._manager = manager

    @override
    async def run(self, client: Client) -> None:
        from windlass.api import Key
        from windlass.webhook import Place, is_served, replaced_urls, restore_webhooks, served_parts

        parts = served_parts(self._manager.companions)
        place = Place(name=self._manager.options.name, service=Key("", "none"))  # only the name counts
        try:
            urls = await replaced_urls(client, parts, place)
            if urls and not any([await is_served(url) for url in urls]):
                await restore_webhooks(client, parts, place)
                _log.warning("Webhooks led to %s, where no process listens; restored them", urls[0])
        except WindlassError as error:
            _log.warning("Webhooks that an earlier process replaced could not be restored: %s", error)

    @override
    def problem(self) -> str | None:
        return None
