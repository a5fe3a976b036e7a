from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from contextlib import AbstractAsyncContextManager
    from datetime import timedelta

    from windlass.client.config import Impersonation

Packing = Literal["", "gzip", "deflate"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One request to an API server, before any credentials are added. Its text does not show the body.

    `path` is percent-encoded already, the query is not. `timeout` bounds the whole of a `send`, and in a
    `stream` each silence.

    `guard` is called at the last moment before anything leaves, when a connection stands; what it raises is
    raised in place of sending. Whoever may no longer send can thus say so after a wait for that connection.

    `packed` allows an answer that is still compressed (`Response.packing`).

    `impersonate` is the user to act as, in place of the one that the transport's configuration names.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = field(default=b"", repr=False)
    timeout: timedelta | None = None
    guard: Callable[[], None] | None = field(default=None, repr=False, compare=False)
    packed: bool = field(default=False, repr=False, compare=False)
    impersonate: Impersonation | None = None

    def __str__(self) -> str:
        """The request as a person would say it: `GET /api/v1/pods?limit=1`."""
        query = "&".join(f"{key}={value}" for key, value in self.query)
        return f"{self.method} {self.path}{'?' if query else ''}{query}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """A whole answer, whose text does not show the body.

    Header names are lower case; `warnings` are the raw values of each Warning header. `packing` is how the
    body is still compressed, where the request allows it; a refusal never is.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    warnings: tuple[str, ...] = ()
    packing: Packing = ""


class Stream(Protocol):
    """An answer whose body is still arriving, line by line."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, names in lower case."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """The raw values of each Warning header."""

    def lines(self) -> AsyncIterator[bytes]:
        """Each line of the body as it arrives, without its line end; a refusal's body is one such line."""


class Transport(Protocol):
    """How requests reach an API server: over HTTP, or by a call in the same process.

    A transport adds credentials and knows connections; it knows no verbs, kinds or retries. Every failure
    to get an answer is a `ConnectionFailedError`; every answer, refusals included, is returned. It calls a
    request's `guard`, where there is one, each time that it sends the request. It acts as the user in a
    request's `impersonate`, where there is one, and never as a mixture of that and a configured one.
    """

    async def send(self, request: Request) -> Response:
        """Send a request and wait for the whole answer."""

    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        """Send a request whose answer arrives in lines; leaving the block ends the request."""

    async def close(self) -> None:
        """Give up every connection. Closing twice is no fault."""
