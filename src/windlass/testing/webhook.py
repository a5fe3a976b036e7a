"""Webhooks of an operator in a test: reached, restricted to the test's namespace, and in effect."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.aio import SystemClock
from windlass.api import LabelSelector, ObjectMeta
from windlass.apiserver.outside import Answer, Unreachable
from windlass.cluster import Cluster
from windlass.errors import ApiError
from windlass.kinds.core.v1 import ConfigMap
from windlass.manager import Address
from windlass.testing.conversion_probe import ConversionProbe, refusing
from windlass.webhook import (
    Conversion,
    HookOptions,
    Place,
    ProcessCertificates,
    TlsPort,
    Verdict,
    Way,
    Webhook,
    WebhookServer,
    hooks_of,
    install_webhooks,
    mutating,
    uninstall_webhooks,
    validating,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from windlass.apiserver.outside import Handler
    from windlass.client import Client
    from windlass.cluster import Access
    from windlass.manager import Manager
    from windlass.webhook import AdmissionRequest, Answering, Part

_LOOPBACK: Final = Address("127.0.0.1", 0)
_NOWHERE: Final = "https://127.0.0.1:1"
_LABEL: Final = "windlass.dev/probe"
_PAUSE: Final = timedelta(milliseconds=20)
_PATIENCE: Final = 20.0


class InProcess(Way):
    """A way without sockets: an API server of this process calls a function."""

    def __init__(self, lead: Callable[[str, Handler], None], namespace: str) -> None:
        self._lead = lead
        self._namespace = namespace

    @override
    @asynccontextmanager
    async def open(self, answer: Answering, client: Client) -> AsyncIterator[Place]:
        async def handle(path: str, body: bytes) -> Answer:
            page = await answer(path, body)
            return Answer(page.status, page.body, page.content_type)

        host = f"webhooks.{self._namespace}.test"
        self._lead(f"{host}:443", handle)
        try:
            yield Place(name=self._namespace, url=f"https://{host}", namespaces=(self._namespace,))
        finally:
            self._lead(f"{host}:443", _nobody)


class _OnLoopback(Way):
    """A free port of this machine, for one namespace."""

    def __init__(self, server: WebhookServer, namespace: str) -> None:
        options = replace(server.options, address=_LOOPBACK, service=None, url="", secret="")
        self._port = TlsPort(options, ProcessCertificates([_LOOPBACK.host]))
        self._namespace = namespace

    @override
    @asynccontextmanager
    async def open(self, answer: Answering, client: Client) -> AsyncIterator[Place]:
        async with self._port.open(refusing(answer), client) as place:
            yield replace(place, name=self._namespace, namespaces=(self._namespace,))


def reach(manager: Manager, target: Cluster | Access, namespace: str) -> list[WebhookServer]:
    """Let the API server of a test reach the webhooks of an operator that does not run yet."""
    servers = [each for each in manager.companions if isinstance(each, WebhookServer)]
    for server in servers:
        if isinstance(target, Cluster):
            server.reach_by(InProcess(target.lead, namespace))
        else:
            server.reach_by(_OnLoopback(server, namespace))
    return servers


@asynccontextmanager
async def in_effect(
    servers: Sequence[WebhookServer], target: Cluster | Access, user: Client
) -> AsyncIterator[None]:
    """Install the webhooks of servers that run, wait until they are asked, and remove them at the end."""
    async with AsyncExitStack() as stack:
        for server in servers:
            place = await server.opened()
            if isinstance(target, Cluster):  # which looks at what is stored, each time
                await stack.enter_async_context(_installed(user, server.parts, place))
            else:
                await stack.enter_async_context(_seen(user, server.parts, place))
        yield


@asynccontextmanager
async def _seen(user: Client, parts: Sequence[Part], place: Place) -> AsyncIterator[None]:
    """Install webhooks for the length of the block, on a server that sees each change some time later."""
    probe = ConversionProbe(user, [each for each in parts if isinstance(each, Conversion)])
    async with probe.ready(), _installed(user, parts, place):
        await probe.converted()
        await _noticed(user, parts)
        yield


@asynccontextmanager
async def _installed(user: Client, parts: Sequence[Part], place: Place) -> AsyncIterator[None]:
    try:
        await install_webhooks(user, parts, place)
        yield
    finally:
        await uninstall_webhooks(user, parts, place)


async def _noticed(user: Client, parts: Sequence[Part]) -> None:
    """Wait until the API server has seen what was installed.

    It sees configurations of one sort in the order in which they were written: when one that was written
    later is in effect, all are. That one calls nobody, and so refuses the object that it is about.
    """
    namespace = user.options.namespace
    place = Place(name=f"{namespace}-probe", url=_NOWHERE, namespaces=(namespace,))
    sorts = {each.mutates for each in hooks_of(parts)}
    probes = [_probe(mutates=each) for each in sorts]
    async with _installed(user, probes, place), asyncio.timeout(_PATIENCE):
        for probe in probes:
            while not await _refuses(user, probe):
                await SystemClock().sleep(_PAUSE)


def _probe(*, mutates: bool) -> Webhook[ConfigMap]:
    name = f"{'mutate' if mutates else 'validate'}.probe.windlass.dev"
    options = HookOptions(objects=LabelSelector(match_labels={_LABEL: name}))
    declare = mutating if mutates else validating
    return declare(ConfigMap, verbs=("create",), name=name, path=f"/{name}", options=options)(_unasked)


def _unasked(_request: AdmissionRequest[ConfigMap]) -> Verdict[ConfigMap]:
    return Verdict.allow()


async def _refuses(user: Client, probe: Webhook[ConfigMap]) -> bool:
    metadata = ObjectMeta(generate_name="probe-", labels={_LABEL: probe.name})
    try:
        await user.using(dry_run=True).create(ConfigMap(metadata=metadata))
    except ApiError as error:
        if probe.name in str(error):
            return True
        raise
    return False


async def _nobody(_path: str, _body: bytes) -> Answer:
    raise Unreachable("connect: connection refused")
