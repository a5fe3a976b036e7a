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
    "192.0.2.1",
    "192.0.0.9",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "240.0.0.1",
    "::127.0.0.1",
    "::10.0.0.1",
    "64:ff9b:1::7f00:1",
    "64:ff9b:1::808:808",
    "64:ff9b:2::1",
    "fec0::1",
    "::ffff:0:127.0.0.1",
    "100::1",
    "2001::1",
    "2001:0:808:808:0:0:80ff:fffe",
    "2001:0:808:808:0:0:f7f7:f7f7",
    "2001:2::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:a9fe:a9fe::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
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


@pytest.mark.parametrize(
    "host",
    [
        "127.1",
        "127.0.0.1.",
        "2130706434",
        "0",
        "0x7f000002",
        "0X7F.1",
        "0x",
        "0177.0.0.1",
        "017700000001",
        "127.0.0.01",
        "8.8.8.8.8",
        "charts.example.1",
        "127\u30021",
        "\uff11\uff12\uff17.\uff11",
        "\u2460\u2461\u2466.1",
    ],
)
def test_a_host_that_is_a_number_in_another_form_is_refused(host: str) -> None:
    allowing = SourcePolicy(allowed_addresses=("127.0.0.0/8", "127.1", "0.0.0.0/0"))
    for policy in (SourcePolicy(), allowing):
        with pytest.raises(ChartRefusedError, match="is not a public address"):
            policy.check_url(f"https://{host}:8443/index.yaml")


@pytest.mark.parametrize("host", ["charts.0x7f.example.com", "1.example.com", "0xcharts", "1e100.net", "x1"])
def test_a_host_with_digits_in_its_name_passes(host: str) -> None:
    assert SourcePolicy().check_url(f"https://{host}/").hostname == host


PUBLIC = [
    "8.8.8.8",
    "192.0.1.1",
    "2606:4700::1111",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
    "::8.8.8.8",
    "::ffff:0:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_pass(address: str) -> None:
    SourcePolicy().check_address("charts.example.com", address)


@pytest.mark.parametrize(
    ("entry", "host", "address", "passes"),
    [
        ("10.20.0.0/16", "charts.example.com", "10.20.3.4", True),
        ("10.20.0.0/16", "charts.example.com", "10.21.0.1", False),
        ("10.20.0.1", "charts.example.com", "::ffff:10.20.0.1", True),
        ("10.20.0.1", "charts.example.com", "::10.20.0.1", True),
        ("10.20.0.1", "charts.example.com", "64:ff9b:1::a14:1", False),
        ("64:ff9b:1::/48", "charts.example.com", "64:ff9b:1::a14:1", True),
        ("fd00::/8", "charts.example.com", "fd12::1", True),
        ("fec0::/10", "charts.example.com", "fec0::1", True),
        ("::1", "charts.example.com", "::1", True),
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
    "address",
    [
        "168.63.129.16",
        "::168.63.129.16",
        "::ffff:168.63.129.16",
        "::ffff:0:168.63.129.16",
        "64:ff9b::a83f:8110",
        "64:ff9b:1::a83f:8110",
        "2002:a83f:8110::",
    ],
)
def test_what_is_denied_is_denied_in_every_form(address: str) -> None:
    policy = SourcePolicy(allowed_addresses=("charts.example.com", "::/0"))

    with pytest.raises(ChartRefusedError):
        policy.check_address("charts.example.com", address)


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
