"""The only way by which the helm program reaches a cluster: through the operator's own transport."""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

import orjson
from aiohttp import web

from windlass.client import Request
from windlass.errors import Answer, NotLeadingError, ReleaseError, WindlassError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from windlass.api import Json
    from windlass.client import Client, Response
    from windlass.helm.engine import Guard

_AT_ONCE: Final = 0.001  # aiohttp takes nought for no limit at all
_JSON: Final = "application/json"
# Between neighbours only, or about a form of the body that the next connection settles for itself.
_OURS: Final = frozenset(
    {
        *("accept-encoding", "authorization", "connection", "content-encoding", "content-length", "date"),
        *("host", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "server"),
        *("te", "trailer", "transfer-encoding", "upgrade", "warning"),
    }
)
_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_CREATES: Final = frozenset({"POST", "PATCH", "PUT"})
_HOOK: Final = b"helm.sh/hook"
_NAMESPACE: Final = re.compile(r"/namespaces/([^/]+)/")
_REFUSED: Final = 400
_MISSING: Final = 404
_IMPERSONATE: Final = "impersonate-"
_REASONS: Final[Mapping[int, str]] = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    409: "Conflict",
    503: "ServiceUnavailable",
}


class Gateway:
    """A loopback port behind which lies the API server, for whoever knows its whole address.

    Requests go out by the client's transport: with its credentials, its fence, its metrics. Bodies pass
    unread, except that watches are asked for as JSON, since a transport hands them on line by line.

    `on_write` is given each hook that is created, with its namespace, and returns what is created instead.
    `on_delete` is given the path of each object that is to be deleted; it raises `ReleaseError` to refuse.
    `wrote` tells whether a write was let through, `refusals` are the server's refusals but for 404.

    The address ends in a secret. A bearer token would be the usual thing, but Kubernetes' clients send none
    without TLS, which has no use between two ends of one machine.
    """

    def __init__(
        self,
        client: Client,
        on_write: Callable[[Json, str], Json] | None = None,
        on_delete: Guard | None = None,
    ) -> None:
        self._client = client
        self._on_write = on_write
        self._on_delete = on_delete
        self.wrote = False
        self.refusals: list[Answer] = []
        self._secret = secrets.token_urlsafe(32)
        self._address = ""
        self._refusal: NotLeadingError | None = None

    @property
    def address(self) -> str:
        """Where it listens, as a URL that only the program that is to use it may know."""
        return self._address

    @property
    def refusal(self) -> NotLeadingError | None:
        """The first refusal of a request because the process no longer leads, if there was one."""
        return self._refusal

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Gateway]:
        """Serve on a free port; leaving the block ends the requests that are under way."""
        server = web.Server(self._handle, access_log=None, handler_cancellation=True)
        listening = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
        host, port = listening.sockets[0].getsockname()[:2]
        self._address = f"http://{host}:{port}/{self._secret}"
        try:
            yield self
        finally:
            listening.close()
            transports = [each.transport for each in server.connections]
            await server.shutdown(_AT_ONCE)
            for transport in filter(None, transports):
                transport.abort()
            await listening.wait_closed()

    async def _handle(self, call: web.BaseRequest) -> web.StreamResponse:
        given, _, path = call.raw_path.removeprefix("/").partition("/")
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            return _refused(401, "this address leads nowhere")
        request = await _request(call, f"/{path}")
        try:
            return await self._answer(call, self._adapted(request))
        except _UnreadableHook as error:
            self.refusals.append(Answer(code=400, reason=_REASONS[400], message=str(error)))
            return _refused(400, str(error))
        except ReleaseError as error:
            self.refusals.append(Answer(code=409, reason=_REASONS[409], message=str(error)))
            return _refused(409, str(error))
        except NotLeadingError as error:
            self._refusal = self._refusal or error
            return _refused(403, str(error))
        except WindlassError as error:
            self.refusals.append(Answer(code=503, reason=_REASONS[503], message=str(error)))
            return _refused(503, str(error))

    async def _answer(self, call: web.BaseRequest, request: Request) -> web.StreamResponse:
        if request.method == "DELETE" and self._on_delete is not None:
            await self._on_delete(request.path)
        if request.method == "GET" and _is_stream(request):
            return await self._stream(call, request)
        return await self._send(request)

    def _adapted(self, request: Request) -> Request:
        if self._on_write is None or request.method not in _CREATES or _HOOK not in request.body:
            return request
        try:
            obj = orjson.loads(request.body)
            if not isinstance(obj, dict) or not _is_hook(obj):
                return request
            namespace = _NAMESPACE.search(request.path)
            changed = self._on_write(obj, namespace[1] if namespace else "")
            return replace(request, body=orjson.dumps(changed))
        except (orjson.JSONDecodeError, orjson.JSONEncodeError) as error:
            # Helm sends JSON; one that cannot be read must not pass unchanged.
            raise _UnreadableHook(f"{request}: the hook cannot be read: {error}") from error

    def _record(self, request: Request, answer: Response) -> None:
        self.wrote = self.wrote or request.method not in _READS
        if answer.status >= _REFUSED and answer.status != _MISSING:
            self.refusals.append(_refusal(answer))

    async def _send(self, request: Request) -> web.Response:
        answer = await self._client.transport.send(replace(request, timeout=self._client.options.timeout))
        self._record(request, answer)
        response = web.Response(status=answer.status, body=answer.body, headers=_passed(answer.headers))
        response.headers.extend([("Warning", warning) for warning in answer.warnings])
        return response

    async def _stream(self, call: web.BaseRequest, request: Request) -> web.StreamResponse:
        async with self._client.transport.stream(request) as stream:
            response = web.StreamResponse(status=stream.status, headers=_passed(stream.headers))
            response.enable_chunked_encoding()
            await response.prepare(call)
            # From here on a failure can only be the end of the answer, after which a client watches anew.
            with suppress(ConnectionError, WindlassError):
                async for line in stream.lines():
                    await response.write(line + b"\n")
                await response.write_eof()
            return response


