"""Which addresses a chart may be fetched from."""

from __future__ import annotations

import pytest

from windlass.errors import ChartRefusedError, ConfigError
from windlass.helm.source import SourcePolicy

INNER = [
    "127.0.0.1",
    "127.8.9.10",
    "0.0.0.0",  # noqa: S104 - it is refused
    "10.96.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.192",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
]


@pytest.mark.parametrize("address", INNER)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    with pytest.raises(ChartRefusedError, match="is not a public address"):
        SourcePolicy().check_address("charts.example.com", address)


@pytest.mark.parametrize("address", [each for each in INNER if "%" not in each])
def test_they_are_refused_in_a_url(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(ChartRefusedError, match="is not a public address"):
        SourcePolicy().check_url(f"https://{host}:8443/index.yaml")


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses_pass(address: str) -> None:
    SourcePolicy().check_address("charts.example.com", address)


@pytest.mark.parametrize(
    ("entry", "host", "address", "passes"),
    [
        ("10.20.0.0/16", "charts.example.com", "10.20.3.4", True),
        ("10.20.0.0/16", "charts.example.com", "10.21.0.1", False),
        ("10.20.0.1", "charts.example.com", "::ffff:10.20.0.1", True),
        ("fd00::/8", "charts.example.com", "fd12::1", True),
        ("charts.example.com", "Charts.Example.com.", "10.0.0.1", True),
        ("charts.example.com", "evilcharts.example.com", "10.0.0.1", False),
        ("*.example.com", "charts.example.com", "10.0.0.1", True),
        ("*.example.com", "example.com", "10.0.0.1", False),
        ("*.example.com", "charts.example.com.evil.org", "10.0.0.1", False),
        ("*.example.com", "notexample.com", "10.0.0.1", False),
    ],
)
def test_what_is_allowed_passes(entry: str, host: str, address: str, *, passes: bool) -> None:
    policy = SourcePolicy(allowed_addresses=(entry,))
    if passes:
        policy.check_address(host, address)
    else:
        with pytest.raises(ChartRefusedError):
            policy.check_address(host, address)


def test_what_is_denied_wins() -> None:
    policy = SourcePolicy(
        allowed_addresses=("*.example.com",), denied_addresses=("203.0.113.0/24", "8.8.8.0/24")
    )

    with pytest.raises(ChartRefusedError):
        policy.check_address("charts.example.com", "8.8.8.8")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://charts.example.com/", "plain HTTP"),
        ("file:///etc/shadow", "fetched from https"),
        ("ftp://charts.example.com/", "fetched from https"),
        ("https:///index.yaml", "fetched from https"),
        ("https://charts.example.com:x/", "is not a URL"),
        ("https://[::1/", "is not a URL"),
    ],
)
def test_urls_of_another_kind_are_refused(url: str, said: str) -> None:
    with pytest.raises(ChartRefusedError, match=said):
        SourcePolicy().check_url(url)


def test_a_message_shows_no_password() -> None:
    with pytest.raises(ChartRefusedError) as refused:
        SourcePolicy().check_url("http://ann:s3cret@charts.example.com/a?token=s3cret")

    assert "s3cret" not in str(refused.value)
    assert "http://charts.example.com/a is refused" in str(refused.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"allowed_addresses": ("10.0.0.0/99",)},
        {"allowed_addresses": ("https://charts.example.com",)},
        {"allowed_addresses": ("*",)},
        {"allowed_addresses": ("",)},
        {"denied_addresses": ("charts.example.com",)},
    ],
)
def test_entries_that_mean_nothing_are_refused(settings: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(ConfigError, match=f"{next(iter(settings))}: "):
        SourcePolicy(**settings)  # type: ignore[arg-type]
