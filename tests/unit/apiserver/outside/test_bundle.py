from base64 import b64encode

import pytest

from windlass.apiserver.outside import bundle_problem
from windlass.pki import authority

PREFIX = "unable to load root certificates: "


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


def block(label: str, body: str) -> str:
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----\n"


def test_a_certificate_can_be_used() -> None:
    assert bundle_problem(encoded(authority("test").certificate)) == ""


def test_one_good_certificate_among_others_is_enough() -> None:
    good = authority("test").certificate

    assert bundle_problem(encoded(block("CERTIFICATE", "aGk=") + block("OTHER", "aGk=") + good)) == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("hi", "unable to parse bytes as PEM block"),
        ("  ", "unable to parse bytes as PEM block"),
        (block("CERTIFICATE", "aGk="), "failed to parse certificate: x509: malformed certificate"),
        (block("PRIVATE KEY", "aGk="), "no valid certificate authority data seen"),
    ],
    ids=["text", "blank", "no-certificate", "another-block"],
)
def test_anything_else_cannot(text: str, problem: str) -> None:
    assert bundle_problem(encoded(text)) == PREFIX + problem
