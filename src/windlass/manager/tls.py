"""The certificate of the metrics server."""

from __future__ import annotations

import logging
import socket
import ssl
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

_Stamp = tuple[tuple[int, int, int], ...]
_log = logging.getLogger("windlass.manager.metrics")


def own_context() -> ssl.SSLContext:
    """TLS by a certificate that was made just now: it keeps secrets, but proves nothing about who we are."""
    from windlass.pki import authority, serving_certificate

    hosts = dict.fromkeys([socket.gethostname(), "localhost", "127.0.0.1"])
    pair = serving_certificate(authority("windlass"), list(hosts))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with NamedTemporaryFile("w", suffix=".pem") as file:  # ssl reads keys from files only
        file.write(pair.certificate + pair.key)
        file.flush()
        context.load_cert_chain(file.name)
    return context


class FileContext:
    """TLS by `tls.crt` and `tls.key` of a folder; a new connection uses what lies there when it begins.

    A change that cannot be used is logged, and the last good pair stays in use: cert-manager and kubelet
    replace two files, which for an instant may not belong together.

    Raises:
        ConfigError: there is no usable pair to begin with.
    """

    def __init__(self, folder: Path) -> None:
        self._certificate = folder / "tls.crt"
        self._key = folder / "tls.key"
        try:
            self._stamp = self._stamped()
            self.context = self._current = self._load()
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(
                f"metrics cannot be secured by tls.crt and tls.key in {folder}: {error}"
            ) from error
        self.context.sni_callback = self._choose

    def _choose(self, connection: ssl.SSLObject, _host: str | None, _context: ssl.SSLContext) -> None:
        """Called at the start of each handshake, whether or not the client names a host."""
        try:
            stamp = self._stamped()
            if stamp != self._stamp:
                self._stamp = stamp
                self._current = self._load()
        except (OSError, ssl.SSLError) as error:
            _log.warning(
                "The new certificate of the metrics server cannot be used",
                extra={"windlass": {"file": str(self._certificate), "error": str(error)}},
            )
        connection.context = self._current

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._certificate, self._key)
        return context

    def _stamped(self) -> _Stamp:
        found = (self._certificate.stat(), self._key.stat())
        return tuple((each.st_mtime_ns, each.st_ino, each.st_size) for each in found)
