"""The certificates by which a webhook is trusted."""

from __future__ import annotations

import base64
import re
from typing import Final

_BLOCK: Final = re.compile(
    r"-----BEGIN (?P<label>[^-]+)-----\s(?P<body>[A-Za-z0-9+/=\s]*)-----END (?P=label)-----"
)


def bundle_problem(bundle: str) -> str:
    """Why none of the certificates in a bundle, which is PEM in Base64, can be used; nothing if one can."""
    from cryptography import x509  # loaded only where somebody brings certificates

    text = base64.b64decode(bundle).decode(errors="replace")
    labels = [(match["label"], match["body"]) for match in _BLOCK.finditer(text)]
    if not labels:
        return "unable to load root certificates: unable to parse bytes as PEM block"
    broken = False
    for label, body in labels:
        if label != "CERTIFICATE":
            continue
        try:
            x509.load_der_x509_certificate(base64.b64decode(body))
        except ValueError:
            broken = True
        else:
            return ""
    problem = "failed to parse certificate: x509: malformed certificate" if broken else ""
    return f"unable to load root certificates: {problem or 'no valid certificate authority data seen'}"
