from __future__ import annotations

import pytest

from windlass.apiserver.warning.address import odd_address, odd_range


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("192.0.2.1", []),
        ("2001:db8::1", []),
        ("192.000.002.001", ['x: non-standard IP address "192.000.002.001" is invalid: use "192.0.2.1"']),
        ("::ffff:192.0.2.1", ['x: non-standard IP address "::ffff:192.0.2.1" is invalid: use "192.0.2.1"']),
        (
            "2001:DB8:0::1",
            ['x: IPv6 address "2001:DB8:0::1" should be in RFC 5952 canonical format ("2001:db8::1")'],
        ),
        ("not one", []),
    ],
)
def test_an_address_should_be_written_in_one_way(text: str, warnings: list[str]) -> None:
    assert list(odd_address(text, "x")) == warnings


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("192.0.2.0/24", []),
        ("2001:db8::/64", []),
        (
            "192.0.2.8/24",
            [
                (
                    'x: CIDR value "192.0.2.8/24" is ambiguous in this context '
                    '(should be "192.0.2.0/24" or "192.0.2.8/32"?)'
                )
            ],
        ),
        (
            "192.000.002.000/24",
            ['x: non-standard CIDR value "192.000.002.000/24" is invalid: use "192.0.2.0/24"'],
        ),
        ("192.0.2.0/024", ['x: non-standard CIDR value "192.0.2.0/024" is invalid: use "192.0.2.0/24"']),
        (
            "2001:DB8::/64",
            ['x: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")'],
        ),
        ("not one", []),
    ],
)
def test_a_range_should_be_written_in_one_way(text: str, warnings: list[str]) -> None:
    assert list(odd_range(text, "x")) == warnings
