"""Webhooks of a process on a laptop, in place of those that the cluster has, until the process ends.

`windlass run --webhook-url` leads the API server to itself. What it replaces (the `spec.conversion` of a
definition, the webhooks of a configuration) is kept in an annotation of the object, so that it can be put
back: by the process when it ends, or if that was killed by the next `run`, `install` or `deploy`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from urllib.parse import urlsplit

from windlass.client import DeleteOptions, MergePatch
from windlass.errors import ConfigError, NotFound
from windlass.schema import alike
from windlass.webhook.configuration import configurations, conversion_clause, definition_name
from windlass.webhook.conversion import Conversion
from windlass.webhook.place import HTTPS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

    from windlass.api import Json, Resource
    from windlass.client import Client
    from windlass.webhook.configuration import Part
    from windlass.webhook.place import Place

REPLACED: Final = "windlass.dev/replaced-webhooks"
"""The annotation with what was there before, as JSON; `null` where the object was not there at all.

While it is there, the operator in the cluster leaves the `caBundle` as it is.
"""
_PATIENCE: Final = 2.0
_DEFINITION: Final = "CustomResourceDefinition"
_INJECTORS: Final = ("cert-manager.io/inject-ca-from", "cert-manager.io/inject-ca-from-secret")
"""The annotations by which cert-manager puts its authority into every `caBundle`."""
_UNCONVERTED: Final[Json] = {"strategy": "None"}

_log = logging.getLogger("windlass.webhook")


class _Target(NamedTuple):
    """An object that leads to webhooks, and what it is to have: a conversion, or a list of webhooks."""

    kind: type[Resource]
    name: str
    wanted: Any
    made: Resource | None = None

    def __str__(self) -> str:
        return f"{self.kind.__kind__.name} {self.name}"


async def take_over(client: Client, parts: Sequence[Part], place: Place) -> None:
    """Lead the API server to a place that is there for a while, and keep what it was led to before.

    Raises:
        ApiError: the server refuses; NotFound if the definition of a kind that is converted is not there,
            Conflict if another client has written to an object meanwhile.
        ConfigError: another process has taken them over, and still runs.
    """
    for target in _targets(parts, place):
        live = await _read(client, target)
        if live is None:
            made = cast("Any", target.made).model_copy(deep=True)
            made.metadata.annotations = {**made.metadata.annotations, REPLACED: "null"}
            await client.create(made)
            continue
        notes, present = live["metadata"].get("annotations") or {}, _value(live)
        if REPLACED in notes and covers(present, target.wanted):
            continue
        injected = {name: text for name, text in notes.items() if name in _INJECTORS}
        replaced = json.dumps({"value": present, "annotations": injected})
        if REPLACED in notes and (urls := _urls(present)):  # those of a process that runs, or was killed
            if not _is_at(urls[0], place) and await is_served(urls[0]):
                raise ConfigError(
                    f"{target} leads to {urls[0]}, where another process listens: stop that first"
                )
            replaced = notes[REPLACED]
        _log.info("%s leads to %s until this process ends", target, place.url)
        changed = {**dict.fromkeys(injected), REPLACED: replaced}
        await _write(client, target.kind, live, target.wanted, changed)


async def give_back(client: Client, parts: Sequence[Part], place: Place) -> None:
    """Put back what `take_over` replaced; what leads to another place by now is left as it is.

    Raises:
        ApiError: the server refuses.
    """
    for target in _targets(parts, place):
        live = await _read(client, target, missing_ok=True)
        if live is not None and all(_is_at(url, place) for url in _urls(_value(live))):
            await _put_back(client, target.kind, live)


async def restore_webhooks(client: Client, parts: Sequence[Part], place: Place) -> list[str]:
    """Put back what processes replaced that did not do so when they ended; return their URLs.

    Raises:
        ApiError: the server refuses.
    """
    replaced = [found async for found in _replaced(client, parts, place)]
    for target, live in replaced:
        await _put_back(client, target.kind, live)
    return _origins(replaced)


async def replaced_urls(client: Client, parts: Sequence[Part], place: Place) -> list[str]:
    """The URLs of processes that have replaced webhooks, whether or not they still run.

    Raises:
        ApiError: the server refuses.
    """
    return _origins([found async for found in _replaced(client, parts, place)])


async def _replaced(
    client: Client, parts: Sequence[Part], place: Place
) -> AsyncIterator[tuple[_Target, Json]]:
    """The objects whose webhooks a process has replaced."""
    for target in _targets(parts, place):
        live = await _read(client, target, missing_ok=True)
        if live is not None and REPLACED in (live["metadata"].get("annotations") or {}):
            yield target, live


def _origins(replaced: list[tuple[_Target, Json]]) -> list[str]:
    """The URLs to which the objects lead, without paths, each once."""
    urls = [urlsplit(url) for _, live in replaced for url in _urls(_value(live))]
    return list(dict.fromkeys(f"{url.scheme}://{url.netloc}" for url in urls))


async def diverted(client: Client, parts: Sequence[Part], place: Place) -> str:
    """Which object does not lead to a place, and where it leads; empty if all do.

    Raises:
        ApiError: the server refuses.
    """
    for target in _targets(parts, place):
        live = await _read(client, target, missing_ok=True)
        if live is None:
            return f"{target} not found"
        others = [url for url in _urls(_value(live)) if not _is_at(url, place)]
        if others:
            return f"{target} leads to {others[0]}: stop the `windlass run --webhook-url` that serves it"
    return ""


async def is_served(url: str) -> bool:
    """Whether a process listens where a URL leads."""
    place = urlsplit(url)
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(_PATIENCE):
            _, writer = await asyncio.open_connection(place.hostname, place.port or HTTPS)
        writer.close()
        return True
    return False


async def reclaim(client: Client, kind: type[Resource], document: Json) -> None:
    """Prepare an object for the server-side apply of a document that was refused since it leads elsewhere.

    A `clientConfig` has a service or a URL. One that another field manager wrote stays beside the one that is
    applied, and the server refuses both.

    Raises:
        ApiError: the server refuses.
    """
    try:
        live = (await client.get(kind, document["metadata"]["name"])).to_wire()
    except NotFound:
        return
    wanted, present = _value(document), _value(live)
    is_replaced = REPLACED in (live["metadata"].get("annotations") or {})
    if is_replaced or _ways(wanted) != _ways(present):
        await _write(client, kind, live, wanted, {REPLACED: None})


def _targets(parts: Sequence[Part], place: Place) -> Iterator[_Target]:
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    for each in configurations(parts, place):
        yield _Target(type(each), each.metadata.name, each.to_wire()["webhooks"], each)
    for part in parts:
        if isinstance(part, Conversion):
            yield _Target(CustomResourceDefinition, definition_name(part), conversion_clause(part, place))


async def _read(client: Client, target: _Target, *, missing_ok: bool = False) -> Json | None:
    """The object as it is; a definition is the operator's to install, so that it has to be there."""
    try:
        return (await client.get(target.kind, target.name)).to_wire()
    except NotFound:
        if target.made is None and not missing_ok:
            raise
        return None


