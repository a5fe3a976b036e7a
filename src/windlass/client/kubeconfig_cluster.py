from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from windlass.client.certificate import check_authority
from windlass.client.config import check_server, check_server_name
from windlass.client.proxy import Proxy, proxy_from_environment
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windlass.client.entry import Entry

_EXEC_EXTENSION = "client.authentication.k8s.io/exec"


def server_of(cluster: Entry) -> str:
    """The server's address.

    Raises:
        ConfigError: it is missing, or cannot be used.
    """
    server = cluster.text("server")
    if not server:
        raise cluster.fault("server is missing; add `server: https://HOST:PORT`")
    try:
        check_server(server)
    except ConfigError as error:
        raise cluster.fault(str(error)) from error
    return server.rstrip("/")


def server_name_of(cluster: Entry) -> str:
    """The name that the server's certificate must hold; empty where that is the one in its address.

    Raises:
        ConfigError: no certificate can hold it.
    """
    name = cluster.text("tls-server-name")
    try:
        check_server_name(name)
    except ConfigError as error:
        raise cluster.fault(str(error)) from error
    return name


def authority_of(cluster: Entry) -> bytes | Path | None:
    """The CA certificates, checked: inline ones as they are, a file as its path because it may be rotated.

    Raises:
        ConfigError: they cannot be read, or are not PEM, or nothing is to be verified anyway.
    """
    pem = cluster.material("certificate-authority")
    if pem is None:
        return None
    if cluster.flag("insecure-skip-tls-verify"):
        raise cluster.fault(
            "certificate-authority and insecure-skip-tls-verify exclude each other; "
            "keep the certificate authority and drop insecure-skip-tls-verify"
        )
    if cluster.text("certificate-authority-data"):
        return check_authority(pem, f"{cluster.where}: certificate-authority-data")
    path = cluster.path("certificate-authority")
    check_authority(pem, f"{cluster.where}: certificate-authority {path}")
    return path


def proxy_of(cluster: Entry, environment: Mapping[str, str]) -> Proxy | None:
    """The proxy of the entry, or else the one that the environment asks for.

    Raises:
        ConfigError: its address cannot be used.
    """
    text = cluster.text("proxy-url")
    if text:
        return Proxy.parse(text, f"{cluster.where}: proxy-url")
    return proxy_from_environment(server_of(cluster), environment)


def cluster_info(cluster: Entry) -> dict[str, Any]:
    """The cluster as an exec plugin is told about it, in the words of its API."""
    info: dict[str, Any] = {"server": server_of(cluster)}
    for key in ("tls-server-name", "proxy-url"):
        if cluster.text(key):
            info[key] = cluster.text(key)
    for key in ("insecure-skip-tls-verify", "disable-compression"):
        if cluster.flag(key):
            info[key] = True
    pem = cluster.material("certificate-authority")
    if pem is not None:
        info["certificate-authority-data"] = b64encode(pem).decode()
    for item in cluster.items("extensions"):
        if item.get("name") == _EXEC_EXTENSION:
            info["config"] = item.get("extension")
    return info
