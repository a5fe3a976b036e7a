"""Waiting for a cluster to do what it was told, with a word about what is missing when it does not."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.errors import NotFound, NotSettledError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

    from windlass.aio import Clock
    from windlass.api import Json
    from windlass.cli.installer import Installer
    from windlass.client import Client
    from windlass.kinds.apps.v1 import Deployment
    from windlass.kinds.core.v1 import Pod

_PAUSE: Final = timedelta(milliseconds=200)
_ADVICE: Final = (
    "The operator removes finalizers: start it, or give up what they stand for: "
    """kubectl patch KIND NAME -n NAMESPACE --type merge -p '{"metadata": {"finalizers": null}}'"""
)


class Patience:
    """Looks again and again, until there is nothing left to say or the time is over."""

    def __init__(self, clock: Clock, limit: timedelta) -> None:
        self._clock = clock
        self._limit = limit

    async def until_quiet(self, missing: Callable[[], Awaitable[str]]) -> None:
        """Wait until nothing is missing.

        Raises:
            NotSettledError: something still is, when the time is over; the message says what.
        """
        end = self._clock.monotonic() + self._limit.total_seconds()
        while said := await missing():
            if self._clock.monotonic() >= end:
                raise NotSettledError(f"after {self._limit.total_seconds():g} s, {said}")
            await self._clock.sleep(_PAUSE)


async def unestablished(client: Client, definitions: Iterable[Json]) -> str:
    """The first definition whose kind is not served yet, and why."""
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    for each in definitions:
        found = await client.get(CustomResourceDefinition, each["metadata"]["name"])
        conditions = found.status.conditions
        if not any(one.type == "Established" and one.status == "True" for one in conditions):
            told = "; ".join(f"{one.type}={one.status}: {one.message}" for one in conditions) or "nothing"
            return f"{found.metadata.name} is not established; it says {told}"
    return ""


async def delete_objects(client: Client, definitions: Iterable[Json]) -> str:
    """Delete every object of these kinds; returns those that are still there, and what each waits for."""
    from windlass.client import find_kind

    left: list[str] = []
    for each in definitions:
        spec = each["spec"]
        (version,) = (one["name"] for one in spec["versions"] if one["storage"])
        try:
            kind = await find_kind(client, f"{spec['group']}/{version}", spec["names"]["kind"])
            objects = await client.list(kind)
        except NotFound:
            continue
        for found in objects:
            meta = found.metadata
            if meta.deletion_timestamp is None:
                with suppress(NotFound):
                    await client.delete(kind, meta.name, meta.namespace)
            left.append(f"{found} is still there, waiting for {', '.join(meta.finalizers) or 'its end'}")
    return "\n".join([*left, _ADVICE]) if left else ""


async def delete_kinds(
    client: Client,
    installer: Installer,
    definitions: Sequence[Json],
    patience: Patience | None,
    *,
    ignore_missing: bool = False,
) -> None:
    """Delete definitions, after the objects of all of them: who looks at another kind while it goes needs it.

    Without patience nobody waits for anything: the server deletes the objects of each kind with it.

    Raises:
        NotFound: a definition is not there, and that is not to be ignored.
        NotSettledError: something is still there when the time is over; then no definition was touched, or
            all of them were.
    """
    if patience:
        await patience.until_quiet(partial(delete_objects, client, definitions))
    going = await installer.delete(definitions, ignore_missing=ignore_missing)
    if patience:
        await patience.until_quiet(partial(remaining, installer, going))


async def remaining(installer: Installer, documents: Iterable[Json]) -> str:
    """The first of these objects that is still there, and what it waits for."""
    for each in documents:
        found = await installer.find(each)
        if found is not None and found.metadata.deletion_timestamp is not None:
            waits = ", ".join(found.metadata.finalizers) or "what is in it"
            return f"{each['kind']} {each['metadata']['name']} is still there, waiting for {waits}"
    return ""


async def unavailable(client: Client, document: Json) -> str:
    """What keeps a Deployment from being rolled out and available, with what its pods say."""
    from windlass.kinds.apps.v1 import Deployment
    from windlass.kinds.core.v1 import Pod

    name, namespace = document["metadata"]["name"], document["metadata"]["namespace"]
    found = await client.get(Deployment, name, namespace)
    if _is_available(found):
        return ""
    wanted = document["spec"]["selector"]["matchLabels"]
    labels = ",".join(f"{key}={value}" for key, value in wanted.items())
    pods = await client.list(Pod, namespace, labels=labels)
    available = found.status.available_replicas or 0
    told = [f"deployment {name} has {available} of {found.spec.replicas} replicas available"]
    return "; ".join([*told, *(line for pod in pods for line in _complaints(pod))])


def _is_available(found: Deployment) -> bool:
    status, wanted = found.status, found.spec.replicas
    counts = (status.replicas or 0, status.updated_replicas or 0, status.available_replicas or 0)
    return status.observed_generation == found.metadata.generation and counts == (wanted, wanted, wanted)


def _complaints(pod: Pod) -> Iterator[str]:
    """What a pod says of why it does not run."""
    for condition in pod.status.conditions:
        if condition.type == "PodScheduled" and condition.status == "False":
            yield f"pod {pod.metadata.name} is not scheduled: {condition.message}"
    for each in pod.status.container_statuses:
        if each.state and each.state.waiting and each.state.waiting.message:
            yield f"pod {pod.metadata.name}: {each.state.waiting.reason}: {each.state.waiting.message}"
        if each.last_state and each.last_state.terminated:
            yield f"pod {pod.metadata.name} ended with {each.last_state.terminated.exit_code}, see its log"
