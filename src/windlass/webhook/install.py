"""Configurations in the cluster as they are declared."""

from __future__ import annotations

import asyncio
import base64
import logging
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from windlass.aio import within
from windlass.api import Selection
from windlass.cache import Cache
from windlass.client import NO_RETRY, MergePatch
from windlass.errors import NotFound, WindlassError
from windlass.reconcile import READ, Rule
from windlass.schema import alike
from windlass.webhook.configuration import configurations, conversion_clause, definition_name, hooks_of
from windlass.webhook.conversion import Conversion
from windlass.webhook.rounds import Rounds
from windlass.webhook.takeover import covers, give_back, take_over

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from random import Random

    from windlass.aio import Clock
    from windlass.api import Json, Resource
    from windlass.client import Client
    from windlass.webhook.configuration import Part
    from windlass.webhook.place import Place

_log = logging.getLogger("windlass.webhook")

MANAGER: Final = "windlass-webhooks"
"""The field manager of what is installed: processes of one operator agree on it."""
_OPTIONAL: Final = ("namespaceSelector", "objectSelector", "matchConditions")
_LAST_WRITES: Final = timedelta(seconds=5)
_REST: Final = timedelta(hours=1)
"""Changes are told by a watch; this is for what a watch might have missed."""


class Installer:
    """Keeps configurations, and the conversion of definitions, as declared, against changes by others.

    Where a place has no service, it ends with this process: what the cluster had before is put back by
    `installed` at the end of its block.
    """

    def __init__(self, parts: Sequence[Part], clock: Clock, random: Random) -> None:
        self._parts = parts
        self._clock = clock
        self._random = random
        self._rounds = Rounds("The configurations of webhooks", clock, random)
        self._done = asyncio.Event()

    @property
    def problem(self) -> str:
        """Why it has not been possible; empty if it has."""
        return self._rounds.problem

    @asynccontextmanager
    async def installed(self, client: Client, place: Place) -> AsyncIterator[None]:
        """Install everything before the block, and keep it so until the block is left."""
        async with asyncio.TaskGroup() as group:
            keeping = group.create_task(self.run(client, place))
            try:
                await self._done.wait()
                yield
            finally:
                keeping.cancel()
                await asyncio.wait([keeping])  # it writes nothing more
                await self._close(client, place)

    async def run(self, client: Client, place: Place) -> None:
        """Install everything, and again whenever something has changed, until cancelled."""
        patient = client.retrying(NO_RETRY)  # failed rounds are ours to repeat
        cache = Cache(client, clock=self._clock, random=self._random)
        for kind, name in _installed(self._parts, place):
            selection = Selection(fields=f"metadata.name={name}", metadata_only=True)
            cache.informer(kind, selection).listen(lambda _change: self._rounds.wake())
        async with asyncio.TaskGroup() as group:
            group.create_task(cache.run())
            group.create_task(self._rounds.run(lambda: self._round(patient, place)))

    async def _close(self, client: Client, place: Place) -> None:
        """Put back what was there before, if the place ends with this process."""
        if place.service:
            return
        try:
            await within(self._clock, _LAST_WRITES, give_back(client, self._parts, place))
        except (WindlassError, TimeoutError) as error:
            _log.warning(
                "The webhooks of the cluster still lead to %s, where nothing answers any more: %s. The next "
                "`windlass run`, `install` or `deploy` of the operator puts back what was there before",
                place.url,
                error,
            )

    async def _round(self, client: Client, place: Place) -> timedelta:
        install = install_webhooks if place.service else take_over
        await install(client, self._parts, place)
        self._done.set()
        return _REST


async def install_webhooks(client: Client, parts: Sequence[Part], place: Place) -> None:
    """Make configurations, and the conversion of definitions, be as declared; what is so is not written.

    Raises:
        ApiError: the server refuses; NotFound if the definition of a kind that is converted is not there,
            Conflict if somebody has written to a configuration meanwhile.
    """
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    for wanted in configurations(parts, place):
        live = await _live(client, wanted)
        if live is not None and place.kept:
            _keep_bundles(wanted, live)
        if live is None or not _is_so(live, wanted.to_wire()):
            await client.using(field_manager=MANAGER).apply(wanted, force=True)
    for part in parts:
        if isinstance(part, Conversion) and (clause := await _missing_clause(client, part, place)):
            change: Json = {"spec": {"conversion": clause}}
            await client.patch(CustomResourceDefinition, definition_name(part), MergePatch(change))


