"""How others verify the tokens of service accounts: where the keys are (OpenID discovery), and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import orjson

from windlass.apiserver.access.token import ISSUER
from windlass.apiserver.exchange import Reply

if TYPE_CHECKING:
    from windlass.apiserver.access.jwt import Keyring

JWK_SET: Final = "application/jwk-set+json"
_KEPT: Final = {"cache-control": "public, max-age=3600"}


def openid_configuration(host: str) -> Reply:
    """Who issues tokens, and where on this host the keys are."""
    configuration = {
        "issuer": ISSUER,
        "jwks_uri": f"https://{host}/openid/v1/jwks",
        "response_types_supported": ["id_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    }
    return Reply(body=orjson.dumps(configuration), headers=dict(_KEPT))


def key_set(keyring: Keyring) -> Reply:
    """The keys that tokens are signed with."""
    return Reply(body=orjson.dumps(keyring.key_set()), content_type=JWK_SET, headers=dict(_KEPT))
