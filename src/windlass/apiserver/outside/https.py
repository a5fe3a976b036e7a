from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Final

import aiohttp

from windlass.apiserver.outside.network import Answer, Unreachable

if TYPE_CHECKING:
    from windlass.apiserver.outside.target import Target

_HEADERS: Final = {
    "accept": "application/json, */*",
    "content-type": "application/json",
    "user-agent": "kube-apiserver-admission",
}


class Https:
    """POST over TLS, with connections that are kept for the next time."""

    def __init__(self) -> None:
        self._sessions: dict[str, aiohttp.ClientSession] = {}

    async def post(self, target: Target, address: str, url: str, body: bytes) -> Answer:
        """Send a body to an address, whose certificate must be for the host of the target.

        Raises:
            Unreachable: there is no connection, no trust, or no answer.
        """
        host, query = f"https://{address}{target.path}", f"?{url.rpartition('?')[2]}"
        headers = {**_HEADERS, "host": target.address}
        try:
            async with self._session(target.authority).post(
                host + query, data=body, headers=headers, server_hostname=target.host, allow_redirects=False
            ) as response:
                return Answer(response.status, await response.read())
        except (aiohttp.ClientError, OSError) as error:
            raise Unreachable(f'Post "{url}": {_why(error, address)}') from error

    async def close(self) -> None:
        """End every connection."""
        for session in self._sessions.values():
            await session.close()
        self._sessions.clear()

    def _session(self, authority: str) -> aiohttp.ClientSession:
        session = self._sessions.get(authority)
        if session is None:
            context = ssl.create_default_context(cadata=authority or None)
            connector = aiohttp.TCPConnector(ssl=context)
            timeout = aiohttp.ClientTimeout(total=None)  # who calls keeps the time
            session = aiohttp.ClientSession(connector=connector, timeout=timeout)
            self._sessions[authority] = session
        return session


def _why(error: Exception, address: str) -> str:
    """What went wrong, in the words in which a server written in Go says it."""
    cause = error.__cause__ if isinstance(error, aiohttp.ClientError) else error
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return f"tls: failed to verify certificate: x509: {_distrust(error.certificate_error)}"
    if isinstance(error, aiohttp.ClientConnectorError) and isinstance(error.os_error, ConnectionRefusedError):
        return f"dial tcp {address}: connect: connection refused"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "EOF"
    return str(cause or error)


def _distrust(error: Exception) -> str:
    unknown = isinstance(error, ssl.SSLCertVerificationError) and "Hostname mismatch" not in str(error)
    return "certificate signed by unknown authority" if unknown else str(error)
