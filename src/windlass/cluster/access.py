from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.pki import KeyPair

ADMIN = "admin"
_CLUSTER = "windlass"
KUBECONFIG = "kubeconfig"


@dataclass(frozen=True, kw_only=True)
class Access:
    """How to reach a control plane, and as whom.

    `server`: its URL, `https://127.0.0.1:port`.
    `tokens`: a bearer token for each user.
    `authority`: the certificate authority that signed the server's certificate, and that the server trusts to
    sign those of its users.
    `folder`: everything that belongs to this control plane: the kubeconfig, and a log for each program. It
    disappears with the control plane, unless that was given a folder for its data.
    `controllers`: whether its controllers and its scheduler run.
    """

    server: str
    tokens: Mapping[str, str] = field(repr=False)
    authority: KeyPair = field(repr=False)
    folder: Path
    controllers: bool = False

    @property
    def kubeconfig(self) -> Path:
        """A kubeconfig file for `admin`, with everything embedded."""
        return self.folder / KUBECONFIG

    @property
    def ca(self) -> str:
        """The certificate, as PEM text, that the server's own is to be verified against."""
        return self.authority.certificate

    def token(self, user: str = ADMIN) -> str:
        """The bearer token of a user.

        Raises:
            ConfigError: there is no such user; the option `users` adds one.
        """
        return token_of(user, self.tokens)

    def kubeconfig_for(self, user: str = ADMIN) -> str:
        """The text of a kubeconfig with which one is this user."""
        return _kubeconfig(self.server, self.ca, user, {"token": self.token(user)})

    def user_certificate(
        self, user: str, groups: Sequence[str] = (), lifetime: timedelta = timedelta(hours=1)
    ) -> KeyPair:
        """A client certificate for any user in any groups; with a negative lifetime it has expired."""
        from windlass.pki import client_certificate

        return client_certificate(self.authority, user, groups, lifetime)

    def to_dict(self) -> dict[str, Any]:
        """The same as strings and dictionaries, to be handed to another process."""
        return {**asdict(self), "folder": str(self.folder)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        from windlass.pki import KeyPair

        return cls(**{**data, "authority": KeyPair(**data["authority"]), "folder": Path(data["folder"])})


def token_of(user: str, tokens: Mapping[str, str]) -> str:
    """The bearer token of a user among those of a control plane.

    Raises:
        ConfigError: there is no such user.
    """
    if user not in tokens:
        known = ", ".join(tokens)
        raise ConfigError(
            f"this control plane has no user {user!r}, only {known}; name it in the option users"
        )
    return tokens[user]


def _kubeconfig(server: str, ca: str, user: str, credentials: Mapping[str, str]) -> str:
    import base64

    import yaml

    cluster = {"server": server, "certificate-authority-data": base64.b64encode(ca.encode()).decode()}
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": _CLUSTER,
        "clusters": [{"name": _CLUSTER, "cluster": cluster}],
        "contexts": [{"name": _CLUSTER, "context": {"cluster": _CLUSTER, "user": user}}],
        "users": [{"name": user, "user": dict(credentials)}],
    }
    return str(yaml.safe_dump(config, sort_keys=False))
