"""Files from the web, as a protocol and over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from typing_extensions import override

from windlass.errors import ChartError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import aiohttp

_LARGEST: Final = 64 * 1024 * 1024
_SECONDS: Final = 60
_PIECE: Final = 64 * 1024
_OK: Final = 200
_HINTS: Final = {
    401: "name a Secret with username and password, or token, in spec.chart.secretRef",
    403: "the credentials do not allow it",
    404: "there is no such file",
}


class Web(Protocol):
    """Gets files."""

    async def get(self, url: str, headers: Mapping[str, str]) -> bytes:
        """The content of a file.

        Raises:
            ChartError: it is not there, not allowed, too large, or nobody answered.
        """


class HttpWeb(Web):
    """Gets files over HTTP: 64 MiB at most, within a minute. Headers go nowhere else on a redirect."""

    @override
    async def get(self, url: str, headers: Mapping[str, str]) -> bytes:
        import aiohttp  # only where a chart comes from the web

        limit = aiohttp.ClientTimeout(total=_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=limit) as session,
                session.get(url, headers=headers) as response,
            ):
                if response.status != _OK:
                    hint = _HINTS.get(response.status, response.reason or "")
                    raise ChartError(f"{url} answered {response.status}: {hint}")
                return await _content(url, response)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise ChartError(f"{url} cannot be fetched: {str(error) or type(error).__name__}") from error


async def _content(url: str, response: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    async for piece in response.content.iter_chunked(_PIECE):
        content += piece
        if len(content) > _LARGEST:
            raise ChartError(f"{url} is larger than {_LARGEST // 2**20} MiB, which no chart is")
    return bytes(content)