async def _put_back(client: Client, kind: type[Resource], live: Json) -> None:
    metadata = live["metadata"]
    replaced = (metadata.get("annotations") or {}).get(REPLACED)
    if replaced is None:
        return
    before = json.loads(replaced)
    if before is None:
        unchanged = DeleteOptions(uid=metadata["uid"], resource_version=metadata["resourceVersion"])
        await client.delete(kind, metadata["name"], options=unchanged)
    else:
        await _write(client, kind, live, before["value"], {**before["annotations"], REPLACED: None})


async def _write(
    client: Client, kind: type[Resource], live: Json, value: Any, annotations: Mapping[str, str | None]
) -> None:
    """Write a conversion or webhooks in place of those of an object, if it is still as it was read."""
    is_definition = kind.__kind__.name == _DEFINITION
    content = {"spec": {"conversion": _exact(value)}} if is_definition else {"webhooks": value}
    metadata = {"resourceVersion": live["metadata"]["resourceVersion"], "annotations": annotations}
    await client.patch(kind, live["metadata"]["name"], MergePatch({"metadata": metadata, **content}))


def _value(wire: Json) -> Any:
    """The conversion of a definition, or the webhooks of a configuration."""
    if wire["kind"] == _DEFINITION:
        return wire["spec"].get("conversion") or _UNCONVERTED
    return wire.get("webhooks") or []


def _exact(conversion: Json) -> Json:
    """A conversion as a merge patch that leaves nothing of another one."""
    webhook = conversion.get("webhook")
    if webhook is None:
        return {**conversion, "webhook": None}
    config = webhook.get("clientConfig") or {}
    service = config.get("service")
    exact = {
        "url": config.get("url"),
        "caBundle": config.get("caBundle"),
        "service": {"path": None, "port": None, **service} if service else None,
    }
    return {**conversion, "webhook": {**webhook, "clientConfig": exact}}


def _urls(value: Any) -> list[str]:
    """The URLs to which a conversion or webhooks lead."""
    return [each["url"] for each in _client_configs(value) if each.get("url")]


def _is_at(url: str, place: Place) -> bool:
    """Whether a URL leads to a place; one of port 9443 does not lead to port 944."""
    return bool(place.url) and url.startswith(f"{place.url.rstrip('/')}/")


def _ways(value: Any) -> set[str]:
    """The fields by which they lead anywhere."""
    return {way for each in _client_configs(value) for way in ("url", "service") if each.get(way)}


def _client_configs(value: Any) -> list[Json]:
    if isinstance(value, list):
        return [each["clientConfig"] for each in value]
    return [(value.get("webhook") or {}).get("clientConfig") or {}]


def covers(live: Any, wanted: Any) -> bool:
    """Whether all that is wanted is there; the server adds defaults, but no items to our lists."""
    if isinstance(live, dict) and isinstance(wanted, dict):
        return all(name in live and covers(live[name], value) for name, value in wanted.items())
    if isinstance(live, list) and isinstance(wanted, list) and len(live) == len(wanted):
        return all(map(covers, live, wanted))
    return alike(live, wanted)
