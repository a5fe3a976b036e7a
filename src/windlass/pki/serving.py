"""TLS by a pair that changes: a connection uses the pair that is current when it begins."""

from __future__ import annotations

import logging
import os
import ssl
import sys
from contextlib import contextmanager
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from windlass.pki.certificate import KeyPair

_Stamp = tuple[tuple[int, int, int], ...]
_log = logging.getLogger("windlass.pki")


def server_context(pair: KeyPair) -> ssl.SSLContext:
    """TLS by one pair.

    Raises:
        ssl.SSLError: certificate and key do not belong together, or are none.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with _as_file(pair.certificate + pair.key) as path:
        context.load_cert_chain(path)
    return context


@contextmanager
def _as_file(text: str) -> Iterator[str]:
    """The path of a file with this text: ssl reads keys from files only.

    On Linux it lies in memory, so that no key gets to a disk, and none need be writable.
    """
    if sys.platform == "linux":
        with open(os.memfd_create("pair"), "w", encoding="ascii") as file:  # noqa: PTH123 - it has no path yet
            file.write(text)
            file.flush()
            yield f"/proc/self/fd/{file.fileno()}"
    else:
        with NamedTemporaryFile("w", suffix=".pem") as file:
            file.write(text)
            file.flush()
            yield file.name


def changing_context(current: Callable[[], ssl.SSLContext | None]) -> ssl.SSLContext:
    """A context that answers each handshake with the certificate of the one that is current then, if any.

    Everything else, such as the lowest version of TLS, is set on what is returned.
    """

    def choose(connection: ssl.SSLObject, _host: str | None, _context: ssl.SSLContext) -> int | None:
        found = current()
        if found is None:
            return ssl.AlertDescription.ALERT_DESCRIPTION_INTERNAL_ERROR
        connection.context = found
        return None

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sni_callback = choose  # called whether or not the client names a host
    return context


class PairContext:
    """TLS by the pair that was given last; handshakes are refused before there is one."""

    def __init__(self) -> None:
        self._current: ssl.SSLContext | None = None
        self.context = changing_context(lambda: self._current)

    def use(self, pair: KeyPair) -> None:
        """Answer by this pair from now on; connections that exist are not disturbed.

        Raises:
            ssl.SSLError: certificate and key do not belong together, or are none.
        """
        self._current = server_context(pair)


class FolderContext:
    """TLS by `tls.crt` and `tls.key` of a folder; a new connection uses what lies there when it begins.

    A change that cannot be used is logged, and the last good pair stays in use: cert-manager and kubelet
    replace two files, which for an instant may not belong together. `purpose` is what messages say of it.

    Raises:
        ConfigError: there is no usable pair to begin with.
    """

    def __init__(self, folder: Path, purpose: str) -> None:
        self._certificate = folder / "tls.crt"
        self._key = folder / "tls.key"
        self._purpose = purpose
        try:
            self._stamp = self._stamped()
            self._current = self._load()
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(
                f"{purpose} cannot be secured by tls.crt and tls.key in {folder}: {error}"
            ) from error
        self.context = changing_context(self._latest)

    def _latest(self) -> ssl.SSLContext:
        try:
            stamp = self._stamped()
            if stamp != self._stamp:
                self._stamp = stamp
                self._current = self._load()
        except (OSError, ssl.SSLError) as error:
            _log.warning(
                "The new certificate cannot be used; the last one is kept",
                extra={
                    "windlass": {
                        "for": self._purpose,
                        "file": str(self._certificate),
                        "error": str(error),
                    }
                },
            )
        return self._current

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._certificate, self._key)
        return context

    def _stamped(self) -> _Stamp:
        found = (self._certificate.stat(), self._key.stat())
        return tuple((each.st_mtime_ns, each.st_ino, each.st_size) for each in found)
