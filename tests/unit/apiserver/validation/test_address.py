from __future__ import annotations

import pytest

from windlass.apiserver.validation.address import address, validate_address
from windlass.schema import Path

NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"


@pytest.mark.parametrize(
    "text", ["1.2.3.4", "255.255.255.255", "::", "2001:DB8::1", "fe80:0:0:0:0:0:0:1", "::1.2.3.4"]
)
def test_an_address_has_no_problems(text: str) -> None:
    assert not address(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", NO_ADDRESS),
        ("x", NO_ADDRESS),
        ("1.2.3", NO_ADDRESS),
        ("1.2.3.256", NO_ADDRESS),
        ("1.2.3.4/24", NO_ADDRESS),
        ("fe80::1%eth0", NO_ADDRESS),
        ("01.2.3.4", "must not have leading 0s"),
        ("1.2.3.0000004", "must not have leading 0s"),
        ("::ffff:1.2.3.4", "must not be an IPv4-mapped IPv6 address"),
    ],
)
def test_what_is_no_proper_address_is_told_why(text: str, problem: str) -> None:
    assert list(address(text)) == [problem]


def test_an_address_from_before_may_stay() -> None:
    assert not list(validate_address("01.2.3.4", Path("ip"), kept=["01.2.3.4"]))
