"""What a certificate says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windlass.pki.certificate import BACKDATED

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from cryptography import x509


@dataclass(frozen=True, slots=True)
class Lifespan:
    """From when to when a certificate lives; it is valid from a little before it was `made`."""

    made: datetime
    until: datetime

    @classmethod
    def of(cls, certificate: str) -> Lifespan:
        """That of a certificate in PEM.

        Raises:
            ValueError: it is none.
        """
        found = _loaded(certificate)
        return cls(found.not_valid_before_utc + BACKDATED, found.not_valid_after_utc)

    @property
    def length(self) -> timedelta:
        """How long it lives."""
        return self.until - self.made

    def holds(self, now: datetime) -> bool:
        """Whether a client by whose clock it is now takes it for valid."""
        return self.made - BACKDATED <= now < self.until


def hosts_of(certificate: str) -> frozenset[str]:
    """The names and addresses that a serving certificate is for."""
    from cryptography import x509

    extensions = _loaded(certificate).extensions
    try:
        names = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset()
    addresses = (str(each) for each in names.get_values_for_type(x509.IPAddress))
    return frozenset((*names.get_values_for_type(x509.DNSName), *addresses))


def is_signed_by(certificate: str, authority: str) -> bool:
    """Whether an authority signed a certificate."""
    from cryptography.exceptions import InvalidSignature

    try:
        _loaded(certificate).verify_directly_issued_by(_loaded(authority))
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _loaded(certificate: str) -> x509.Certificate:
    from cryptography import x509

    return x509.load_pem_x509_certificate(certificate.encode())
