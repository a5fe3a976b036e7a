"""Certificates and keys that do not fit together."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

_TLS: Final = "kubernetes.io/tls"
_PEM: Final = b"-----BEGIN "


def secret(obj: Object, _old: Object | None) -> Iterator[str]:
    """A certificate whose key is another's, or that is none."""
    if obj.get("type") != _TLS:
        return
    data = obj.get("data") or {}
    certificate, key = (b64decode(data.get(name, "")) for name in ("tls.crt", "tls.key"))
    for name, text in (("certificate", certificate), ("key", key)):
        if _PEM not in text:
            yield f"tls: failed to find any PEM data in {name} input"
            return
    yield from _mismatch(certificate, key)


def _mismatch(certificate: bytes, key: bytes) -> Iterator[str]:
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        PublicFormat,
        load_pem_private_key,
    )
    from cryptography.x509 import load_pem_x509_certificate

    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    try:
        certified = load_pem_x509_certificate(certificate).public_key().public_bytes(*form)
    except ValueError:
        yield "x509: malformed certificate"
        return
    try:
        own = load_pem_private_key(key, password=None).public_key().public_bytes(*form)
    except (TypeError, ValueError):
        yield "tls: failed to parse private key"
        return
    if certified != own:
        yield "tls: private key does not match public key"
