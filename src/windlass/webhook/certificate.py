"""The certificate that a webhook server shows, and what makes it trusted."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import ssl
    from pathlib import Path

    from windlass.api import Key
    from windlass.webhook.options import WebhookOptions


@dataclass(frozen=True)
class Trust:
    """TLS as a server speaks it, and the authorities, as PEM text, that make it trusted; empty if unknown."""

    context: ssl.SSLContext
    bundle: str


def certificates(options: WebhookOptions) -> Trust:
    """The certificate of a folder, or one made for this process.

    Raises:
        ConfigError: the folder has no usable pair.
    """
    return _mounted(options.folder) if options.folder else _made(hosts(options))


def hosts(options: WebhookOptions) -> list[str]:
    """The names and addresses that a certificate must be for, so that the API server takes it."""
    if options.service:
        return service_hosts(options.service)
    said = urlsplit(options.url).hostname
    here = [options.address.host, socket.gethostname(), "localhost", "127.0.0.1", "::1"]
    return list(dict.fromkeys(filter(None, [said, *here])))


def service_hosts(service: Key) -> list[str]:
    """The names of a service inside the cluster; the API server uses the first."""
    name = f"{service.name}.{service.namespace}.svc"
    return [name, f"{name}.cluster.local"]


def _mounted(folder: Path) -> Trust:
    from windlass.pki import FolderContext

    bundle = folder / "ca.crt"  # cert-manager writes it beside the pair; other sources may not
    text = bundle.read_text(encoding="utf-8") if bundle.is_file() else ""
    return Trust(FolderContext(folder, "webhooks").context, text)


def _made(names: list[str]) -> Trust:
    from windlass.pki import authority, server_context, serving_certificate

    ca = authority("windlass-webhooks")
    return Trust(server_context(serving_certificate(ca, names)), ca.certificate)
