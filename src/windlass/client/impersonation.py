from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.client.transport import Transport

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from windlass.client.config import Impersonation
    from windlass.client.transport import Request, Response, Stream


class ImpersonatingTransport(Transport):
    """Sends every request as another user; what lies below (fence, metrics, connections) stays in effect."""

    def __init__(self, transport: Transport, user: Impersonation) -> None:
        self._transport = transport
        self._user = user

    @override
    async def send(self, request: Request) -> Response:
        return await self._transport.send(self._acting(request))

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        return self._transport.stream(self._acting(request))

    @override
    async def close(self) -> None:
        await self._transport.close()

    def _acting(self, request: Request) -> Request:
        # One that a wrapper above this has set was chosen later, and holds.
        return request if request.impersonate is not None else replace(request, impersonate=self._user)
