"""What the tests of the client on a real API server share: a client, a kind, and a relay that can be cut."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import Counter
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

from windlass.api import (
    Definition,
    Field,
    IntOrString,
    ListMap,
    Model,
    Quantity,
    Resource,
    Scale,
    Spec,
    Status,
)
from windlass.client import ClientOptions, Retry, connect, load_config
from windlass.pki import serving_certificate

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from windlass.client import Client
    from windlass.testing import Access

QUICK = Retry(first=timedelta(milliseconds=10), attempts=20)
"""Tries often, and waits for fractions of a second."""

_PATIENCE = 20.0
_CHUNK = 2**16
_REQUEST = re.compile(rb"([A-Z]+) \S+ HTTP/1\.1\r\n")

Moment = Literal["request", "answer"]
"""When a connection is cut: before a request is passed on, or after, in place of its answer."""


class Paint(Model):
    """Two levels below a spec."""

    layers: list[str] = []
    notes: dict[str, str] = {}


class Shell(Model):
    """One level below a spec."""

    colour: str = "grey"
    paint: Paint = Field(default_factory=Paint)


class Part(Model):
    """An item that is told apart by its name."""

    name: str
    amount: Quantity | None = None


class GadgetSpec(Spec):
    """What a gadget is to be."""

    size: int = Field(default=1, ge=0)
    replicas: int = 1
    port: IntOrString | None = None
    parts: Annotated[list[Part], ListMap("name")] = []
    shell: Shell = Field(default_factory=Shell)


class GadgetStatus(Status):
    """What a gadget is."""

    replicas: int = 0
    phase: str = ""


class Gadget(
    Resource,
    group="client.example.com",
    version="v1",
    definition=Definition(storage=True, scale=Scale(), selectable_fields=(".spec.size",)),
):
    """A kind of our own, with a status and a scale."""

    spec: GadgetSpec = Field(default_factory=GadgetSpec)
    status: GadgetStatus = Field(default_factory=GadgetStatus)


class OldGadget(
    Resource,
    group="client.example.com",
    version="v1alpha1",
    kind="Gadget",
    definition=Definition(deprecated="use client.example.com/v1"),
):
    """The same in a version that is going away."""

    spec: GadgetSpec = Field(default_factory=GadgetSpec)
    status: GadgetStatus = Field(default_factory=GadgetStatus)


GADGETS = (Gadget, OldGadget)


@asynccontextmanager
async def administrator(
    access: Access, namespace: str, server: str = "", **options: Any
) -> AsyncIterator[Client]:
    """A client who may do everything, in a namespace, perhaps by way of a relay."""
    config = load_config(access.kubeconfig)
    if server:
        config = replace(config, server=server)
    async with connect(config, ClientOptions(namespace=namespace, **options)) as client:
        yield client


@asynccontextmanager
async def settled() -> AsyncIterator[None]:
    """Wait at the end of the block until no connection is left of those that were made in it.

    The connection of a watch that is left early says goodbye in the background, even after its client was
    closed. If the test's event loop ends first, some later test gets the warning about an open socket.
    """
    before = _sockets()
    yield
    async with asyncio.timeout(_PATIENCE):
        while _sockets() > before:  # noqa: ASYNC110 - the loop tells nobody
            await asyncio.sleep(0.01)


def _sockets() -> int:
    """How many connections the running loop has open, which the loops of asyncio keep to themselves."""
    loop: Any = asyncio.get_running_loop()
    return sum(transport._sock is not None for transport in tuple(loop._transports.values()))


class Relay:
    """Stands between clients and an API server, sees the requests that pass, and can be cut.

    It ends the TLS of the clients and speaks its own to the server. `accepted` counts connections since the
    beginning, `open` those that stand now, `requests` what arrived, by method.
    """

    def __init__(self, access: Access, folder: Path) -> None:
        pair = serving_certificate(access.authority, ["127.0.0.1"])
        (folder / "relay.crt").write_text(pair.certificate)
        (folder / "relay.key").write_text(pair.key)
        self._inward = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._inward.load_cert_chain(folder / "relay.crt", folder / "relay.key")
        self._outward = ssl.create_default_context(cadata=access.ca)
        self._upstream = urlsplit(access.server)
        self._links: set[_Link] = set()
        self._served: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Condition()
        self._cuts: Counter[tuple[str, Moment]] = Counter()
        self._listening: asyncio.Server | None = None
        self.port = 0
        self.accepted = 0
        self.requests: Counter[str] = Counter()

    @property
    def server(self) -> str:
        """The address for clients."""
        return f"https://127.0.0.1:{self.port}"

    @property
    def open(self) -> int:
        """How many connections stand."""
        return len(self._links)

    async def listen(self) -> None:
        """Take connections, at the same port each time."""
        self._listening = await asyncio.start_server(
            self._serve, "127.0.0.1", self.port, ssl=self._inward, ssl_shutdown_timeout=1
        )
        self.port = self._listening.sockets[0].getsockname()[1]

    async def refuse(self) -> None:
        """Take no connections, and cut those that stand."""
        if self._listening:
            self._listening.close()
        self.cut()
        if self._served:
            await asyncio.wait(self._served)

    def cut(self) -> None:
        """Break every connection, as a network does: without a word."""
        for link in self._links:
            link.abort()

    def cut_next(self, method: str, at: Moment, times: int = 1) -> None:
        """Break the connection at the next requests of this method: before they are passed on, or after."""
        self._cuts[method, at] += times

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is true of this relay."""
        async with asyncio.timeout(_PATIENCE), self._changed:
            await self._changed.wait_for(condition)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        # Not left to the server's own task, of which nobody would know when it is over.
        serving = asyncio.ensure_future(self._link(reader, writer))
        self._served.add(serving)
        serving.add_done_callback(self._served.discard)

    async def _link(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.accepted += 1
        host, port = self._upstream.hostname, self._upstream.port
        try:
            up_reader, up_writer = await asyncio.open_connection(host, port, ssl=self._outward)
        except OSError:  # the server is away, and the client is to know
            writer.transport.abort()
            return
        link = _Link(writer, up_writer)
        self._links.add(link)
        await self._tell()
        pumps = [
            asyncio.ensure_future(self._requests(reader, up_writer, link)),
            asyncio.ensure_future(self._answers(up_reader, writer, link)),
        ]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        await link.close()
        await asyncio.wait(pumps)
        self._links.discard(link)
        await self._tell()

    async def _requests(self, reader: StreamReader, writer: StreamWriter, link: _Link) -> None:
        with suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                # A client waits for each answer, so a request begins where a chunk begins.
                if begun := _REQUEST.match(chunk):
                    link.method = begun[1].decode()
                    self.requests[link.method] += 1
                    await self._tell()
                    if self._is_cut(link.method, "request"):
                        return
                writer.write(chunk)
                await writer.drain()

    async def _answers(self, reader: StreamReader, writer: StreamWriter, link: _Link) -> None:
        with suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                if self._is_cut(link.method, "answer"):
                    return
                writer.write(chunk)
                await writer.drain()

    def _is_cut(self, method: str, at: Moment) -> bool:
        if self._cuts[method, at] <= 0:
            return False
        self._cuts[method, at] -= 1
        return True

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


class _Link:
    """One connection of a client, and the one to the server that goes with it."""

    def __init__(self, *writers: StreamWriter) -> None:
        self._writers = writers
        self.method = ""

    def abort(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def close(self) -> None:
        self.abort()
        for writer in self._writers:
            with suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def relayed(access: Access, folder: Path) -> AsyncIterator[Relay]:
    """A relay to an API server, gone at the end of the block."""
    relay = Relay(access, folder)
    await relay.listen()
    try:
        yield relay
    finally:
        await relay.refuse()