class _UnreadableHook(Exception):
    """A hook is not JSON, or nests too deeply."""


async def _request(call: web.BaseRequest, target: str) -> Request:
    path, _, query = target.partition("?")
    request = Request(
        method=call.method,
        path=path,
        query=tuple(parse_qsl(query, keep_blank_values=True)),
        headers=_passed(call.headers),
        body=await call.content.read(),  # call.read() would have a limit of its own
    )
    if not _is_stream(request):
        return request
    accepted = [each.strip() for each in request.headers.get("accept", "").split(",")]
    json = ",".join(each for each in accepted if each.startswith(_JSON)) or _JSON
    return replace(request, headers={**request.headers, "accept": json})


def _is_stream(request: Request) -> bool:
    return any(
        name in {"watch", "follow"} and value.lower() in {"true", "1", "t"} for name, value in request.query
    )


def _passed(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers to pass on; impersonation is set by the client alone."""
    lowered = ((name.lower(), value) for name, value in headers.items())
    return {name: value for name, value in lowered if name not in _OURS and not name.startswith(_IMPERSONATE)}


def _is_hook(obj: Json) -> bool:
    return "helm.sh/hook" in ((obj.get("metadata") or {}).get("annotations") or {})


def _refusal(answer: Response) -> Answer:
    """The server's Status object, as far as there is one."""
    try:
        status = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        status = None
    if not isinstance(status, dict):
        return Answer(code=answer.status)
    return Answer(
        code=answer.status,
        reason=str(status.get("reason") or ""),
        message=str(status.get("message") or ""),
        details=status.get("details") if isinstance(status.get("details"), dict) else None,
    )


def _refused(code: int, message: str) -> web.Response:
    status = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": _REASONS[code],
        "code": code,
    }
    return web.Response(status=code, body=orjson.dumps(status), content_type=_JSON)
