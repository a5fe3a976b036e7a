from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.api import Key
from windlass.errors import ConfigError
from windlass.manager import Address
from windlass.webhook.cipher import check_ciphers, check_version

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.manager import ManagerOptions, WebhookSettings
    from windlass.pki import RotationPolicy

WEBHOOK_SERVICE: Final = "webhook-service"
"""The end of the name of the generated Service; the operator's name is before it."""
_PORT: Final = 9443
_MIB: Final = 1024 * 1024
_LARGEST: Final = 7 * _MIB
"""An object of etcd's largest size, new and old, with its review around it."""
_LARGEST_LIST: Final = 256 * _MIB
"""An API server has the objects of a list converted all at once."""


@dataclass(frozen=True, kw_only=True)
class WebhookOptions:
    """Where webhooks are served, how the API server gets there, and whom it meets.

    `name`: how configurations are called; the operator's name unless it is said.
    `address`: where it listens.
    `service`: the service that leads to it, in the operator's own namespace; its port is 443. In a pod it is
    `<operator>-webhook-service` unless another one is given.
    `url`: where it is found without a service, such as `https://192.0.2.7:9443`: an operator on a laptop.
    With neither, it is found on this machine.
    `folder`: the certificate is `tls.crt` and `tls.key` of a folder, read again when they change, and signed
    by `ca.crt`; cert-manager's are mounted like this. Without a folder the server has a certificate of its
    own: behind a service all replicas share one, kept and renewed in a Secret beside the service, `secret`
    or `<service>-cert`, and bring its authority into the configurations; otherwise it ends with the process.
    `rotation`: how long the certificates in that Secret live, and when they are replaced; by default 90 days,
    and those of the authority a year.
    `min_tls_version`, `cipher_suites`: as Go and Kubernetes name them: `VersionTLS12`, and names such as
    `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`.
    `install`: the configurations are kept as declared; otherwise somebody else applies what
    `windlass generate webhooks` writes.
    `grace`: how long requests may take to be answered once the server is stopped.
    `largest`: the bytes of the largest request that is read; 7 MiB unless it is said, or 256 MiB for a server
    that converts, since it is asked about whole lists.

    Raises:
        ConfigError: a value cannot be used; the message says which.
    """

    name: str = ""
    address: Address = Address("", _PORT)  # noqa: RUF009 - it is frozen
    service: Key | None = None
    url: str = ""
    secret: str = ""
    folder: Path | None = None
    rotation: RotationPolicy | None = None
    min_tls_version: str = "VersionTLS12"
    cipher_suites: tuple[str, ...] = ()
    install: bool = False
    grace: timedelta = timedelta(seconds=10)
    largest: int | None = None

    def __post_init__(self) -> None:
        check_version(self.min_tls_version)
        check_ciphers(self.cipher_suites)
        if self.service and self.url:
            raise ConfigError("webhooks are found by a service or by a url, and not by both")
        if (self.secret or self.rotation) and (self.folder or not self.service):
            what = "a Secret keeps" if self.secret else "a rotation renews"
            raise ConfigError(f"{what} the certificate of webhooks behind a service, without a folder")
        if self.grace < timedelta():
            raise ConfigError(f"grace is {self.grace.total_seconds():g} s, less than nothing")
        if self.largest is not None and self.largest < 1:
            raise ConfigError(f"largest is {self.largest} bytes: nothing would ever be read")

    @property
    def operator(self) -> str:
        """What configurations are called after."""
        return self.name or "windlass"

    def limit(self, *, converts: bool = False) -> int:
        """The bytes of the largest request that is read."""
        return self.largest or (_LARGEST_LIST if converts else _LARGEST)

    def under(self, manager: ManagerOptions) -> WebhookOptions:
        """The same, where whoever runs the manager has not said otherwise."""
        said = manager.webhooks
        keeps = not (said.url or said.certificate)
        name = self.name or manager.name
        return replace(
            self,
            name=name,
            address=said.address or self.address,
            service=self._service(said, name),
            url=said.url or ("" if said.service else self.url),
            secret=self.secret if keeps else "",
            rotation=self.rotation if keeps else None,
            folder=said.certificate or self.folder,
            install=self.install if said.install is None else said.install,
        )

    def _service(self, said: WebhookSettings, name: str) -> Key | None:
        """The service that leads to the server: the one that is stated, else in a pod the generated one."""
        if said.url or (self.url and not said.service):
            return None
        generated = Key(said.namespace, f"{name}-{WEBHOOK_SERVICE}") if said.namespace else None
        return said.service or self.service or generated
