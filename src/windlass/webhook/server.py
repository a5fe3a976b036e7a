from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cached_property
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from windlass.aio import SystemClock
from windlass.errors import UndecodableError
from windlass.manager import Companion, Page
from windlass.webhook.certificate import certificates
from windlass.webhook.configuration import hooks_of
from windlass.webhook.conversion import Conversion
from windlass.webhook.declare import Webhook
from windlass.webhook.install import Installer, install_rules
from windlass.webhook.metrics import WebhookMetrics
from windlass.webhook.options import WebhookOptions
from windlass.webhook.review import answer_review
from windlass.webhook.way import TlsPort

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Resource
    from windlass.client import Client
    from windlass.manager import Manager
    from windlass.reconcile import Rule
    from windlass.webhook.certificate import Certificates
    from windlass.webhook.configuration import Part
    from windlass.webhook.place import Place
    from windlass.webhook.way import Way

_log = logging.getLogger("windlass.webhook")
_MOST_NOTED: Final = 1000
_JSON: Final = "application/json"


class WebhookServer(Companion):
    """Answers the API server for webhooks and conversions, in every process, whoever leads.

        server = WebhookServer([with_image, has_room], WebhookOptions(service=Key("shop", "shop-webhooks")))
        server.add_to(manager)

    `parts` is what it answers for. A function that raises is logged and answered by 500, so that the failure
    policy of its webhook decides. When the server is stopped it takes no more requests, and answers those
    that it has.

    Raises:
        ValueError: two parts have one name, or one path.
    """

    name = "webhooks"

    def __init__(self, parts: Sequence[Part], options: WebhookOptions | None = None) -> None:
        self.parts = tuple(parts)
        options = options or WebhookOptions()
        converts = not all(isinstance(each, Webhook) for each in parts)
        self.options = replace(options, largest=options.limit(converts=converts))
        self._paths = _by_path(self.parts)
        self._metrics = WebhookMetrics(SystemClock())
        self._random: Random = SystemRandom()
        self._way: Way | None = None
        self._installer: Installer | None = None
        self._place: asyncio.Future[Place] | None = None
        self._problem: str | None = "it does not run yet"
        self._converted = {_name_of(each.hub) for each in parts if not isinstance(each, Webhook)}
        self._noted: dict[tuple[str, str], str] = {}
        for path in self._paths:
            self._metrics.expect(path)

    def add_to(self, manager: Manager) -> None:
        """Run beside the controllers of a manager, under its name and its flags, on its clock and metrics.

        Raises:
            ValueError: the manager has a webhook server already; give that one all parts.
        """
        manager.accompany(self, serves_webhooks=True)
        self.options = self.options.under(manager.options)
        self._metrics.clock = manager.clock
        self._random = manager.random
        manager.metrics.show(*self._metrics.families)

    def reach_by(self, way: Way) -> None:
        """Be reached in another way than by a port, and leave configurations to whoever says so: a test."""
        self._way = way
        self.options = replace(self.options, install=False)

    @property
    def kinds(self) -> tuple[type[Resource], ...]:
        """The kinds that its parts are about, each version of those that are converted."""
        found: dict[type[Resource], None] = {}
        for part in self.parts:
            if isinstance(part, Webhook):
                found[part.of] = None
            else:
                found |= dict.fromkeys([part.hub, *(each.of for each in part.spokes)])
        return tuple(found)

    @property
    def converts(self) -> tuple[type[Resource], ...]:
        """The hubs of its conversions."""
        return tuple(part.hub for part in self.parts if isinstance(part, Conversion))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What it has to be allowed, beside what the manager's controllers are."""
        installing = install_rules(self.parts) if self.options.install else ()
        return (*installing, *(self._certificates.rules if self._way is None else ()))

    def problem(self) -> str | None:
        """Why it is not ready; None when it is."""
        if self._problem is not None:
            return (self._installer.problem if self._installer else "") or self._problem
        return self._certificates.problem() if self._way is None else None

    async def opened(self) -> Place:
        """Wait until it serves and, if that is its task, its configurations are there."""
        return await asyncio.shield(self._opening())

    async def run(self, client: Client) -> None:
        """Serve until cancelled, then answer what has arrived.

        Raises:
            ConfigError: the port is taken, or there is no certificate to begin with.
        """
        way = self._way or TlsPort(self.options, self._certificates)
        self._problem = "it has no certificate or no port yet"
        try:
            async with way.open(self.answer, client) as place, AsyncExitStack() as stack:
                if self.options.install:
                    self._installer = Installer(self.parts, self._metrics.clock, self._random)
                    await stack.enter_async_context(self._installer.installed(client, place))
                self._problem = None
                self._opening().set_result(place)
                await asyncio.get_running_loop().create_future()
        finally:
            self._problem = "it has been stopped"
            self._installer = None
            if self._place is not None and self._place.done():  # else somebody waits for the next run
                self._place = None

    async def answer(self, path: str, body: bytes) -> Page:
        """The answer to a POST, without HTTP: 404 for an unknown path, 400 for a body that is no review."""
        part = self._paths.get(path)
        if part is None:
            return Page.not_found()
        with self._metrics.request(path) as measured:
            page = await self._answered(part, body)
            measured.code = page.status
        return page

    @cached_property
    def _certificates(self) -> Certificates:
        return certificates(self.options, self.parts, self._metrics.clock, self._random)

    async def _answered(self, part: Part, body: bytes) -> Page:
        try:
            return Page(200, await self._reviewed(part, body), _JSON)
        except UndecodableError as error:
            said = {"webhook": part.path, "error": str(error)}
            _log.warning("A request to a webhook cannot be read", extra={"windlass": said})
            return Page(400, f"{error}\n".encode())
        except Exception as error:  # noqa: BLE001 - the failure policy decides, and the others go on
            self._metrics.panicked(converting=not isinstance(part, Webhook))
            _log.exception("A webhook failed", extra={"windlass": {"webhook": part.path}})
            return Page(500, f"{part.path} failed: {type(error).__name__}\n".encode())

    async def _reviewed(self, part: Part, body: bytes) -> bytes:
        if not isinstance(part, Webhook):
            return part.answer(body, self._note_unconverted)
        blind = _name_of(part.of) in self._converted and not part.sees_unconverted
        return await answer_review(part, body, skip_unconverted=blind)

    def _note_unconverted(self, obj: Json, api_version: str, reason: str) -> None:
        """Log that an object cannot be converted: once, though each list has it converted again."""
        metadata = obj.get("metadata") or {}
        key = (metadata.get("uid", ""), api_version)
        if self._noted.get(key) == reason:
            return
        if len(self._noted) >= _MOST_NOTED:
            self._noted.clear()
        self._noted[key] = reason
        name = "/".join(filter(None, (metadata.get("namespace"), metadata.get("name"))))
        _log.warning(
            "%s %s of %s cannot be converted to %s, and is shown without its content: %s",
            obj.get("kind"),
            name,
            obj.get("apiVersion"),
            api_version,
            reason,
        )

    def _opening(self) -> asyncio.Future[Place]:
        """What is to be known of the present run, or of the next one."""
        if self._place is None:
            self._place = asyncio.get_running_loop().create_future()
        return self._place


def _by_path(parts: Sequence[Part]) -> dict[str, Part]:
    hooks = hooks_of(parts)
    found: dict[str, Part] = {}
    served: list[Part] = [*hooks, *(each for each in parts if not isinstance(each, Webhook))]
    for part in served:
        if part.path in found:
            raise ValueError(f"two webhooks are at {part.path}: give one another `path`")
        found[part.path] = part
    names: set[str] = set()
    for hook in hooks:
        if hook.name in names:
            raise ValueError(f"two webhooks are called {hook.name}: give one another `name`")
        names.add(hook.name)
    return found


def _name_of(kind: type[Resource]) -> tuple[str, str]:
    """A kind, whatever its version."""
    return kind.__kind__.group, kind.__kind__.name
