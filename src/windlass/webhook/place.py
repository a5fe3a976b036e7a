from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json, Key
    from windlass.manager import Address

HTTPS: Final = 443


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where the API server finds webhooks, and what their configurations are called.

    `name` is the operator's. It is reached by a `service` at `port`, or by a `url` that ends in a host.
    `bundle` are the certificates, as PEM text, that it is trusted by; it is empty where somebody else fills
    it in, as cert-manager does when the `annotations` ask for it. `namespaces` are the only ones whose
    objects are judged; none means all but `kube-system` and the service's own. `kept` says that somebody
    keeps the bundle fresh where there is one already. `listening` is the port behind it all, if there is one.

    Raises:
        ConfigError: there is neither a service nor a URL, or there are both.
    """

    name: str
    service: Key | None = None
    port: int = HTTPS
    url: str = ""
    bundle: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)
    namespaces: tuple[str, ...] = ()
    kept: bool = False
    listening: Address | None = None

    def __post_init__(self) -> None:
        if bool(self.service) == bool(self.url):
            raise ConfigError("webhooks are found by a service or by a url: say one of them")
        if self.url and not self.url.startswith("https://"):
            raise ConfigError(f"{self.url} is no place for webhooks: API servers call https only")

    def client(self, path: str) -> Json:
        """The `clientConfig` of the webhook at a path."""
        import base64

        found: dict[str, Any] = {}
        if self.service:
            name, namespace = self.service.name, self.service.namespace
            found["service"] = {"name": name, "namespace": namespace, "path": path, "port": self.port}
        else:
            found["url"] = f"{self.url.rstrip('/')}{path}"
        if self.bundle:
            found["caBundle"] = base64.b64encode(self.bundle.encode()).decode()
        return found
