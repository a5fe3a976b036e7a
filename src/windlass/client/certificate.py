from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Self

    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
    from cryptography.x509 import Certificate


@dataclass(frozen=True, slots=True)
class ClientCertificate:
    """A client certificate with its key, both as PEM, known to belong together.

    `where` says where it came from, for messages.
    """

    chain: bytes = field(repr=False)
    key: bytes = field(repr=False)
    expires: datetime
    where: str = field(compare=False)

    @classmethod
    def parse(cls, chain: bytes, key: bytes, where: str) -> Self:
        """Check a certificate against its key.

        Raises:
            ConfigError: one of them is not PEM, the key is encrypted, or they do not belong together.
        """
        certificate = _certificate(chain, where)
        if certificate.public_key() != _private_key(key, where).public_key():
            raise ConfigError(
                f"{where}: the client key does not match the client certificate; "
                "take both from the same place, usually by fetching the kubeconfig anew"
            )
        return cls(chain, key, certificate.not_valid_after_utc, where)

    def check_current(self, now: datetime) -> None:
        """Refuse a certificate that no server would accept any more.

        Raises:
            ConfigError: it has expired; the message says when.
        """
        if self.expires <= now:
            raise ConfigError(
                f"{self.where}: the client certificate expired on {self.expires:%Y-%m-%d %H:%M} UTC; "
                "fetch the kubeconfig anew or have the certificate renewed"
            )


def check_authority(pem: bytes, where: str) -> bytes:
    """The CA certificates as they came, once they are known to be some.

    Raises:
        ConfigError: no certificate can be read from them.
    """
    import ssl  # costs more than all the rest of loading a configuration

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=ascii_text(pem))
    except (ssl.SSLError, ValueError) as error:  # the latter for nothing at all
        raise ConfigError(
            f"{where}: no CA certificate in PEM form can be read from it; "
            "it must hold at least one block that starts with -----BEGIN CERTIFICATE-----"
        ) from error
    return pem


def ascii_text(pem: bytes) -> str:
    """PEM as `ssl` takes it: comments between the blocks may hold any character, the blocks only ASCII."""
    return pem.decode("ascii", "ignore")


def _certificate(chain: bytes, where: str) -> Certificate:
    from cryptography import x509  # needed for client certificates only, and slow to import

    try:
        return x509.load_pem_x509_certificates(chain)[0]
    except ValueError as error:
        raise ConfigError(
            f"{where}: the client certificate is not in PEM form; "
            "it must start with -----BEGIN CERTIFICATE-----"
        ) from error


def _private_key(key: bytes, where: str) -> PrivateKeyTypes:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        return load_pem_private_key(key, password=None)
    except TypeError as error:  # how cryptography says that a passphrase is missing
        raise ConfigError(
            f"{where}: the client key is encrypted with a passphrase, which a kubeconfig cannot carry; "
            "decrypt it, for example with `openssl pkey`"
        ) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ConfigError(
            f"{where}: the client key is not a private key in PEM form; "
            "it must hold a block such as -----BEGIN PRIVATE KEY-----"
        ) from error
