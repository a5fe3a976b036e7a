"""Files from the web, as a protocol and over HTTP."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urljoin
from weakref import WeakValueDictionary

from typing_extensions import override

from windlass.errors import ChartError, ChartRefusedError
from windlass.helm.source.policy import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from urllib.parse import SplitResult

    import aiohttp

    from windlass.helm.source.policy import SourcePolicy

    Write = Callable[[bytes], None]

_LARGEST: Final = 2 * 2**20  # of an answer that is kept in memory: a manifest, a token, a page of a list
_SECONDS: Final = 60
_PIECE: Final = 64 * 1024
_OK: Final = 200
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS: Final = 10
_AT_ONCE: Final = 4
_HINTS: Final = {
    401: "name a Secret with username and password, or token, in spec.chart.secretRef",
    403: "the credentials do not allow it",
    404: "there is no such file",
}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An HTTP answer; names of headers are lower case."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = field(default=b"", repr=False)


class Web(Protocol):
    """Gets files."""

    async def get(
        self, url: str, headers: Mapping[str, str], policy: SourcePolicy, write: Write | None = None
    ) -> Answer:
        """Return the answer to a GET request, after redirects, whatever its status.

        With `write`, the body of a success is given to that piece by piece, and is not in the answer.

        Raises:
            ChartRefusedError: the policy refuses the URL, or where a redirect leads.
            ChartError: the answer is too large, or there is none.
        """


class HttpWeb(Web):
    """Gets files over HTTP, each answer within a minute, four at once from a host; 2 MiB at most in memory.

    A request waits for its turn at the host that it is sent to, also on a redirect. The policy is applied to
    the URL, to each redirect and to each address that a connection is made to. Headers are not sent to
    another host, port or scheme on a redirect. Proxies of the environment are not used: behind one, no
    address could be checked.
    """

    def __init__(self) -> None:
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @override
    async def get(
        self, url: str, headers: Mapping[str, str], policy: SourcePolicy, write: Write | None = None
    ) -> Answer:
        import aiohttp  # only where a chart comes from the web

        at, sent = url, headers
        limit = aiohttp.ClientTimeout(total=_SECONDS)
        for _ in range(_MOST_REDIRECTS + 1):
            parts = policy.check_url(at)
            host = parts.hostname or ""
            guard = _Guard(policy, host)
            try:
                async with (
                    self._slot(host),
                    aiohttp.ClientSession(timeout=limit, connector=guard.connector()) as session,
                    session.get(at, headers=sent, allow_redirects=False) as response,
                ):
                    target = response.headers.get("Location")
                    if response.status not in _REDIRECTS or not target:
                        found = {name.lower(): value for name, value in response.headers.items()}
                        body = await _content(at, response, write if response.status == _OK else None)
                        return Answer(status=response.status, headers=found, body=body)
            except (aiohttp.ClientError, OSError, ValueError) as error:
                if guard.refusal is not None:
                    raise guard.refusal from error
                why = str(error) or type(error).__name__
                raise ChartError(f"{shown(at)} cannot be fetched: {why}") from error
            at = urljoin(at, target)
            sent = sent if _origin(policy.check_url(at)) == _origin(parts) else {}
        raise ChartError(f"{shown(url)} cannot be fetched: it redirects more than {_MOST_REDIRECTS} times")

    def _slot(self, host: str) -> asyncio.Semaphore:
        """Return what limits the requests to a host; it is kept for as long as one of them runs or waits."""
        return self._slots.setdefault(host.rstrip("."), asyncio.Semaphore(_AT_ONCE))


async def download(
    web: Web, url: str, headers: Mapping[str, str], policy: SourcePolicy, write: Write
) -> None:
    """Write the content of a file, piece by piece.

    Raises:
        ChartRefusedError: the policy refuses the address.
        ChartError: it is not there, not allowed, too large, or there is no answer.
    """
    _check_found(url, await web.get(url, headers, policy, write))


async def answer_of(web: Web, url: str, headers: Mapping[str, str], policy: SourcePolicy) -> bytes:
    """Return the content of a small file.

    Raises:
        ChartRefusedError: the policy refuses the address.
        ChartError: it is not there, not allowed, too large, or there is no answer.
    """
    answer = await web.get(url, headers, policy)
    _check_found(url, answer)
    return answer.body


def _check_found(url: str, answer: Answer) -> None:
    if answer.status != _OK:
        hint = _HINTS.get(answer.status, "the server refuses or fails")
        raise ChartError(f"{shown(url)} answered {answer.status}: {hint}")


class _Guard:
    """Checks each address at the moment of the connection; `refusal` is the last one that was refused."""

    def __init__(self, policy: SourcePolicy, host: str) -> None:
        self.refusal: ChartRefusedError | None = None
        self._policy = policy
        self._host = host

    def connector(self) -> aiohttp.TCPConnector:
        import aiohttp

        return aiohttp.TCPConnector(socket_factory=self._socket, force_close=True)

    def _socket(self, info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        try:
            self._policy.check_address(self._host, str(address[0]))
        except ChartRefusedError as error:
            self.refusal = error
            raise PermissionError(str(error)) from error  # the next address may be allowed
        return socket.socket(family=family, type=kind, proto=protocol)


def _origin(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port


async def _content(url: str, response: aiohttp.ClientResponse, write: Write | None) -> bytes:
    """Return the body of an answer, or write it and return nothing."""
    pieces: list[bytes] = []
    size = 0
    async for piece in response.content.iter_chunked(_PIECE):
        if write is not None:
            write(piece)
            continue
        size += len(piece)
        if size > _LARGEST:
            raise ChartError(f"{shown(url)} gave an answer of more than {_LARGEST >> 20} MiB")
        pieces.append(piece)
    return b"".join(pieces)
