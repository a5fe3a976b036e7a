from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotating import HOSTS, START
from windlass.errors import KeyringError
from windlass.pki import Keyring, RotationPolicy, authority, due, renewed, serving_certificate

POLICY = RotationPolicy()


def keyrings() -> list[Keyring]:
    """One for each step of a rotation."""
    found = [renewed(None, POLICY, HOSTS, START)]
    while not found[-1].outgoing:
        found.append(renewed(found[-1], POLICY, HOSTS, due(found[-1], POLICY)))
    return found


KEYRINGS = keyrings()
FIRST, COMING, HANDED = KEYRINGS[0], KEYRINGS[-2], KEYRINGS[-1]
OTHER = renewed(None, POLICY, HOSTS, START)


@pytest.mark.parametrize("keyring", KEYRINGS, ids=lambda keyring: f"revision {keyring.revision}")
def test_a_keyring_is_read_as_it_was_written(keyring: Keyring) -> None:
    assert Keyring.read(keyring.data()) == keyring


def test_the_data_is_what_others_expect_of_such_a_secret() -> None:
    data = COMING.data()

    assert data["tls.crt"] == COMING.serving.certificate
    assert data["tls.key"] == COMING.serving.key
    assert data["ca.crt"].count("BEGIN CERTIFICATE") == 2


def test_a_keyring_does_not_show_its_keys() -> None:
    assert "PRIVATE KEY" not in repr(COMING)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"tls.key": "", "ca.key": ""}, "there is no tls.key and no ca.key"),
        ({"revision": "latest"}, "the revision is 'latest', which is no number"),
        ({"revision": "1" * 5000}, "which is no number"),
        ({"ca.crt": "nonsense"}, "ca.crt cannot be read"),
        ({"ca.crt": COMING.bundle[:-100]}, "ca.crt cannot be read to its end"),
        ({"ca.key": OTHER.authority.key}, "ca.key is not the key of its certificate"),
        ({"ca.key": "nonsense"}, "the certificate or the key of ca cannot be read"),
        ({"coming.key": OTHER.authority.key}, "coming.key is not the key of its certificate"),
        (
            {"ca.crt": FIRST.authority.certificate},
            "there is a coming.key, but only one certificate in ca.crt",
        ),
        ({"tls.crt": OTHER.serving.certificate}, "tls.key is not the key of its certificate"),
        ({"tls.crt": "nonsense"}, "the certificate or the key of tls cannot be read"),
        (
            {"tls.crt": OTHER.serving.certificate, "tls.key": OTHER.serving.key},
            "tls.crt is signed by no authority of ca.crt",
        ),
    ],
)
def test_what_is_damaged_is_refused_with_the_reason(changed: dict[str, str], said: str) -> None:
    with pytest.raises(KeyringError) as caught:
        Keyring.read({**COMING.data(), **changed})

    assert said in str(caught.value)


def test_the_secret_of_somebody_else_is_refused() -> None:
    signer = authority("cert-manager")
    pair = serving_certificate(signer, HOSTS)
    data = {"tls.crt": pair.certificate, "tls.key": pair.key, "ca.crt": signer.certificate}

    with pytest.raises(KeyringError, match=r"there is no ca\.key and no revision"):
        Keyring.read(data)


@pytest.mark.property
@given(name=st.sampled_from(sorted(COMING.data())), damage=st.data())
def test_whatever_is_damaged_is_refused_or_harmless(name: str, damage: st.DataObject) -> None:
    text = COMING.data()[name]
    begin = damage.draw(st.integers(0, len(text) - 1))
    end = damage.draw(st.integers(begin, min(begin + 40, len(text))))
    broken = text[:begin] + damage.draw(st.text(max_size=5)) + text[end:]
    try:
        found = Keyring.read({**COMING.data(), name: broken})
    except KeyringError:
        return
    assert renewed(found, POLICY, HOSTS, START + timedelta(days=1000)) is not found
