from __future__ import annotations

import ssl
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from windlass.client.certificate import ascii_text

if TYPE_CHECKING:
    from windlass.client.certificate import ClientCertificate


def tls_context(
    *, verify: bool, authority: bytes | None, certificate: ClientCertificate | None
) -> ssl.SSLContext:
    """How connections are secured: whom they trust, and what they present.

    Without an `authority` the system's own are trusted.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_alpn_protocols(["http/1.1"])
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif authority is None:
        context.load_default_certs()
    else:
        # As in Go, whatever the kubeconfig trusts is trusted, also when it is not a root itself.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        context.load_verify_locations(cadata=ascii_text(authority))
    if certificate is not None:
        _present(context, certificate)
    return context


def _present(context: ssl.SSLContext, certificate: ClientCertificate) -> None:
    """Load a certificate; `ssl` takes it from files only, so there is one for the blink of an eye."""
    with TemporaryDirectory(prefix="windlass-") as folder:  # open to its owner alone
        file = Path(folder) / "client.pem"
        file.touch(mode=0o600)
        file.write_bytes(certificate.chain + b"\n" + certificate.key)
        context.load_cert_chain(file)
