from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

_HTTPS: Final = 443


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where somebody outside is reached: the `clientConfig` of a webhook.

    `address` is the host and port of its URL; those of a service are `name.namespace.svc:port`. `authority`
    are the certificates, as PEM text, that its own is verified with; those of the machine if there are none.
    """

    url: str
    address: str
    path: str
    authority: str = ""
    service: tuple[str, str] | None = None

    @classmethod
    def of(cls, client: Mapping[str, Any]) -> Target:
        """The target of a `clientConfig` that is known to be valid."""
        bundle = base64.b64decode(client.get("caBundle") or "")
        authority = bundle.decode("ascii", errors="replace").replace("\ufffd", "?")  # it may have comments
        service = client.get("service")
        if service is not None:
            address = f"{service['name']}.{service['namespace']}.svc:{service.get('port', _HTTPS)}"
            path = service.get("path") or "/"
            named = (service["namespace"], service["name"])
            return cls(
                url=f"https://{address}{path}",
                address=address,
                path=path,
                authority=authority,
                service=named,
            )
        parts = urlsplit(client["url"])
        host, colon, port = parts.netloc.rpartition(":")
        if not colon or port.endswith("]"):
            host, port = parts.netloc, ""
        address = f"{host}:{port or _HTTPS}"
        return cls(url=client["url"], address=address, path=parts.path or "/", authority=authority)

    @property
    def host(self) -> str:
        """The host that its certificate must name."""
        return self.address.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port."""
        return int(self.address.rpartition(":")[2])
