"""Requests as somebody else than the administrator, and waiting for what they may do."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from contract import Api
from contract_target import admin_config, transport_to
from windlass.client import ClusterConfig, Impersonation, Transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from contextlib import AbstractAsyncContextManager

    from windlass.client import Request, Response, Stream
    from windlass.testing import Access


class WithHeaders(Transport):
    """Another transport, with headers added to each request."""

    def __init__(self, transport: Transport, headers: Mapping[str, str]) -> None:
        self._transport = transport
        self._headers = headers

    @override
    async def send(self, request: Request) -> Response:
        return await self._transport.send(self._with_headers(request))

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        return self._transport.stream(self._with_headers(request))

    @override
    async def close(self) -> None:
        await self._transport.close()

    def _with_headers(self, request: Request) -> Request:
        return replace(request, headers={**request.headers, **self._headers})


@asynccontextmanager
async def with_headers(access: Access, **headers: str) -> AsyncIterator[Api]:
    """Requests without credentials but with these headers: `Impersonate_User` is Impersonate-User."""
    anonymous = transport_to(access, ClusterConfig(server=access.server, ca=access.ca.encode()))
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with _closing(WithHeaders(anonymous, named)) as api:
        yield api


@asynccontextmanager
async def bearer(access: Access, token: str) -> AsyncIterator[Api]:
    """Requests with this token."""
    async with with_headers(access, Authorization=f"Bearer {token}") as api:
        yield api


@asynccontextmanager
async def impersonating(access: Access, user: str, **more: Any) -> AsyncIterator[Api]:
    """Requests of the administrator who acts as another user."""
    config = admin_config(access)
    acting = replace(config, impersonate=Impersonation(user=user, **more))
    async with _closing(transport_to(access, acting)) as api:
        yield api


@asynccontextmanager
async def _closing(transport: Transport) -> AsyncIterator[Api]:
    try:
        yield Api(transport)
    finally:
        await transport.close()
