from __future__ import annotations

import base64
import binascii
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec

    from windlass.pki import KeyPair

_HALF: Final = 32  # a signature is two numbers of this many bytes

Claims = dict[str, Any]


class BadToken(WindlassError):
    """A token that is meant for this server, and is not good; the message says why."""


class Keyring:
    """A key that signs tokens (JWT, ES256) and knows those that it has signed.

    Unless one is given, the key is made when it is first needed: most servers never sign anything.
    """

    def __init__(self, key: KeyPair | None = None) -> None:
        self._given = key

    @cached_property
    def id(self) -> str:
        """What names the key in the header of its tokens: the digest of its public part."""
        from hashlib import sha256

        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        public = self._key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return encoded(sha256(public).digest())

    def sign(self, claims: Claims) -> str:
        """A token with these claims."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        header = orjson.dumps({"alg": "ES256", "kid": self.id})
        text = f"{encoded(header)}.{encoded(orjson.dumps(claims, option=orjson.OPT_SORT_KEYS))}"
        r, s = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{text}.{encoded(r.to_bytes(_HALF, 'big') + s.to_bytes(_HALF, 'big'))}"

    def verify(self, token: str) -> Claims:
        """The claims of a token that this key has signed.

        Raises:
            BadToken: it has not.
        """
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

        text, _, tail = token.rpartition(".")
        header, payload = (parsed(part) for part in text.split("."))
        if header is None or payload is None or header.get("kid", self.id) != self.id:
            raise BadToken("invalid signature, no keys found")
        signature = decoded(tail) or b""
        r, s = (int.from_bytes(half, "big") for half in (signature[:_HALF], signature[_HALF:]))
        try:
            der = encode_dss_signature(r, s)
            self._key.public_key().verify(der, text.encode(), ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            raise BadToken("go-jose/go-jose: error in cryptographic primitive") from None
        return payload

    def key_set(self) -> dict[str, Any]:
        """The public key for those who verify tokens themselves (JWKS)."""
        numbers = self._key.public_key().public_numbers()
        x, y = (encoded(number.to_bytes(_HALF, "big")) for number in (numbers.x, numbers.y))
        key = {"use": "sig", "kty": "EC", "kid": self.id, "crv": "P-256", "alg": "ES256", "x": x, "y": y}
        return {"keys": [key]}

    @cached_property
    def _key(self) -> ec.EllipticCurvePrivateKey:
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        from windlass.pki import signing_key

        pair = self._given or signing_key()
        key = load_pem_private_key(pair.key.encode(), password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError(f"the signing key is of another sort: {type(key).__name__}")
        return key


def claims_of(token: str) -> Claims | None:
    """What a token says of itself, verified by nobody; `None` when it is no token of this form."""
    parts = token.split(".")
    if len(parts) != 3 or parsed(parts[0]) is None or decoded(parts[2]) is None:  # noqa: PLR2004 - JWT has three
        return None
    return parsed(parts[1])


def parsed(part: str) -> Claims | None:
    """The JSON object in a part of a token, `None` when there is none."""
    data = decoded(part)
    if data is None:
        return None
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def encoded(data: bytes) -> str:
    """Bytes as tokens write them: base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes | None:
    """The inverse of `encoded`, `None` for other texts."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
