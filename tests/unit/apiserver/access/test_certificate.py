from hashlib import sha256

from windlass.apiserver.access.certificate import certified_user

SUBJECT = ((("organizationName", "dev"),), (("organizationName", "ops"),), (("commonName", "jane"),))


def test_a_certificate_names_a_user_and_their_groups() -> None:
    user = certified_user({"subject": SUBJECT}, b"der")

    assert user is not None
    assert (user.name, user.groups) == ("jane", ("dev", "ops"))


def test_the_user_carries_the_digest_of_their_certificate() -> None:
    user = certified_user({"subject": SUBJECT}, b"der")

    assert user is not None
    digest = sha256(b"der").hexdigest()
    assert user.extra == {"authentication.kubernetes.io/credential-id": [f"X509SHA256={digest}"]}


def test_a_certificate_without_a_name_is_nobodys() -> None:
    assert certified_user({"subject": SUBJECT[:2]}, b"der") is None
    assert certified_user({}, b"der") is None
