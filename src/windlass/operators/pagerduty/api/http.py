from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.errors import ConnectionFailedError
from windlass.operators.pagerduty.api.wire import Call, Reply, Wire
from windlass.reconcile import Sink, Source

if TYPE_CHECKING:
    from aiohttp import ClientSession

_SECONDS = 25  # less than the time for which an unanswered request counts as on its way


class HttpWire(Wire):
    """PagerDuty over HTTPS. Its connections are made at the first request, and closed by `close`."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url.rstrip("/")
        self._session: ClientSession | None = None

    @override
    async def send(self, call: Call) -> Reply:
        import aiohttp  # rather when it is used than when the operator is declared

        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_SECONDS))
        try:
            async with self._session.request(
                call.method,
                self._base_url + call.path,
                params=list(call.query),
                json=call.body,
                headers=dict(call.headers),
                allow_redirects=False,  # it would carry the token elsewhere
            ) as answer:
                headers = {name.lower(): value for name, value in answer.headers.items()}
                return Reply(status=answer.status, headers=headers, body=await answer.read())
        except aiohttp.ClientConnectorError as error:
            raise ConnectionFailedError(f"{call}: {error}") from error
        except (aiohttp.ClientError, TimeoutError) as error:
            said = str(error) or type(error).__name__
            raise ConnectionFailedError(f"{call}: no answer came: {said}", sent=True) from error

    async def close(self) -> None:
        """Let the connections go; the next request makes new ones."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()


class Connection(Source):
    """Closes a wire when the last of the controllers that use it has ended; it wakes nobody."""

    def __init__(self, wire: HttpWire) -> None:
        self._wire = wire
        self._users = 0

    @override
    async def run(self, sink: Sink) -> None:
        self._users += 1
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            self._users -= 1
            if not self._users:
                await self._wire.close()
