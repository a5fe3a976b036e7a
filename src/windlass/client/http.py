from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.aio import Clock, SystemClock
from windlass.client.certificate import check_authority
from windlass.client.credentials import Identity, read_file
from windlass.client.reloaded import Reloaded
from windlass.client.transport import Request, Response, Stream, Transport
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from multidict import CIMultiDict

    from windlass.client.config import ClusterConfig
    from windlass.client.connections import Connections

_IMPERSONATE = "impersonate-"
_UNAUTHORIZED = 401


class HttpTransport(Transport):
    """Requests over HTTP/1.1, kept connections and TLS, with the credentials of a configuration.

    A refusal with 401 makes the credentials look for something newer (a rotated token, another run of an
    exec plugin); only if they find it is the request repeated, once. A client certificate or a CA file
    that changes is used for new connections; requests under way end on the old ones.

    `Request.timeout` bounds the whole of a sent request, and in a stream each silence. Requests that wait
    for their turn, because `ClusterConfig.connections` are under way, wait without a limit.

    Raises:
        ConfigError: here and from every request, credentials cannot be read, obtained or used.
    """

    def __init__(self, config: ClusterConfig, *, clock: Clock | None = None) -> None:
        self._config = config
        self._clock = clock or SystemClock()
        self._source = config.credentials.open(self._clock)
        self._authority = Reloaded(self._read_authority, self._clock)
        self._turns = asyncio.Semaphore(config.connections)
        self._wire: _Wire | None = None
        self._retired: list[Connections] = []
        self._closed = False

    @override
    async def send(self, request: Request) -> Response:
        async with self._turns:
            wire = await self._current()
            response = await wire.connections.send(request, wire.headers_of(request))
            if response.status == _UNAUTHORIZED and await self._renewed(wire.identity):
                wire = await self._current()
                response = await wire.connections.send(request, wire.headers_of(request))
            return response

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        wire = await self._current()
        async with wire.connections.stream(request, wire.headers_of(request)) as stream:
            if stream.status != _UNAUTHORIZED or not await self._renewed(wire.identity):
                yield stream
                return
        wire = await self._current()
        async with wire.connections.stream(request, wire.headers_of(request)) as stream:
            yield stream

    @override
    async def close(self) -> None:
        self._closed = True
        every = [*self._retired, self._wire.connections] if self._wire else []
        self._wire = None
        self._retired.clear()
        for connections in every:
            await connections.close()

    async def _renewed(self, refused: Identity) -> bool:
        """Whether there is another identity to try after a 401."""
        if await self._source.renew(refused):
            return True
        if refused.certificate is not None:
            # Servers say no more than "Unauthorized" to an expired certificate; we can.
            refused.certificate.check_current(self._clock.now())
        return False

    async def _current(self) -> _Wire:
        """The connections to use now: the last ones, unless certificate or authority changed."""
        identity = await self._source.identity()
        authority = self._authority.value()
        wire = self._wire
        if wire is not None and identity is wire.identity and authority is wire.authority:
            return wire
        if self._closed:
            raise ConnectionFailedError(f"{self._config.server}: this client was closed", lasting=True)
        if (
            wire is not None
            and identity.certificate == wire.identity.certificate
            and authority is wire.authority
        ):
            self._wire = _Wire(self._config, identity, authority, wire.connections)
            return self._wire
        self._wire = _Wire(self._config, identity, authority, self._connect(identity, authority))
        if wire is None:
            return self._wire
        self._retired = [old for old in (*self._retired, wire.connections) if not old.closed]
        await wire.connections.retire()
        return await self._current()  # the wait may have changed everything again

    def _connect(self, identity: Identity, authority: bytes | None) -> Connections:
        # These bring aiohttp and ssl along, which only who talks to a server should pay for.
        from windlass.client.connections import Connections
        from windlass.client.tls import tls_context

        if not self._config.server.lower().startswith("https:"):
            return Connections(self._config, None)
        if identity.certificate is not None:
            identity.certificate.check_current(self._clock.now())
        context = tls_context(
            verify=self._config.verify, authority=authority, certificate=identity.certificate
        )
        return Connections(self._config, context)

    def _read_authority(self) -> bytes | None:
        ca = self._config.ca
        if ca is None:
            return None
        where = self._config.origin or "ca"
        if isinstance(ca, bytes):
            return check_authority(ca, f"{where}: certificate-authority-data")
        return check_authority(read_file(ca, where, "certificate-authority"), f"{where}: {ca}")


class _Wire:
    """One identity, the headers that go with it, and the connections that carry it."""

    def __init__(
        self, config: ClusterConfig, identity: Identity, authority: bytes | None, connections: Connections
    ) -> None:
        from multidict import CIMultiDict

        self.identity = identity
        self.authority = authority
        self.connections = connections
        self._impersonate = config.impersonate
        self._headers: CIMultiDict[str] = CIMultiDict({"User-Agent": config.user_agent})
        if identity.authorization is not None:
            self._headers["Authorization"] = identity.authorization
        if config.compression:
            self._headers["Accept-Encoding"] = "gzip"

    def headers_of(self, request: Request) -> CIMultiDict[str]:
        headers = self._headers.copy()
        headers.update(request.headers)
        named = [name for name in request.headers if name.lower().startswith(_IMPERSONATE)]
        impersonate = request.impersonate or (None if named else self._impersonate)
        if impersonate is not None:
            for name in named:
                headers.popall(name, None)
            headers.extend(impersonate.headers())
        return headers
