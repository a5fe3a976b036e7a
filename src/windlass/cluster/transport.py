from __future__ import annotations

from contextlib import aclosing, asynccontextmanager
from email.utils import formatdate
from functools import lru_cache
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.apiserver import Call, Query
from windlass.client import Response, Stream, Transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping

    from windlass.apiserver import ApiServer, Reply
    from windlass.client import Request


_IMPERSONATE = "impersonate-"
_WITH_BODIES = frozenset({"POST", "PUT", "PATCH"})


class InProcessTransport(Transport):
    """Reaches an API server by a call: no socket, no credentials but the headers given here."""

    def __init__(self, server: ApiServer, headers: Mapping[str, str] | None = None) -> None:
        self._server = server
        self._headers = {"user-agent": "windlass", "host": "in-process", **_lowered(headers or {})}

    @override
    async def send(self, request: Request) -> Response:
        reply = await self._handled(request)
        body = reply.body if request.method != "HEAD" else b""
        if reply.chunks is not None:
            async with aclosing(reply.chunks) as chunks:
                body = b"".join([chunk async for chunk in chunks])
        second = int(self._server.world.clock.now().timestamp())
        headers = {**reply.headers, "date": _date(second), "content-length": str(len(body))}
        return Response(
            status=reply.status,
            headers=headers,
            body=_inflated(reply, body),
            warnings=tuple(reply.warnings),
        )

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        reply = await self._handled(request)
        if reply.chunks is None:
            yield _WholeReply(reply)
            return
        async with aclosing(reply.chunks):
            reply.headers["transfer-encoding"] = "chunked"
            yield _WholeReply(reply)

    @override
    async def close(self) -> None:
        """There is nothing to close."""

    def _handled(self, request: Request) -> Awaitable[Reply]:
        call = self._call(request)
        if self._server.is_faulty:
            from windlass.cluster.unsteady import handled  # only who wants faults pays for them

            return handled(self._server, request, call)
        return self._server.handle(call)

    def _call(self, request: Request) -> Call:
        if request.guard is not None:
            request.guard()
        headers = _lowered(request.headers)
        if request.method in _WITH_BODIES:
            headers.setdefault("content-type", "application/octet-stream")  # as HTTP clients have it
        return Call(
            method=request.method,
            path=request.path,
            query=Query(request.query),
            headers=_acting(self._headers | headers, request),
            body=request.body,
            connection=self,
        )


class _WholeReply(Stream):
    """A reply as a stream of lines."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    @property
    @override
    def status(self) -> int:
        return self._reply.status

    @property
    @override
    def headers(self) -> Mapping[str, str]:
        return self._reply.headers

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return tuple(self._reply.warnings)

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        if self._reply.chunks is None:
            yield _inflated(self._reply, self._reply.body)
            return
        unfinished = b""
        async for chunk in self._reply.chunks:
            *complete, unfinished = (unfinished + chunk if unfinished else chunk).split(b"\n")
            for line in complete:
                yield line
        if unfinished:
            yield unfinished


def _acting(headers: dict[str, str], request: Request) -> dict[str, str]:
    """The headers, with those that name the user to act as; the server takes several groups as lines."""
    if request.impersonate is None:
        return headers
    kept = {name: value for name, value in headers.items() if not name.startswith(_IMPERSONATE)}
    for name, value in request.impersonate.headers():
        key = name.lower()
        kept[key] = f"{kept[key]}\n{value}" if key in kept else value
    return kept


def _lowered(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


@lru_cache(maxsize=16)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


def _inflated(reply: Reply, body: bytes) -> bytes:
    if reply.headers.get("content-encoding") != "gzip":
        return body
    import gzip

    return gzip.decompress(body)
