from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

BACKDATED = timedelta(minutes=5)
"""A certificate is valid from so long before it was made, since clocks differ."""

_LONGEST_NAME = 64
_FOREVER = timedelta(days=3650)  # what is made without a lifetime does not outlive a test run


@dataclass(frozen=True, kw_only=True)
class KeyPair:
    """A certificate and its private key, both as PEM text."""

    certificate: str
    key: str = field(repr=False)


def authority(name: str, *, lifetime: timedelta = _FOREVER, now: datetime | None = None) -> KeyPair:
    """A new certificate authority, made now."""
    from cryptography import x509

    key = _new_key()
    builder = _builder(_name(name), lifetime, now).issuer_name(_name(name)).public_key(key.public_key())
    usage = _key_usage(signs_certificates=True)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    return _signed(builder.add_extension(usage, critical=True), key, key)


def serving_certificate(
    signer: KeyPair, hosts: Sequence[str], *, lifetime: timedelta = _FOREVER, now: datetime | None = None
) -> KeyPair:
    """A certificate for a server under these names and addresses, made now."""
    import ipaddress

    from cryptography import x509
    from cryptography.x509.oid import ExtendedKeyUsageOID

    def general_name(host: str) -> x509.GeneralName:
        try:
            return x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            return x509.DNSName(host)

    # The subject is for people to read, and may not be longer; clients go by the alternative names.
    builder = _builder(_name(hosts[0][:_LONGEST_NAME]), lifetime, now)
    names = x509.SubjectAlternativeName([general_name(host) for host in hosts])
    return _issue(signer, builder.add_extension(names, critical=False), ExtendedKeyUsageOID.SERVER_AUTH)


def client_certificate(signer: KeyPair, user: str, groups: Sequence[str], lifetime: timedelta) -> KeyPair:
    """A certificate that a Kubernetes API server takes for this user in these groups.

    A negative lifetime makes one that expired that long ago.
    """
    from cryptography.x509.oid import ExtendedKeyUsageOID

    return _issue(signer, _builder(_name(user, groups), lifetime), ExtendedKeyUsageOID.CLIENT_AUTH)


def signing_key() -> KeyPair:
    """A key for service-account tokens: the private key, and in place of a certificate the public key."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = _new_key()
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return KeyPair(certificate=public.decode(), key=_key_pem(key))


def _issue(signer: KeyPair, builder: x509.CertificateBuilder, purpose: x509.ObjectIdentifier) -> KeyPair:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    issuer = x509.load_pem_x509_certificate(signer.certificate.encode())
    issuer_key = load_pem_private_key(signer.key.encode(), password=None)
    if not isinstance(issuer_key, ec.EllipticCurvePrivateKey):
        raise TypeError(f"the authority's key is of another sort: {type(issuer_key).__name__}")
    key = _new_key()
    # Python 3.13 verifies strictly: a certificate must name its issuer's key.
    issuer_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    builder = (
        builder.issuer_name(issuer.subject)
        .public_key(key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        .add_extension(issuer_id, critical=False)
    )
    return _signed(builder, key, issuer_key)


def _builder(subject: x509.Name, lifetime: timedelta, now: datetime | None = None) -> x509.CertificateBuilder:
    from cryptography import x509

    now = now or datetime.now(UTC)
    end = now + lifetime
    # A certificate knows whole seconds: rounded up, it never seems to be older than it is.
    begin = min(now, end) + timedelta(microseconds=-min(now, end).microsecond % 1_000_000)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin - BACKDATED)
        .not_valid_after(end)
    )


def _signed(
    builder: x509.CertificateBuilder, key: ec.EllipticCurvePrivateKey, signer: ec.EllipticCurvePrivateKey
) -> KeyPair:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.serialization import Encoding

    subject_id = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    certificate = builder.add_extension(subject_id, critical=False).sign(signer, hashes.SHA256())
    return KeyPair(certificate=certificate.public_bytes(Encoding.PEM).decode(), key=_key_pem(key))


def _name(common_name: str, organizations: Sequence[str] = ()) -> x509.Name:
    from cryptography import x509

    return x509.Name(
        [
            x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name),
            *(x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, each) for each in organizations),
        ]
    )


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _new_key() -> ec.EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())  # made in 0.1 ms, where RSA takes 100


def _key_pem(key: ec.EllipticCurvePrivateKey) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
