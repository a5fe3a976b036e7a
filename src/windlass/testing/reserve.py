"""Definitions that the trials of a control plane share: each trial finds them as on a fresh server.

A definition belongs to the whole server, and so does its conversion. A trial that converts the versions of a
kind has its definition alone; other trials of the kind wait. At its end the objects of the kind are deleted:
the next trial may convert in another way, and an object that it cannot convert makes a version unreadable for
everybody. What a killed trial left is removed by the next one.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.aio import SystemClock
from windlass.api import Kind, Untyped
from windlass.client import NO_RETRY, MergePatch
from windlass.codegen import custom_resource_definitions
from windlass.errors import ApiError, ConfigError, NotFound

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
    from pathlib import Path

    from windlass.api import Json, Resource
    from windlass.client import Client
    from windlass.cluster import Access
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

_PAUSE: Final = timedelta(milliseconds=20)
_PATIENCE: Final = timedelta(seconds=30)
_PRIVATE: Final = 0o600


@asynccontextmanager
async def reserved(
    access: Access, client: Client, kinds: Iterable[type[Resource]], converted: Collection[str]
) -> AsyncIterator[None]:
    """Hold the definitions of kinds for the length of the block; those that are `converted` in it, alone.

    So is one that has to be deleted first, since it cannot be changed into the wanted one.

    Raises:
        ConfigError: this system has no flock.
        TimeoutError: objects of an earlier trial could not be removed; the message has the last answer.
    """
    definitions = {each["metadata"]["name"]: each for each in custom_resource_definitions(list(kinds))}
    quick = client.retrying(NO_RETRY)
    async with AsyncExitStack() as stack:
        for name, definition in sorted(definitions.items()):
            alone = name in converted or not await _fits(quick, definition)
            first = await stack.enter_async_context(_held(access.folder / name, alone=alone))
            if first:
                await _undo_conversion(quick, name)
            if first and alone:
                await _prepare(quick, definition)
                stack.push_async_callback(_empty, quick, name)
        yield


@dataclass(slots=True)
class _Lock:
    """A lock of this process, and how many of its trials use it."""

    descriptor: int
    trials: int = 1


_HELD: Final[dict[Path, _Lock]] = {}
"""A lock belongs to the process: its trials share it if they run at the same time, as in one test."""


@asynccontextmanager
async def _held(path: Path, *, alone: bool) -> AsyncIterator[bool]:
    """Hold a lock, which the block is told whether it took; the kernel releases that of a killed process."""
    first = await _take(path, alone=alone)
    try:
        yield first
    finally:
        lock = _HELD[path]
        lock.trials -= 1
        if not lock.trials:
            del _HELD[path]
            os.close(lock.descriptor)


async def _take(path: Path, *, alone: bool) -> bool:
    """Wait for a lock; False if this process has it. Trials queue, so that shared ones do not overtake.

    Raises:
        ConfigError: this system has no flock.
    """
    queue, lock = _open(f"{path}.queue"), _open(f"{path}.lock")
    try:
        while path not in _HELD:
            if _lock(queue, alone=True) and _lock(lock, alone=alone):
                _HELD[path] = _Lock(lock)
                return True
            await SystemClock().sleep(_PAUSE)
        _HELD[path].trials += 1
        return False
    finally:
        os.close(queue)
        if path not in _HELD or _HELD[path].descriptor != lock:
            os.close(lock)


def _open(file: str) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT, _PRIVATE)


def _lock(descriptor: int, *, alone: bool) -> bool:
    """Lock a file unless another process has it."""
    try:
        import fcntl
    except ImportError:
        message = "trials that share a control plane need a system that knows flock: Linux, macOS or BSD"
        raise ConfigError(message) from None
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _undo_conversion(client: Client, name: str) -> None:
    """Take away the conversion of a trial that was killed, and its webhooks: no server answers any more."""
    from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    for each in await client.list(ValidatingWebhookConfiguration):
        if any(hook.name.startswith("convert-") and hook.name.endswith(f".{name}") for hook in each.webhooks):
            with suppress(NotFound):
                await client.delete(ValidatingWebhookConfiguration, each.metadata.name)
    found = await _found(client, name)
    if found is not None and found.spec.conversion and found.spec.conversion.strategy != "None":
        undone: Json = {"spec": {"conversion": {"strategy": "None", "webhook": None}}}
        await client.patch(CustomResourceDefinition, name, MergePatch(undone))


async def _fits(client: Client, wanted: Json) -> bool:
    """Whether a definition can take the place of what is there: it has all versions that were stored."""
    found = await _found(client, wanted["metadata"]["name"])
    versions = {each["name"] for each in wanted["spec"]["versions"]}
    return found is None or versions.issuperset(found.status.stored_versions)


async def _prepare(client: Client, wanted: Json) -> None:
    """Delete what is there of a kind, its definition only if the wanted one cannot take its place."""
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    name = wanted["metadata"]["name"]
    await _empty(client, name)
    if not await _fits(client, wanted):
        await client.delete(CustomResourceDefinition, name)
        await _until(partial(_is_gone, client, name), f"{name} is not deleted")


async def _is_gone(client: Client, name: str) -> bool:
    return await _found(client, name) is None


async def _empty(client: Client, name: str) -> None:
    """Delete all objects of a definition, and their finalizers, whose operators have ended."""
    found = await _found(client, name)
    if found is None:
        return
    spec = found.spec
    stored = next(each.name for each in spec.versions if each.storage)
    kind = Kind(spec.group, stored, spec.names.kind, spec.names.plural, namespaced=spec.scope == "Namespaced")
    await _until(partial(_is_empty, client, Untyped.of(kind)), f"the objects of {name} are not deleted")


async def _is_empty(client: Client, kind: type[Untyped]) -> bool:
    """Whether there are no objects of a kind; those that there are, are deleted."""
    try:
        found = list(await client.list(kind))
    except NotFound:  # it is not served
        return True
    for each in found:
        name, namespace = each.metadata.name, each.metadata.namespace
        with suppress(NotFound):
            if each.metadata.finalizers:
                await client.patch(kind, name, MergePatch({"metadata": {"finalizers": None}}), namespace)
            await client.delete(kind, name, namespace)
    return not found


async def _until(done: Callable[[], Awaitable[bool]], problem: str) -> None:
    """Try again until it is done: the server sees changes of a definition, and of webhooks, some time later.

    Raises:
        TimeoutError: it was not done in time; the message has the last answer.
    """
    last: ApiError | None = None
    try:
        async with asyncio.timeout(_PATIENCE.total_seconds()):
            while True:
                try:
                    if await done():
                        return
                except ApiError as error:
                    last = error
                await SystemClock().sleep(_PAUSE)
    except TimeoutError:
        after = f"after {_PATIENCE.total_seconds():g} s"
        raise TimeoutError(f"{problem} {after}: {last or 'they come back'}") from last


async def _found(client: Client, name: str) -> CustomResourceDefinition | None:
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    try:
        return await client.get(CustomResourceDefinition, name)
    except NotFound:
        return None
