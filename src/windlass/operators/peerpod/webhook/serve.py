from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.errors import ConfigError
from windlass.manager import Address
from windlass.operators.peerpod.webhook.hook import pod_webhook
from windlass.operators.peerpod.webhook.settings import SizingSettings
from windlass.webhook import WebhookOptions, WebhookServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.manager import Manager

_FOLDER: Final = "/tmp/k8s-webhook-server/serving-certs"  # noqa: S108 - where such programs look by custom
_PORT: Final = "9443"
_VERSION: Final = "VersionTLS12"


def add_to(
    manager: Manager, settings: SizingSettings | None = None, options: WebhookOptions | None = None
) -> None:
    """Serve the webhook beside whatever else a manager runs; what is not said comes from the environment.

    Raises:
        ConfigError: the environment has a value that cannot be used.
    """
    chosen = settings or SizingSettings.from_environment(os.environ)
    WebhookServer([pod_webhook(chosen)], options or serving_options(os.environ)).add_to(manager)


def serving_options(environment: Mapping[str, str]) -> WebhookOptions:
    """How the webhook is served by itself: with the certificate of a folder that is mounted.

    Read are `WEBHOOK_PORT` (9443), `WEBHOOK_CERT_DIR` (where Go's programs look), and `TLS_MIN_VERSION` and
    `TLS_CIPHER_SUITES`, by the names that Go gives them.

    Raises:
        ConfigError: a value cannot be used.
    """
    port = environment.get("WEBHOOK_PORT", "").strip() or _PORT
    if not (port.isascii() and port.isdigit()):
        raise ConfigError(f"WEBHOOK_PORT is {port!r}, which is no port")
    suites = (each.strip() for each in environment.get("TLS_CIPHER_SUITES", "").split(","))
    return WebhookOptions(
        address=Address("", int(port)),
        folder=Path(environment.get("WEBHOOK_CERT_DIR", "").strip() or _FOLDER),
        min_tls_version=environment.get("TLS_MIN_VERSION", "").strip() or _VERSION,
        cipher_suites=tuple(each for each in suites if each),
    )
