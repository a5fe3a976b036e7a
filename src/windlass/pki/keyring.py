from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windlass.errors import KeyringError
from windlass.pki.certificate import KeyPair
from windlass.pki.lifespan import is_signed_by

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEEDED = ("tls.crt", "tls.key", "ca.crt", "ca.key", "revision")
_DIGITS = 18  # more than anyone will count, and less than Python refuses to read


@dataclass(frozen=True, kw_only=True)
class Keyring:
    """A serving pair, the authority that signed it, and the authorities that clients trust beside that one.

    `coming` is trusted already, and will sign once every client knows it. `outgoing` are the certificates of
    former authorities, whose keys are forgotten; what they signed may still be in use. Each keyring that
    follows another has a greater `revision`.
    """

    revision: int
    serving: KeyPair
    authority: KeyPair
    coming: KeyPair | None = None
    outgoing: tuple[str, ...] = ()

    @property
    def bundle(self) -> str:
        """What clients trust: the certificates of all authorities, as PEM text, in the order of their making.

        So it stays as it is when one authority hands over to the next.
        """
        coming = (self.coming.certificate,) if self.coming else ()
        return "".join((*self.outgoing, self.authority.certificate, *coming))

    def data(self) -> Mapping[str, str]:
        """As the data of a Secret of type `kubernetes.io/tls`; `ca.crt` is the bundle."""
        said = {
            "tls.crt": self.serving.certificate,
            "tls.key": self.serving.key,
            "ca.crt": self.bundle,
            "ca.key": self.authority.key,
            "revision": str(self.revision),
        }
        return said | ({"coming.key": self.coming.key} if self.coming else {})

    @classmethod
    def read(cls, data: Mapping[str, str]) -> Keyring:
        """What `data` wrote.

        Raises:
            KeyringError: it is damaged, or was never a keyring; the message says how one can tell.
        """
        missing = [name for name in _NEEDED if not data.get(name)]
        if missing:
            raise KeyringError(f"there is no {' and no '.join(missing)}")
        if not data["revision"].isdecimal() or len(data["revision"]) > _DIGITS:
            raise KeyringError(f"the revision is {data['revision']!r}, which is no number")
        authorities = _certificates(data["ca.crt"])
        keys = [data["ca.key"], *filter(None, [data.get("coming.key")])]
        if len(keys) > len(authorities):
            raise KeyringError("there is a coming.key, but only one certificate in ca.crt")
        former, last = authorities[: -len(keys)], authorities[-len(keys) :]
        signers = [_pair(*each) for each in zip(last, keys, ("ca", "coming"), strict=False)]
        serving = _pair(data["tls.crt"], data["tls.key"], "tls")
        if not any(is_signed_by(serving.certificate, each) for each in authorities):
            raise KeyringError("tls.crt is signed by no authority of ca.crt")
        return cls(
            revision=int(data["revision"]),
            serving=serving,
            authority=signers[0],
            coming=signers[1] if signers[1:] else None,
            outgoing=tuple(former),
        )


def _certificates(bundle: str) -> list[str]:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    try:
        found = x509.load_pem_x509_certificates(bundle.encode())
    except ValueError as error:
        raise KeyringError(f"ca.crt cannot be read: {error}") from error
    if len(found) != bundle.count("-----BEGIN"):  # what is cut off at its end is passed over in silence
        raise KeyringError("ca.crt cannot be read to its end")
    return [each.public_bytes(Encoding.PEM).decode() for each in found]


def _pair(certificate: str, key: str, name: str) -> KeyPair:
    """A certificate with its key, if it is."""
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        public = x509.load_pem_x509_certificate(certificate.encode()).public_key()
        private = load_pem_private_key(key.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyringError(f"the certificate or the key of {name} cannot be read: {error}") from error
    if not isinstance(private, ec.EllipticCurvePrivateKey) or not isinstance(private.curve, ec.SECP256R1):
        raise KeyringError(f"{name}.key is of another sort than those that are made here")
    if private.public_key() != public:
        raise KeyringError(f"{name}.key is not the key of its certificate")
    return KeyPair(certificate=certificate, key=key)
