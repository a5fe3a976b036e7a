from __future__ import annotations

import base64
import ssl
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import aiohttp

from windlass.apiserver.outside.bundle import bundle_problem
from windlass.apiserver.outside.network import Answer, Unreachable, Untrustworthy

if TYPE_CHECKING:
    from windlass.apiserver.outside.target import Target

_LAST_PORT: Final = 65535
_HEADERS: Final = {
    "accept": "application/json, */*",
    "content-type": "application/json",
    "user-agent": "kube-apiserver-admission",
}


async def post(target: Target, address: str, url: str, body: bytes) -> Answer:
    """Send a body to an address over TLS, whose certificate must be for the host of the target.

    Each time over a connection of its own, so that nobody has any to close.

    Raises:
        Unreachable: there is no connection, no trust, or no answer.
    """
    if target.port > _LAST_PORT:
        raise Unreachable(f'Post "{url}": dial tcp: address {target.port}: invalid port')
    connector = aiohttp.TCPConnector(ssl=_context(target.authority), force_close=True)
    timeout = aiohttp.ClientTimeout(total=None)  # who calls keeps the time
    where = f"https://{address}{target.path}?{url.rpartition('?')[2]}"
    headers = {**_HEADERS, "host": target.address}
    try:
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout) as session,
            session.post(
                where, data=body, headers=headers, server_hostname=target.host, allow_redirects=False
            ) as response,
        ):
            content_type = response.headers.get("content-type", "")
            return Answer(response.status, await response.read(), content_type)
    except (aiohttp.ClientError, OSError) as error:
        raise Unreachable(f'Post "{url}": {_why(error, address)}') from error


@lru_cache(maxsize=64)
def _context(authority: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cadata=authority or None)
    except ssl.SSLError as error:
        problem = bundle_problem(base64.b64encode(authority.encode()).decode())
        raise Untrustworthy(problem or str(error)) from error


def _why(error: Exception, address: str) -> str:
    """What went wrong, in the words in which a server written in Go says it."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return f"tls: failed to verify certificate: x509: {_distrust(error)}"
    if isinstance(error, aiohttp.ClientConnectorError) and isinstance(error.os_error, ConnectionRefusedError):
        return f"dial tcp {address}: connect: connection refused"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return f"dial tcp: lookup {error.host}: no such host"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "EOF"
    return str(error)


def _distrust(error: aiohttp.ClientConnectorCertificateError) -> str:
    why = error.certificate_error
    if isinstance(why, ssl.SSLCertVerificationError) and "mismatch" not in why.verify_message:
        return "certificate signed by unknown authority"
    return f"certificate is not valid for {error.host}"
