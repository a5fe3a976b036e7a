from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from windlass.pki import (
    KeyPair,
    Lifespan,
    authority,
    client_certificate,
    serving_certificate,
    signing_key,
)

if TYPE_CHECKING:
    from pathlib import Path

HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def ca() -> KeyPair:
    return authority("test")


def handshake(ca: KeyPair, serving: KeyPair, host: str, folder: Path) -> None:
    """Shake hands in memory, with the client as strict as Python can be."""
    (folder / "crt").write_text(serving.certificate)
    (folder / "key").write_text(serving.key)
    server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_context.load_cert_chain(folder / "crt", folder / "key")
    client_context = ssl.create_default_context(cadata=ca.certificate)
    client_context.verify_flags |= ssl.VERIFY_X509_STRICT
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_context.wrap_bio(down, up, server_hostname=host)
    server = server_context.wrap_bio(up, down, server_side=True)
    for side in (client, server, client):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
    assert client.getpeercert()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_strict_client_accepts_the_server_under_each_of_its_names(
    ca: KeyPair, host: str, tmp_path: Path
) -> None:
    handshake(ca, serving_certificate(ca, ["127.0.0.1", "localhost"]), host, tmp_path)


@pytest.mark.parametrize("host", ["127.0.0.2", "example.com"])
def test_a_client_refuses_the_server_under_another_name(ca: KeyPair, host: str, tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match=r"mismatch|not valid for"):
        handshake(ca, serving_certificate(ca, ["127.0.0.1", "localhost"]), host, tmp_path)


def test_a_client_refuses_the_server_of_another_authority(ca: KeyPair, tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(authority("test"), serving_certificate(ca, ["localhost"]), "localhost", tmp_path)


def test_a_client_certificate_names_the_user_and_the_groups(ca: KeyPair) -> None:
    pair = client_certificate(ca, "alice", ["shop", "ops"], HOUR)
    certificate = x509.load_pem_x509_certificate(pair.certificate.encode())

    def names(oid: x509.ObjectIdentifier) -> list[str | bytes]:
        return [attribute.value for attribute in certificate.subject.get_attributes_for_oid(oid)]

    usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert names(NameOID.COMMON_NAME) == ["alice"]
    assert names(NameOID.ORGANIZATION_NAME) == ["shop", "ops"]
    assert list(usage) == [ExtendedKeyUsageOID.CLIENT_AUTH]


def test_a_client_certificate_comes_with_its_own_key_and_is_signed_by_the_authority(ca: KeyPair) -> None:
    pair = client_certificate(ca, "alice", [], HOUR)
    certificate = x509.load_pem_x509_certificate(pair.certificate.encode())

    certificate.verify_directly_issued_by(x509.load_pem_x509_certificate(ca.certificate.encode()))
    assert load_pem_private_key(pair.key.encode(), None).public_key() == certificate.public_key()


@pytest.mark.parametrize("lifetime", [HOUR, timedelta(days=30), -HOUR])
def test_a_lifetime_counts_from_now_and_may_be_over(ca: KeyPair, lifetime: timedelta) -> None:
    pair = client_certificate(ca, "alice", [], lifetime)
    certificate = x509.load_pem_x509_certificate(pair.certificate.encode())

    assert abs(certificate.not_valid_after_utc - datetime.now(UTC) - lifetime) < timedelta(minutes=1)
    assert certificate.not_valid_before_utc < min(datetime.now(UTC), certificate.not_valid_after_utc)


def test_the_public_half_of_a_signing_key_belongs_to_the_private_half() -> None:
    pair = signing_key()

    assert load_pem_private_key(pair.key.encode(), None).public_key() == load_pem_public_key(
        pair.certificate.encode()
    )


def test_certificates_are_made_when_and_for_as_long_as_they_are_told() -> None:
    now = datetime(2031, 5, 1, 12, 0, 0, 250_000, tzinfo=UTC)
    signer = authority("test", lifetime=2 * HOUR, now=now)
    pair = serving_certificate(signer, ["localhost"], lifetime=HOUR, now=now)

    second = datetime(2031, 5, 1, 12, 0, 1, tzinfo=UTC)
    assert Lifespan.of(signer.certificate) == Lifespan(second, second + 2 * HOUR - timedelta(seconds=1))
    assert Lifespan.of(pair.certificate) == Lifespan(second, second + HOUR - timedelta(seconds=1))
