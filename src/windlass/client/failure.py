from __future__ import annotations

import errno
import re
import ssl
from typing import TYPE_CHECKING

import aiohttp

from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from datetime import timedelta

    from windlass.client.config import ClusterConfig

_CHECK_ADDRESS = "check that the API server runs and that this is its address"
_CHECK_CA = (
    "the certificate-authority of the kubeconfig is another cluster's, or too old: fetch the kubeconfig anew"
)

# What OpenSSL calls its findings (X509_V_ERR_*), and what they mean to a person.
_VERIFY_CODES = {
    7: f"the server's certificate is not signed by the authority that is trusted; {_CHECK_CA}",
    9: "the server's certificate is not valid yet; compare this machine's clock with the server's",
    10: "the server's certificate has expired; renew it on the server, or compare this machine's clock",
    18: f"the server's certificate is self-signed and not trusted; {_CHECK_CA}",
    19: f"the server's certificate comes from an unknown authority; {_CHECK_CA}",
    20: f"the server's certificate comes from an unknown authority; {_CHECK_CA}",
    21: f"the server's certificate comes from an unknown authority; {_CHECK_CA}",
    62: "the server's certificate is for other names",
    64: "the server's certificate is for other addresses",
}
_HOSTNAME_CODES = {62, 64}

_CONNECT_ERRNOS = {
    errno.ECONNREFUSED: f"the connection was refused: nothing listens there; {_CHECK_ADDRESS}",
    errno.EHOSTUNREACH: "there is no route to this host; check the network, the VPN and the address",
    errno.ENETUNREACH: "this network cannot be reached; check the network, the VPN and the address",
    errno.ETIMEDOUT: "the connection timed out; check the network, the firewall and the address",
}

# How OpenSSL puts it when the other side does not speak TLS.
_NOT_TLS = {"WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"}

_CERTIFICATE_ALERT = re.compile("ALERT.*(CERTIFICATE|UNKNOWN_CA)").search


def failure(error: Exception, config: ClusterConfig, limit: timedelta | None) -> ConnectionFailedError:
    """What an exception of the HTTP library means to a person, and whether the request may have been sent."""
    unsent = _before_sending(error, config)
    what = unsent or _after_sending(error, limit)
    origin = f" (the address is that of {config.origin})" if config.origin else ""
    return ConnectionFailedError(
        f"{config.server}: {what}{origin}", sent=not unsent, lasting=_is_lasting(error)
    )


def _is_lasting(error: Exception) -> bool:
    """Whether a person has to mend it: an address, a certificate, or a server that does not speak TLS.

    A name that cannot be resolved is not among them: a name server may be late like any other.
    """
    match error:
        case aiohttp.ClientConnectorCertificateError() | aiohttp.InvalidURL():
            return True
        case aiohttp.ClientConnectorSSLError(os_error=OSError() as cause):
            return _reason(cause) in _NOT_TLS or bool(_CERTIFICATE_ALERT(_reason(cause)))
        case aiohttp.ClientOSError(__cause__=ssl.SSLError() as cause):
            return bool(_CERTIFICATE_ALERT(_reason(cause)))
    return False


def _before_sending(error: Exception, config: ClusterConfig) -> str:
    """What went wrong before a request could leave; empty when it may have left."""
    match error:
        case aiohttp.ClientConnectorError():
            return _connecting(error, config)
        case aiohttp.ClientHttpProxyError():
            return (
                f"the proxy {config.proxy} refused to connect ({error.status} {error.message}); "
                "ask who runs it to allow this server, or except the server in NO_PROXY"
            )
        case aiohttp.InvalidURL():
            return f"the address cannot be used ({error})"
        case aiohttp.ConnectionTimeoutError():
            return "no connection came about in time; check the network, the firewall and the address"
        case aiohttp.ClientOSError(__cause__=ssl.SSLError() as cause) if _CERTIFICATE_ALERT(_reason(cause)):
            # With TLS 1.3 the server judges our certificate after the handshake, but before any request.
            return _handshake(cause)
    return ""


def _reason(error: OSError) -> str:
    """What OpenSSL calls the fault."""
    return getattr(error, "reason", None) or ""


def _connecting(error: aiohttp.ClientConnectorError, config: ClusterConfig) -> str:
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return _certificate(error.certificate_error, config)
        case aiohttp.ClientConnectorDNSError():
            return f"the name {error.host} cannot be resolved; check its spelling, the DNS and the VPN"
        case aiohttp.ClientProxyConnectionError():
            return f"the proxy {config.proxy} cannot be reached ({error.strerror}); check its address"
        case aiohttp.ClientConnectorSSLError():
            return _handshake(error.os_error)
    said = error.strerror or "closed by the other side"
    known = _CONNECT_ERRNOS.get(error.errno or 0)
    return known or f"the connection failed while it was made ({said}); {_CHECK_ADDRESS}"


def _certificate(error: Exception, config: ClusterConfig) -> str:
    code = getattr(error, "verify_code", 0)
    what = _VERIFY_CODES.get(code) or f"the server's certificate cannot be verified ({error})"
    if code in _HOSTNAME_CODES:
        wanted = config.tls_server_name or "this address"
        return f"{what}, not for {wanted}; use a name that it holds as server or as tls-server-name"
    return what


def _handshake(error: OSError) -> str:
    reason = _reason(error)
    if reason in _NOT_TLS:
        return (
            "the server does not speak TLS; if it is meant to be reached without, write http:// for https://"
        )
    if "ALERT" in reason:
        said = reason.rpartition("ALERT_")[2].replace("_", " ").lower()
        return f"the server refused the TLS connection ({said}); check the client certificate of the user"
    return f"the TLS handshake failed ({reason or error}); {_CHECK_ADDRESS}"


def _after_sending(error: Exception, limit: timedelta | None) -> str:
    match error:
        case TimeoutError():
            waited = f"within {limit.total_seconds():g} s" if limit else "in time"
            return f"the server did not answer {waited}; it may be overloaded, or the timeout too short"
        case aiohttp.ServerDisconnectedError():
            return "the server closed the connection without an answer; it may be restarting"
        case aiohttp.ClientPayloadError():
            return "the connection was cut in the middle of the answer; the server may be restarting"
        case aiohttp.ClientResponseError():
            return f"the answer is not HTTP ({error.message}); {_CHECK_ADDRESS}"
    return f"the connection was lost ({str(error) or type(error).__name__}); the server may be restarting"
