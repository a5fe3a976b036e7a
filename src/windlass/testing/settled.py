from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.api import Key, Untyped
from windlass.cache import Phase
from windlass.client import Transport
from windlass.reconcile import Cause
from windlass.testing.churn import Churn, describe, own_managers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from windlass.cache import Informer
    from windlass.client import Client, Request, Response, Stream
    from windlass.manager import Manager
    from windlass.testing.churn import Changed

_PATIENCE = timedelta(seconds=30)
_RUNS_TOLD = 3
_TURNS = 50  # what an answer takes to come back through a watch in the same process, with some to spare
_ANOTHER_PASS = Cause("another pass")


class RecordingTransport(Transport):
    """Passes requests on and keeps them, watches apart: `requests` and `watches`, in the order sent."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.requests: list[Request] = []
        self.watches: list[Request] = []

    @override
    async def send(self, request: Request) -> Response:
        self.requests.append(request)
        return await self._transport.send(request)

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        self.watches.append(request)
        return self._transport.stream(request)

    @override
    async def close(self) -> None:
        await self._transport.close()


async def assert_settled(
    manager: Manager, transport: RecordingTransport, *, within: timedelta = _PATIENCE
) -> None:
    """Fail unless another pass over all objects makes no API call.

    It waits until the manager, whose client sends through `transport`, has heard of everything that has
    happened and has nothing left to do, has every object reconciled once more, and looks at what was sent.
    The keeping of a lease, events and the lists of the cache do not count. If others change something
    meanwhile, which may well be a reason for calls, it does so again.

        transport = RecordingTransport(cluster.transport())
        manager = Manager(Client(transport))
        ...
        await assert_settled(manager, transport)

    Raises:
        AssertionError: calls were made; each is named, with the fields that it changed, those that changed
            something first. Or the manager does not come to rest; what keeps changing is named, with its
            managers.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + within.total_seconds()
    with Churn(manager) as churn:
        while sent := await _another_pass(manager, transport, within, churn):
            if clock() > deadline or not sent.others_wrote:
                raise AssertionError(sent.told)


@dataclass(frozen=True)
class _Sent:
    """What a pass sent, and whether others changed something meanwhile, so that it had a reason."""

    told: str
    others_wrote: bool


async def _another_pass(
    manager: Manager, transport: RecordingTransport, within: timedelta, churn: Churn
) -> _Sent | None:
    await level(manager, within)
    churn.join()
    await _rest(manager, within, churn)
    before, versions = len(transport.requests), _versions(manager)
    churn.begin()
    for controller in manager.controllers:
        controller.wake_all(_ANOTHER_PASS)
    await _rest(manager, within, churn)
    calls = [each for each in transport.requests[before:] if not is_beside(each)]
    if not calls:
        return None
    changed = {path for path, _version in versions ^ _versions(manager)}
    written = tuple(each.path.removesuffix("/status") for each in calls if each.method != "GET")
    others = churn.by_others(own_managers(manager, transport.requests))
    return _Sent(
        _told(calls, churn, others),
        others_wrote=bool(others) or any(not path.startswith(written) for path in changed),
    )


def _told(calls: Sequence[Request], churn: Churn, others: Sequence[Changed]) -> str:
    """Return a message that names what others did, what changed something, and then the other calls."""
    described = sorted((describe(each, churn) for each in calls), key=lambda each: not each[0])
    calls_told = "\n".join(f"  {line}" for _, line in described)
    if not others:
        return f"another pass over objects that the operator had settled sent requests:\n{calls_told}"
    changes = "\n".join(f"  {each}" for each in others)
    return f"others keep changing objects:\n{changes}\nrequests of the operator meanwhile:\n{calls_told}"


def _versions(manager: Manager) -> set[tuple[str, str]]:
    """The path of each object in the cache, and its version."""
    found = set()
    for informer in manager.cache.informers:
        for key in informer.keys():  # noqa: SIM118 - no dictionary
            if snapshot := informer.snapshot(key):
                path = informer.kind.__kind__.path(key.name, key.namespace)
                found.add((path, snapshot.resource_version))
    return found


async def rest(manager: Manager, within: timedelta) -> None:
    """Wait until no controller has anything to do, and nothing comes back from what they did last.

    Raises:
        AssertionError: one always has; what keeps changing is named, with its managers.
    """
    with Churn(manager) as churn:
        await _rest(manager, within, churn)


async def _rest(manager: Manager, within: timedelta, churn: Churn) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + within.total_seconds()
    idle = 0
    while idle < _TURNS:
        busy = {each.name: len(each.queue) + each.queue.running for each in manager.controllers}
        if any(busy.values()) or not churn.is_complete:
            idle = 0
        if loop.time() > deadline:
            raise AssertionError(_restless(manager, busy, churn))
        await asyncio.sleep(0)  # nobody tells when there is nothing to do
        idle += 1


def _restless(manager: Manager, busy: Mapping[str, int], churn: Churn) -> str:
    """Return why a manager does not come to rest: what keeps changing, or what its last runs were for."""
    text = f"the manager does not come to rest; objects left to do: {dict(busy)}"
    if changed := churn.most():
        return f"{text}\nwhat keeps changing, the most frequent first:\n" + "\n".join(
            f"  {each}" for each in changed
        )
    runs = [
        f"  {each.controller} {each.key} because of {', '.join(each.causes)}: {each.outcome}"
        for each in manager.journal.recent(_RUNS_TOLD)
    ]
    return "\n".join([text, "nothing changes; the last runs:", *runs]) if runs else text


async def level(manager: Manager, within: timedelta) -> None:
    """Wait until the cache has every object in the version that the server has at present.

    Raises:
        AssertionError: it does not get there.
    """
    try:
        async with asyncio.timeout(within.total_seconds()):
            for informer in manager.cache.informers:
                await _level(informer, manager.client)
    except TimeoutError:
        raise AssertionError("the cache does not get to what the server has") from None


async def _level(informer: Informer[Any], client: Client) -> None:
    chosen, kind, heard = informer.selection, Untyped.of(informer.kind.__kind__), asyncio.Event()
    dismiss = informer.listen(lambda _: heard.set())
    try:
        while informer.state.phase is not Phase.WAITING:  # else there is no such kind
            heard.clear()
            found = await client.list(kind, chosen.namespace, labels=chosen.labels, fields=chosen.fields)
            live = {_key(each): each.metadata.resource_version for each in found}
            snapshots = {key: informer.snapshot(key) for key in informer.keys()}  # noqa: SIM118 - no dictionary
            if live == {key: each.resource_version for key, each in snapshots.items() if each}:
                return
            await heard.wait()
    finally:
        dismiss()


def _key(resource: Untyped) -> Key:
    return Key(resource.metadata.namespace, resource.metadata.name)


def is_beside(request: Request) -> bool:
    """Whether a request is none of a reconcile's: it keeps a lease, records an event, or fills the cache."""
    keeps_lease = request.path.startswith("/apis/coordination.k8s.io/")
    tells = request.path.startswith("/apis/events.k8s.io/")  # repetitions are counted in the event later
    fills_cache = request.method == "GET" and any(name == "limit" for name, _ in request.query)
    return keeps_lease or tells or fills_cache
