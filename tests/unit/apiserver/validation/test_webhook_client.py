from __future__ import annotations

import pytest

from windlass.apiserver.validation.webhook_client import validate_url
from windlass.schema import Path


@pytest.mark.parametrize("url", ["https://a", "HTTPS://Host:8443/x", "https://[::1]:8443", "https://a:"])
def test_an_encrypted_url_is_fine(url: str) -> None:
    assert list(validate_url(url, Path("url"))) == []


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("https://[::1", "missing ']' in host"),
        ("https://a:b/x", 'invalid port ":b" after host'),
        ("https://[::1]x", 'invalid port "x" after host'),
        ("https://a b", 'invalid character " " in host name'),
        ("https://a/%z", 'invalid URL escape "%z"'),
        (":x", "missing protocol scheme"),
        ("https://a/\x01", "net/url: invalid control character in URL"),
    ],
)
def test_a_malformed_url_is_explained(url: str, problem: str) -> None:
    (fault,) = validate_url(url, Path("url"))

    assert fault.message.endswith(f": {problem}; desired format: https://host[/path]")


def test_everything_but_host_and_path_is_named() -> None:
    faults = [fault.message for fault in validate_url("http://me:pw@/x?y#z", Path("url"))]

    assert [message.split(":", 2)[1].strip() for message in faults] == ['"http"', '""', '"me', '"z"', '"y"']
