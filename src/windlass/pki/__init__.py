"""Certificates: an authority, what it signs for servers and users, and keys that sign tokens.

    ca = authority("windlass")
    server = serving_certificate(ca, ["127.0.0.1", "localhost"])

Everything is PEM text in memory; writing files is the caller's business.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.pki.certificate import KeyPair as KeyPair
    from windlass.pki.certificate import authority as authority
    from windlass.pki.certificate import client_certificate as client_certificate
    from windlass.pki.certificate import serving_certificate as serving_certificate
    from windlass.pki.certificate import signing_key as signing_key

__lazy__ = {
    "KeyPair": "windlass.pki.certificate",
    "authority": "windlass.pki.certificate",
    "client_certificate": "windlass.pki.certificate",
    "serving_certificate": "windlass.pki.certificate",
    "signing_key": "windlass.pki.certificate",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
