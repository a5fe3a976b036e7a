from typing import Any

import pytest

from windlass.apiserver.access.jwt import BadToken, Keyring, claims_of, decoded, encoded

CLAIMS = {"iss": "me", "aud": ["you"]}


def test_a_key_knows_what_it_signed() -> None:
    keyring = Keyring()

    assert keyring.verify(keyring.sign(CLAIMS)) == CLAIMS


def test_the_claims_are_there_to_be_read() -> None:
    assert claims_of(Keyring().sign(CLAIMS)) == CLAIMS


def test_a_key_does_not_know_what_another_signed() -> None:
    with pytest.raises(BadToken, match="no keys found"):
        Keyring().verify(Keyring().sign(CLAIMS))


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_token_with_another_part_is_not_believed(part: int) -> None:
    keyring = Keyring()
    parts = keyring.sign(CLAIMS).split(".")
    changed: dict[int, dict[str, Any]] = {0: {"alg": "ES256", "kid": keyring.id, "x": 1}, 1: {"iss": "else"}}
    other = Keyring()
    parts[part] = other.sign(CLAIMS).split(".")[2] if part == 2 else other.sign(changed[part]).split(".")[1]

    with pytest.raises(BadToken, match="cryptographic"):
        keyring.verify(".".join(parts))


def test_a_signature_of_the_wrong_size_is_not_believed() -> None:
    keyring = Keyring()
    text = keyring.sign(CLAIMS).rpartition(".")[0]

    for tail in ("", encoded(b"short"), encoded(b"x" * 65)):
        with pytest.raises(BadToken):
            keyring.verify(f"{text}.{tail}")


@pytest.mark.parametrize("token", ["", "a", "a.b", "a.b.c", "a.b.c.d", "e30.W10.", "e30.!.e30", "é.é.é"])
def test_what_is_no_token_claims_nothing(token: str) -> None:
    assert claims_of(token) is None


def test_a_public_key_can_be_handed_out() -> None:
    keyring = Keyring()

    (key,) = keyring.key_set()["keys"]

    assert (key["kid"], key["alg"], key["crv"]) == (keyring.id, "ES256", "P-256")
    assert [len(decoded(key[axis]) or b"") for axis in ("x", "y")] == [32, 32]
