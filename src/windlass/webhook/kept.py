"""The Secret that a keyring is kept in."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from windlass.api import ObjectMeta
from windlass.errors import ConfigError, KeyringError, NotFound
from windlass.kinds.core.v1 import Secret
from windlass.pki import Keyring

if TYPE_CHECKING:
    from windlass.client import Client

_log = logging.getLogger("windlass.webhook")

_TYPE: Final = "kubernetes.io/tls"
_OURS: Final = {"app.kubernetes.io/managed-by": "windlass"}
"""By this we know what we made, whatever has become of its data."""


class KeyringSecret:
    """A Secret with a keyring in it. One that somebody else made is never written to."""

    def __init__(self, name: str, namespace: str) -> None:
        self._name = name
        self._namespace = namespace

    def __str__(self) -> str:
        return f"{self._namespace}/{self._name}"

    async def read(self, client: Client) -> tuple[Secret | None, Keyring | None]:
        """The Secret, and what is kept in it; None for what is not there, or has been damaged.

        Raises:
            ConfigError: it is somebody else's.
        """
        try:
            secret = await client.get(Secret, self._name, self._namespace)
        except NotFound:
            return None, None
        try:
            return secret, Keyring.read(
                {name: value.decode(errors="replace") for name, value in secret.data.items()}
            )
        except KeyringError as error:
            if not secret.metadata.labels.items() >= _OURS.items():
                raise ConfigError(self._foreign(secret)) from error
            _log.warning("The Secret %s holds no certificates that can be used: %s", self, error)
            return secret, None

    async def write(self, client: Client, before: Secret | None, keyring: Keyring) -> None:
        """Keep a keyring in place of what was read, if that is still there.

        Raises:
            Conflict: something else is.
        """
        data = {name: text.encode() for name, text in keyring.data().items()}
        if before is None:
            meta = ObjectMeta(name=self._name, namespace=self._namespace, labels=dict(_OURS))
            await client.create(Secret(metadata=meta, type=_TYPE, data=data))
        else:
            before.data = data
            before.metadata.labels |= _OURS
            await client.update(before)

    def _foreign(self, secret: Secret) -> str:
        keys = f"keys {', '.join(sorted(secret.data))}" if secret.data else "no data"
        return (
            f"the Secret {self} is somebody else's, of type {secret.type} and with {keys}, and is left as it"
            " is; name another one for the certificates of webhooks (WebhookOptions.secret), or delete it"
        )
