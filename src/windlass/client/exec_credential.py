from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from windlass.client.certificate import ClientCertificate
from windlass.client.credentials import Identity, bearer
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from typing import Self


@dataclass(frozen=True, slots=True)
class ExecCredential:
    """What an exec plugin answered: an identity, and until when it holds; forever when it does not say."""

    identity: Identity
    expires: datetime | None

    @classmethod
    def parse(cls, output: bytes, api_version: str, where: str) -> Self:
        """Read what a plugin printed. Messages never quote it, because it may hold a secret.

        Raises:
            ConfigError: it is not an ExecCredential of this version, or holds nothing that can be used.
        """
        status = _status(output, api_version, where)
        token, chain, key = (
            _text(status, name, where) for name in ("token", "clientCertificateData", "clientKeyData")
        )
        if bool(chain) != bool(key):
            raise ConfigError(f"{where} printed only one of clientCertificateData and clientKeyData")
        if not token and not chain:
            raise ConfigError(f"{where} printed neither a token nor a client certificate in its status")
        identity = Identity(
            authorization=bearer(token, where) if token else None,
            certificate=ClientCertificate.parse(chain.encode(), key.encode(), where) if chain else None,
        )
        return cls(identity, _expiry(status, where))

    def is_current(self, now: datetime) -> bool:
        """Whether the credential can still be used."""
        return self.expires is None or now < self.expires


def _status(output: bytes, api_version: str, where: str) -> dict[str, Any]:
    try:
        answer = json.loads(output)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{where} printed {len(output)} bytes that are not JSON; it must print an ExecCredential alone "
            "on standard output, and anything else on standard error"
        ) from error
    kind = answer.get("kind") if isinstance(answer, dict) else type(answer).__name__
    if kind != "ExecCredential":
        raise ConfigError(f"{where} printed kind {kind}, not ExecCredential")
    version = answer.get("apiVersion")
    if version != api_version:
        raise ConfigError(
            f"{where} printed apiVersion {version}, but the kubeconfig asks for {api_version}; "
            "make apiVersion in the exec section agree with the plugin, or update the plugin"
        )
    status = answer.get("status")
    if not isinstance(status, dict):
        raise ConfigError(f"{where} printed an ExecCredential without a status")
    return status


def _text(status: dict[str, Any], name: str, where: str) -> str:
    value = status.get(name) or ""
    if not isinstance(value, str):
        raise ConfigError(f"{where} printed a status whose {name} is not a string")
    return value


def _expiry(status: dict[str, Any], where: str) -> datetime | None:
    text = _text(status, "expirationTimestamp", where)
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ConfigError(f"{where} printed expirationTimestamp {text!r}, which is not RFC 3339") from error
    if moment.tzinfo is None:
        raise ConfigError(f"{where} printed expirationTimestamp {text!r}, which has no time zone")
    return moment
