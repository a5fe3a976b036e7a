"""Passing a request on to somebody who speaks HTTP, and their answer back."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.apiserver.exchange import Reply
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import aiohttp

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.outside import Network

_OF_THE_CONNECTION: Final = frozenset(
    {
        "connection",
        "content-length",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_PIECE: Final = 64 * 1024
_SMALL: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a request is passed on to: `address` is known to the network, `path` is percent-encoded."""

    address: str
    path: str
    secure: bool = False


async def pass_on(call: Call, destination: Destination, network: Network) -> Reply:
    """The answer of whoever is at an address.

    Raises:
        Refusal: 503, nobody is there.
    """
    led = network.led(destination.address)
    if led is None:
        raise _refused(destination.address)
    if not isinstance(led, str):
        answer = await led(destination.path, call.body)
        return Reply(status=answer.status, body=answer.body, content_type=answer.content_type)
    return await _fetched(call, destination, led)


async def _fetched(call: Call, destination: Destination, address: str) -> Reply:
    import aiohttp  # most servers reach nobody

    query = f"?{call.query.encoded}" if call.query.encoded else ""
    url = f"{'https' if destination.secure else 'http'}://{address}{destination.path or '/'}{query}"
    async with AsyncExitStack() as opened:
        try:
            response = await _response(call, url, opened)
            reply = _begun(response)
            if response.content_length is not None and response.content_length <= _SMALL:
                reply.body = await response.read()
            else:
                reply.chunks = _pieces(response, opened.pop_all())
        except aiohttp.ClientConnectorError as error:
            raise _refused(destination.address) from error
        except aiohttp.ClientError as error:
            raise Refusal(503, f"error trying to reach service: {error}") from error
    return reply


async def _response(call: Call, url: str, opened: AsyncExitStack) -> aiohttp.ClientResponse:
    """What is answered, over a connection of its own, so that nobody has any to close."""
    import aiohttp
    from yarl import URL

    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(force_close=True),
        timeout=aiohttp.ClientTimeout(total=None),  # it takes as long as it takes
        auto_decompress=False,
        skip_auto_headers=("User-Agent", "Accept-Encoding", "Accept", "Content-Type"),
    )
    await opened.enter_async_context(session)
    asking = session.request(
        call.method,
        URL(url, encoded=True),
        data=call.body or None,
        headers=_passed(call),
        allow_redirects=False,
        ssl=False,  # nobody knows the certificates of pods
    )
    return await opened.enter_async_context(asking)


def _passed(call: Call) -> dict[str, str]:
    """The headers of a request that are not for this server: it keeps the credentials to itself."""
    ours = _OF_THE_CONNECTION | {"authorization", "host"}
    passed = {name: value for name, value in call.headers.items() if name not in ours}
    source = ", ".join(filter(None, [call.headers.get("x-forwarded-for"), call.source]))
    return passed | ({"x-forwarded-for": source} if source else {})


def _begun(response: aiohttp.ClientResponse) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    headers = {name: value for name, value in headers.items() if name not in _OF_THE_CONNECTION}
    return Reply(status=response.status, content_type=headers.pop("content-type", ""), headers=headers)


async def _pieces(response: aiohttp.ClientResponse, opened: AsyncExitStack) -> AsyncGenerator[bytes, None]:
    async with opened:
        async for piece in response.content.iter_chunked(_PIECE):
            yield piece


def _refused(address: str) -> Refusal:
    return Refusal(503, f"error trying to reach service: dial tcp {address}: connect: connection refused")
