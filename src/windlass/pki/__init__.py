"""Certificates: what signs, what serves, how one replaces the other, and keys that sign tokens.

    ca = authority("windlass")
    server = serving_certificate(ca, ["127.0.0.1", "localhost"])

An authority of one's own and the certificates that it signs are a `Keyring`, which `renewed` keeps fresh. It
only decides: the time is an argument, and who keeps the keyring where, is the caller's business.

    keyring = renewed(None, RotationPolicy(), ["hooks.shop.svc"], now)
    keyring = renewed(keyring, RotationPolicy(), ["hooks.shop.svc"], due(keyring, RotationPolicy()))

Everything is PEM text in memory; `PairContext` and `FolderContext` are TLS by a pair that changes.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.pki.certificate import KeyPair as KeyPair
    from windlass.pki.certificate import authority as authority
    from windlass.pki.certificate import client_certificate as client_certificate
    from windlass.pki.certificate import serving_certificate as serving_certificate
    from windlass.pki.certificate import signing_key as signing_key
    from windlass.pki.keyring import Keyring as Keyring
    from windlass.pki.lifespan import Lifespan as Lifespan
    from windlass.pki.policy import RotationPolicy as RotationPolicy
    from windlass.pki.rotation import due as due
    from windlass.pki.rotation import renewed as renewed
    from windlass.pki.serving import FolderContext as FolderContext
    from windlass.pki.serving import PairContext as PairContext
    from windlass.pki.serving import server_context as server_context

__lazy__ = {
    "FolderContext": "windlass.pki.serving",
    "KeyPair": "windlass.pki.certificate",
    "Keyring": "windlass.pki.keyring",
    "Lifespan": "windlass.pki.lifespan",
    "PairContext": "windlass.pki.serving",
    "RotationPolicy": "windlass.pki.policy",
    "authority": "windlass.pki.certificate",
    "client_certificate": "windlass.pki.certificate",
    "due": "windlass.pki.rotation",
    "renewed": "windlass.pki.rotation",
    "server_context": "windlass.pki.serving",
    "serving_certificate": "windlass.pki.certificate",
    "signing_key": "windlass.pki.certificate",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
