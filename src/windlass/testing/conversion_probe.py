"""Whether an API server uses the conversion that its definition names: it sees a change some time later.

An object that is not stored is created in one version, and a webhook asks for it in another. Before the
server calls that webhook, it converts the object, which the conversion refuses by a message of its own.
Without the conversion it is the webhook that fails, since nothing listens at its address.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Self

import orjson

from windlass.aio import SystemClock
from windlass.api import Definition, LabelSelector, ObjectMeta, Untyped
from windlass.client import NO_RETRY
from windlass.errors import ApiError
from windlass.manager import Page
from windlass.webhook import (
    Conversion,
    HookOptions,
    Place,
    Verdict,
    Webhook,
    install_webhooks,
    mutating,
    uninstall_webhooks,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.api import Kind
    from windlass.client import Client
    from windlass.webhook import AdmissionRequest, Answering

_LABEL: Final = "windlass.dev/conversion-probe"
_CONVERTED: Final = "windlass.dev/conversion-probe is not to be converted"
_NOWHERE: Final = "https://127.0.0.1:1"
_PAUSE: Final = timedelta(milliseconds=20)
_PATIENCE: Final = timedelta(seconds=20)
_TWO: Final = 2


def refusing(answer: Answering) -> Answering:
    """The same, but for reviews of the probe, which are answered by its refusal."""

    async def answered(path: str, body: bytes) -> Page:
        if _LABEL.encode() in body and (review := orjson.loads(body)).get("kind") == "ConversionReview":
            return _refusal(review)
        return await answer(path, body)

    return answered


def _refusal(review: dict[str, Any]) -> Page:
    response = {
        "uid": review["request"]["uid"],
        "convertedObjects": [],
        "result": {"status": "Failure", "message": _CONVERTED},
    }
    body = {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}
    return Page(200, orjson.dumps(body), "application/json")


class ConversionProbe:
    """Asks a server about the conversions of one webhook server."""

    def __init__(self, user: Client, conversions: Sequence[Conversion[Any]]) -> None:
        self._user = user.retrying(NO_RETRY)
        self._probes = [probe for each in conversions if (probe := _Probe.of(each)) is not None]

    @asynccontextmanager
    async def ready(self) -> AsyncIterator[None]:
        """Have the webhook that asks for the probe; at the end the server has seen that conversion is undone.

        Raises:
            TimeoutError: it was not in time; the message has the last answer.
        """
        if not self._probes:
            yield
            return
        namespace = self._user.options.namespace
        place = Place(name=f"0-{namespace}-probe", url=_NOWHERE, namespaces=(namespace,))  # the first by name
        hooks = [each.hook for each in self._probes]
        await install_webhooks(self._user, hooks, place)
        try:
            for each in self._probes:
                await self._until(each, _CONVERTED, each.hook.name)
            yield
            for each in self._probes:
                if not await self._is_converted(each):  # or another trial of this process goes on with it
                    await self._until(each, each.hook.name)
        finally:
            await uninstall_webhooks(self._user, hooks, place)

    async def converted(self) -> None:
        """Wait until the server converts.

        Raises:
            TimeoutError: it was not in time; the message has the last answer.
        """
        for each in self._probes:
            await self._until(each, _CONVERTED)

    async def _until(self, probe: _Probe, *texts: str) -> None:
        said = "it was created"
        try:
            async with asyncio.timeout(_PATIENCE.total_seconds()):
                while not any(each in said for each in texts):
                    said = await self._tried(probe)
                    await SystemClock().sleep(_PAUSE)
        except TimeoutError as error:
            name = probe.conversion.hub.__kind__.resource
            raise TimeoutError(f"{name}: the server does not see its conversion change: {said}") from error

    async def _tried(self, probe: _Probe) -> str:
        """What the server says to the probe."""
        kind = Untyped.of(probe.kind)
        metadata = ObjectMeta(generate_name="probe-", labels={_LABEL: "yes"})
        try:
            await self._user.using(dry_run=True).create(kind(metadata=metadata))
        except ApiError as error:
            return str(error)
        return "it was created"

    async def _is_converted(self, probe: _Probe) -> bool:
        from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

        name = probe.conversion.hub.__kind__.resource
        found = (await self._user.get(CustomResourceDefinition, name)).spec.conversion
        return found is not None and found.strategy != "None"


@dataclass(frozen=True)
class _Probe:
    """An object of one version, and the webhook that asks for it in another."""

    conversion: Conversion[Any]
    kind: Kind
    hook: Webhook[Any]

    @classmethod
    def of(cls, conversion: Conversion[Any]) -> Self | None:
        """The probe of a conversion; None where no two versions are served, and nothing can be converted."""
        kinds = conversion.versions.values()
        served = [each for each in kinds if (each.__definition__ or Definition()).served]
        if len(served) < _TWO:
            return None
        asked, created = served[:_TWO]
        name = f"{conversion.hub.__kind__.resource}.probe.windlass.dev"
        options = HookOptions(objects=LabelSelector(match_labels={_LABEL: "yes"}))
        declare = mutating(asked, verbs=("create",), name=name, path=f"/{name}", options=options)
        return cls(conversion, created.__kind__, declare(_unasked))


def _unasked(_request: AdmissionRequest[Any]) -> Verdict[Any]:
    return Verdict.allow()
