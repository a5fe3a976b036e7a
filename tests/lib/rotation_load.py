"""Real certificates that live for seconds, servers that use them, and clients that trust what was published."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import orjson
from aiohttp import web
from cryptography import x509

from keeping import bundles
from windlass.api import ObjectMeta
from windlass.errors import WindlassError
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client
    from windlass.webhook import CertificateKeeper

_PAUSE = 0.02  # between two requests of one client: the machine has other things to do


async def _answer(request: web.BaseRequest) -> web.StreamResponse:
    """Let everything pass, and end the connection, so that the next request shakes hands anew."""
    review = orjson.loads(await request.read() or b"{}")
    uid = review.get("request", {}).get("uid", "")
    verdict = {**review, "request": None, "response": {"uid": uid, "allowed": True}}
    response = web.Response(body=orjson.dumps(verdict), content_type="application/json")
    response.force_close()
    return response


@asynccontextmanager
async def replica(client: Client, keeper: CertificateKeeper) -> AsyncIterator[int]:
    """A replica that keeps certificates and serves by them; its port."""
    server = web.Server(_answer)
    keeping = asyncio.create_task(keeper.run(client))
    try:
        await keeper.ready()
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(server, "127.0.0.1", 0, ssl=keeper.context)
        yield int(listening.sockets[0].getsockname()[1])
        listening.close()
        await server.shutdown(0.1)
    finally:
        keeping.cancel()
        await asyncio.wait((keeping,))


@dataclass
class Load:
    """Clients that open one connection after another, and what became of them.

    `lag`, in seconds, is how old the bundle is by which a client judges.
    """

    client: Client
    configuration: str
    lag: float
    published: list[tuple[float, str]] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    shown: set[bytes] = field(default_factory=set)
    failed: list[str] = field(default_factory=list)

    @property
    def signers(self) -> set[x509.Name]:
        """Who signed the certificates that were shown."""
        return {x509.load_der_x509_certificate(each).issuer for each in self.shown}

    async def follow(self) -> None:
        """Note what an API server reads, and when."""
        while True:
            found = await self.client.get(ValidatingWebhookConfiguration, self.configuration)
            bundle = bundles(found)[0]
            if bundle and (not self.published or self.published[-1][1] != bundle):
                self.published.append((self._now(), bundle))
            await asyncio.sleep(0.1)

    async def connect(self, port: int) -> None:
        """Open connections to a replica, each judged by the bundle of a little while ago."""
        while True:
            await asyncio.sleep(_PAUSE)
            bundle = self._lagging()
            if not bundle:
                continue
            try:
                self.shown.add(await _presented(port, bundle))
                self.done["connections"] += 1
            except (OSError, EOFError) as error:  # an SSLError is an OSError
                self.failed.append(f"a client: {error!r}")

    async def write(self, namespace: str) -> None:
        """Have the API server call the webhook, which calls for a connection each time."""
        dry = self.client.using(dry_run=True)
        while True:
            await asyncio.sleep(_PAUSE)
            if not self._lagging():
                continue
            try:
                await dry.create(ConfigMap(metadata=ObjectMeta(name="probe", namespace=namespace)))
                self.done["reviews"] += 1
            except WindlassError as error:
                self.failed.append(f"the API server: {error}")

    def _lagging(self) -> str:
        until = self._now() - self.lag
        return next((bundle for moment, bundle in reversed(self.published) if moment <= until), "")

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


async def _presented(port: int, bundle: str) -> bytes:
    """The certificate that a server shows, after a whole exchange with it."""
    trusting = ssl.create_default_context(cadata=bundle)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting)
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readuntil(b"200 OK")
        shown: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
    return shown
