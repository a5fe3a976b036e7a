from __future__ import annotations

import asyncio
from base64 import b64encode
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.api import Selection
from windlass.client import NO_RETRY, JsonPatch
from windlass.errors import NotFound
from windlass.reconcile import Rule
from windlass.webhook.rounds import Rounds
from windlass.webhook.takeover import REPLACED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from datetime import datetime
    from random import Random
    from typing import Any

    from windlass.aio import Clock
    from windlass.api import Change, Json, Resource
    from windlass.cache import Cache
    from windlass.client import Client

_REST: Final = timedelta(hours=1)
"""Changes are told by a watch; this is for what a watch might have missed."""


@dataclass(frozen=True, kw_only=True)
class Targets:
    """What holds a `caBundle`, by name: webhook configurations, and definitions that a webhook converts.

    Every webhook of a configuration is given the bundle. What is not there yet gets it when it comes.
    """

    validating: tuple[str, ...] = ()
    mutating: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[tuple[type[Resource], str]]:
        from windlass.kinds.admissionregistration.v1 import (
            MutatingWebhookConfiguration,
            ValidatingWebhookConfiguration,
        )
        from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

        yield from ((ValidatingWebhookConfiguration, name) for name in self.validating)
        yield from ((MutatingWebhookConfiguration, name) for name in self.mutating)
        yield from ((CustomResourceDefinition, name) for name in self.definitions)

    @property
    def rules(self) -> list[Rule]:
        """What it takes to write into them."""
        return [
            Rule(
                groups=(kind.__kind__.group,),
                resources=(kind.__kind__.plural,),
                verbs=("get", "list", "watch", "patch"),
                names=(name,),
            )
            for kind, name in self
        ]


def injection(target: Json, bundle: str) -> list[dict[str, Any]]:
    """The operations of a JSON patch that bring a bundle into a configuration or a definition."""
    wanted = b64encode(bundle.encode()).decode()
    return [
        {"op": "add", "path": f"{path}/caBundle", "value": wanted}
        for path, config in _client_configs(target)
        if config.get("caBundle") != wanted
    ]


def _client_configs(target: Json) -> Iterator[tuple[str, Json]]:
    for index, webhook in enumerate(target.get("webhooks") or ()):
        yield f"/webhooks/{index}/clientConfig", webhook["clientConfig"]
    conversion = (target.get("spec") or {}).get("conversion") or {}
    config = (conversion.get("webhook") or {}).get("clientConfig")
    if config is not None:
        yield "/spec/conversion/webhook/clientConfig", config


class Injector:
    """Keeps a bundle in everything that holds one, against whoever overwrites it.

    `newest` returns the bundle as it is at this moment, not as it was when we last looked. It is asked after
    the target was read, and the target is written only if it is still what was read: so of two replicas, the
    one that lags never puts an older bundle in the place of a newer one.
    """

    def __init__(
        self, targets: Targets, newest: Callable[[], Awaitable[str]], *, clock: Clock, random: Random
    ) -> None:
        self._targets = list(targets)
        self._newest = newest
        self._clock = clock
        self._bundle = ""
        self._placed: dict[tuple[type[Resource], str], tuple[str, datetime] | None] = {}
        self._rounds = {
            target: Rounds(f"The caBundle of {target[0].__name__} {target[1]}", clock, random)
            for target in self._targets
        }

    @property
    def problems(self) -> list[str]:
        """Why something does not have its bundle."""
        return [each.problem for each in self._rounds.values() if each.problem]

    def use(self, bundle: str) -> None:
        """Have this bundle in all targets from now on."""
        if bundle != self._bundle:
            self._bundle = bundle
            for rounds in self._rounds.values():
                rounds.wake()

    def since(self, bundle: str) -> datetime | None:
        """Since when every target that exists has this bundle; now, while one has not.

        None says that no target exists.
        """
        moments = []
        for target in self._targets:
            if target not in self._placed:
                return self._clock.now()
            placed = self._placed[target]
            if placed is not None:
                moments.append(placed[1] if placed[0] == bundle else self._clock.now())
        return max(moments, default=None)

    async def run(self, client: Client, cache: Cache) -> None:
        """Keep the bundle where it belongs until cancelled."""
        patient = client.retrying(NO_RETRY)  # failed rounds are ours to repeat
        async with asyncio.TaskGroup() as group:
            for (kind, name), rounds in self._rounds.items():
                selection = Selection(fields=f"metadata.name={name}", metadata_only=True)
                cache.informer(kind, selection).listen(_waking(rounds))
                group.create_task(rounds.run(partial(self._round, patient, kind, name)))

    async def _round(self, client: Client, kind: type[Resource], name: str) -> timedelta:
        if not self._bundle:
            return _REST
        try:
            found: Json | None = (await client.get(kind, name)).to_wire()
        except NotFound:
            found = None
        if found is None or REPLACED in (found["metadata"].get("annotations") or {}):
            self._placed[kind, name] = None
            return _REST
        bundle = self._bundle
        if injection(found, bundle):
            bundle = await self._newest()
            operations = injection(found, bundle)
            if operations:
                version = found["metadata"]["resourceVersion"]
                # Unlike a `test`, which makes a request invalid, this is refused as the conflict that it is.
                unchanged = {"op": "replace", "path": "/metadata/resourceVersion", "value": version}
                await client.patch(kind, name, JsonPatch([unchanged, *operations]))
        before = self._placed.get((kind, name))
        if before is None or before[0] != bundle:
            self._placed[kind, name] = (bundle, self._clock.now())
        return _REST


def _waking(rounds: Rounds) -> Callable[[Change[Any]], None]:
    return lambda _change: rounds.wake()
