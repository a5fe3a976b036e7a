from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from windlass._version import __version__
from windlass.client.credentials import Credentials, FixedCredentials
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windlass.client.proxy import Proxy

_LONGEST_LABEL = 63
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_SUBDOMAIN = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Impersonation:
    """Whom to act as; the server checks that the caller may.

    Kubernetes does not nest impersonation: the user whose credentials are used must be allowed to
    `impersonate` this one, also where a kubeconfig names another (`as:`).

    `writes_in` is the only namespace in which `acting_as` lets this user write, whatever its roles allow:
    other writes are answered with 403 and not sent. Empty for no such limit.

    Raises:
        ConfigError: a name cannot stand in a header.
    """

    user: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    writes_in: str = ""

    def __post_init__(self) -> None:
        if not all(value.isprintable() for _, value in self.headers()):
            raise ConfigError("a name to act as holds a character that no HTTP header can carry; correct it")

    @staticmethod
    def is_account(name: str) -> bool:
        """Whether a ServiceAccount can have this name."""
        return bool(_SUBDOMAIN.fullmatch(name))

    @classmethod
    def service_account(cls, namespace: str, name: str, *, writes_in: str = "") -> Impersonation:
        """Act as a ServiceAccount, which need not exist; the server adds its groups.

        The groups are not named here: for each that is named, the caller needs the right to impersonate that
        group too, and with it `system:masters`.

        Raises:
            ConfigError: the namespace or the name is none that a ServiceAccount can have.
        """
        if not _LABEL.fullmatch(namespace) or not cls.is_account(name):
            raise ConfigError(f"ServiceAccount {namespace}/{name}: that is no name of a ServiceAccount")
        return cls(user=f"system:serviceaccount:{namespace}:{name}", writes_in=writes_in)

    def headers(self) -> list[tuple[str, str]]:
        """The headers that ask for it; a name may stand there more than once."""
        headers = [("Impersonate-User", self.user)]
        headers += [("Impersonate-Group", group) for group in self.groups]
        headers += [("Impersonate-Uid", self.uid)] if self.uid else []
        for key, values in self.extra.items():
            # A key may be any text, a header name may not; the server undoes the quoting.
            headers += [(f"Impersonate-Extra-{quote(key, safe='')}", value) for value in values]
        return headers


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterConfig:
    """How to reach one API server, and as whom. Its text never shows a secret.

    `ca` is PEM, or the path of a PEM file that is read again when it changes; without it the system's own
    authorities are trusted. `origin` says where the configuration came from, for messages. `connections`
    bounds the requests under way at once, streams not counted. `compression` lets the server compress what
    is long (128 KiB and more): unpacking it takes less time than decrypting and reading it would.

    Raises:
        ConfigError: the address or name of the server cannot be used, or `ca` is given although nothing is
            verified.
    """

    server: str
    ca: bytes | Path | None = field(default=None, repr=False)
    verify: bool = True
    tls_server_name: str = ""
    proxy: Proxy | None = None
    namespace: str = "default"
    credentials: Credentials = field(default_factory=FixedCredentials.anonymous)
    impersonate: Impersonation | None = None
    user_agent: str = f"windlass/{__version__}"
    compression: bool = True
    connections: int = 100
    connect_timeout: timedelta = timedelta(seconds=10)
    origin: str = ""

    def __post_init__(self) -> None:
        check_server(self.server)
        check_server_name(self.tls_server_name)
        if self.ca is not None and not self.verify:
            raise ConfigError(
                "certificate-authority and insecure-skip-tls-verify exclude each other; "
                "keep the certificate authority and drop insecure-skip-tls-verify"
            )
        if self.connections < 1:
            raise ConfigError(f"connections must be at least 1, not {self.connections}")


def check_server(server: str) -> None:
    """Refuse an address that no request can be sent to.

    Raises:
        ConfigError: the message says what is wrong with it.
    """
    fault = _server_fault(server)
    if fault:
        shown = server.rpartition("@")[2]  # what stands before the @ may be a password
        raise ConfigError(
            f"server {shown!r} {fault}; write it as https://HOST:PORT, for example https://10.0.0.1:6443"
        )


def check_server_name(name: str) -> None:
    """Refuse a name that no certificate can be for.

    Raises:
        ConfigError: the message says what is wrong with it.
    """
    if name and (not _fits_dns(name) or " " in name):
        raise ConfigError(
            f"tls-server-name {name!r} is a name that DNS cannot hold; write one that the server's "
            "certificate holds, for example kubernetes.default.svc"
        )


def _server_fault(server: str) -> str:
    if any(character.isspace() or not character.isprintable() for character in server):
        return "holds a blank or a control character"
    try:
        parts = urlsplit(server)
        port = parts.port
    except ValueError as error:
        return f"is not a URL ({error})"
    host = parts.hostname or ""
    faults = {
        "does not start with https://": parts.scheme not in {"http", "https"},
        "names no host": not host,
        "names port 0": port == 0,
        "holds a name that DNS cannot hold": not _fits_dns(host),
        "holds a user name, which belongs into the user entry": parts.username is not None,
        "holds a query or a fragment": bool(parts.query or parts.fragment),
    }
    return next((fault for fault, found in faults.items() if found), "")


def _fits_dns(host: str) -> bool:
    labels = host.removesuffix(".").split(".")
    return host.isascii() and all(0 < len(label) <= _LONGEST_LABEL for label in labels)
