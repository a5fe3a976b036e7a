"""Whom a client certificate names."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from windlass.apiserver.exchange import User

if TYPE_CHECKING:
    from collections.abc import Mapping


def certified_user(certificate: Mapping[str, Any], der: bytes) -> User | None:
    """The user that a verified certificate names, `None` when it names nobody.

    It comes as `ssl` gives it, parsed and as bytes. CN is the name, each O a group.
    """
    parts = [pair for part in certificate.get("subject", ()) for pair in part]
    names = [value for key, value in parts if key == "commonName"]
    if not names or not names[-1]:
        return None
    groups = tuple(value for key, value in parts if key == "organizationName")
    credential = f"X509SHA256={sha256(der).hexdigest()}"
    return User(names[-1], groups, extra={"authentication.kubernetes.io/credential-id": [credential]})
