from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from windlass.client.impersonation import ImpersonatingTransport
from windlass.client.read import ReadClient
from windlass.client.session import ClientOptions, Session
from windlass.client.subresource import SubresourceClient
from windlass.client.write import WriteClient

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from types import TracebackType

    from windlass.client.config import Impersonation
    from windlass.client.retry import Retry
    from windlass.client.transport import Request, Response, Stream, Transport


class Client(ReadClient, WriteClient):
    """Talks to one API server: one verb per method, typed by kind.

    It keeps nothing but connections, may be used by any number of tasks, and is closed by leaving its
    block. Namespaced objects that name no namespace lie in the client's own.

        async with connect() as client:
            app = await client.get(WebApp, "shop", "default")
    """

    def __init__(self, transport: Transport, options: ClientOptions | None = None) -> None:
        self._session = Session(transport, options or ClientOptions())

    @property
    def options(self) -> ClientOptions:
        """What it does beside its requests."""
        return self._session.options

    @property
    def transport(self) -> Transport:
        """How its requests reach the server."""
        return self._session.transport

    @property
    def status(self) -> SubresourceClient:
        """The status subresource: what an operator writes."""
        return SubresourceClient(self._session, "status")

    def subresource(self, name: str) -> SubresourceClient:
        """A subresource whose form is the object itself."""
        return SubresourceClient(self._session, name)

    def using(self, **write: Any) -> Client:
        """The same client with other `WriteOptions`: `client.using(dry_run=True).create(app)`."""
        session = self._session.using(**write)
        return Client(session.transport, session.options)

    def retrying(self, retry: Retry) -> Client:
        """The same client that sends again by other rules; who has rules of their own passes `NO_RETRY`."""
        return Client(self._session.transport, replace(self._session.options, retry=retry))

    def acting_as(self, user: Impersonation) -> Client:
        """The same client whose every request acts as another user, over the same connections.

        The last `acting_as` holds: Kubernetes does not nest impersonation.
        """
        return Client(ImpersonatingTransport(self._session.transport, user), self._session.options)

    async def send(self, request: Request) -> Response:
        """Any other request, with the client's retries and errors."""
        return await self._session.send(request)

    async def json(self, request: Request) -> Any:
        """Any other request whose answer is JSON."""
        return await self._session.json(request)

    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        """Any other request whose answer arrives in lines; leaving the block ends it.

        Raises:
            ApiError: the server refused.
            ConnectionFailedError: no answer came, or, from the lines, it was cut off.
        """
        return self._session.stream(request)

    async def close(self) -> None:
        """Give up the connections."""
        await self._session.transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
