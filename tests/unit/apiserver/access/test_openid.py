import orjson

from windlass.apiserver.access.jwt import Keyring
from windlass.apiserver.access.openid import key_set, openid_configuration


def test_the_configuration_leads_to_the_keys_of_this_host() -> None:
    configuration = orjson.loads(openid_configuration("127.0.0.1:6443").body)

    assert configuration["jwks_uri"] == "https://127.0.0.1:6443/openid/v1/jwks"
    assert configuration["issuer"] == "https://kubernetes.default.svc"


def test_the_keys_are_those_that_sign() -> None:
    keyring = Keyring()

    reply = key_set(keyring)

    assert reply.content_type == "application/jwk-set+json"
    assert [key["kid"] for key in orjson.loads(reply.body)["keys"]] == [keyring.id]