async def uninstall_webhooks(client: Client, parts: Sequence[Part], place: Place) -> None:
    """Take away what `install_webhooks` made; definitions that are converted elsewhere by now are left alone.

    Raises:
        ApiError: the server refuses.
    """
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    for made in configurations(parts, place):
        with suppress(NotFound):
            await client.delete(type(made), made.metadata.name)
    for part in parts:
        if isinstance(part, Conversion) and not await _missing_clause(client, part, place):
            undone: Json = {"spec": {"conversion": {"strategy": "None", "webhook": None}}}
            await client.patch(CustomResourceDefinition, definition_name(part), MergePatch(undone))


def install_rules(parts: Sequence[Part]) -> tuple[Rule, ...]:
    """What an `Installer` has to be allowed."""
    from windlass.kinds.admissionregistration.v1 import (
        MutatingWebhookConfiguration,
        ValidatingWebhookConfiguration,
    )
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    verbs = (*READ, "create", "patch")
    rules = []
    if any(each.mutates for each in hooks_of(parts)):
        rules.append(Rule.on(MutatingWebhookConfiguration, *verbs))
    if any(not each.mutates for each in hooks_of(parts)):
        rules.append(Rule.on(ValidatingWebhookConfiguration, *verbs))
    if any(isinstance(each, Conversion) for each in parts):
        rules.append(Rule.on(CustomResourceDefinition, *READ, "patch"))
    return tuple(rules)


def _installed(parts: Sequence[Part], place: Place) -> Iterator[tuple[type[Resource], str]]:
    """Everything that is installed, by its name."""
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    for each in configurations(parts, place):
        yield type(each), each.metadata.name
    for part in parts:
        if isinstance(part, Conversion):
            yield CustomResourceDefinition, definition_name(part)


async def _live(client: Client, wanted: Resource) -> Json | None:
    """A configuration as it is, its webhooks in the order of their names, as ours are."""
    try:
        found = (await client.get(type(wanted), wanted.metadata.name)).to_wire()
    except NotFound:
        return None
    return found | {"webhooks": sorted(found.get("webhooks", ()), key=itemgetter("name"))}


def _keep_bundles(wanted: Any, live: Json) -> None:
    """Leave the bundles that are there to whoever keeps them, as long as they are the ones that we saw."""
    wanted.metadata.resource_version = live["metadata"]["resourceVersion"]
    configs = {each["name"]: each["clientConfig"] for each in live["webhooks"]}
    for hook in wanted.webhooks:
        if bundle := configs.get(hook.name, {}).get("caBundle"):
            hook.client_config.ca_bundle = base64.b64decode(bundle)


def _is_so(live: Json, wanted: Json) -> bool:
    """Whether a configuration is as declared; what it says beyond that may be the server's defaults only."""
    return covers(live, wanted) and all(
        alike(there.get(name) or None, ours.get(name) or None)
        for there, ours in zip(live["webhooks"], wanted["webhooks"], strict=True)
        for name in _OPTIONAL
    )


async def _missing_clause(client: Client, part: Conversion[Any], place: Place) -> Json:
    """What the conversion of a definition has to become; empty where it is so.

    As with configurations, a bundle that is there is left to whoever keeps it.
    """
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    definition = await client.get(CustomResourceDefinition, definition_name(part))
    live: Json = definition.to_wire()["spec"].get("conversion", {})
    clause = conversion_clause(part, place)
    if place.kept and live.get("webhook", {}).get("clientConfig", {}).get("caBundle"):
        clause["webhook"]["clientConfig"].pop("caBundle", None)
    return {} if covers(live, clause) else clause
