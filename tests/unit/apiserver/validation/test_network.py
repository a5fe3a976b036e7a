from __future__ import annotations

import pytest

from windlass.apiserver.validation.network import (
    address_range,
    read_address,
    read_range,
    validate_canonical,
    validate_destination,
)
from windlass.schema import Path


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.02.001", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0::1", "2001:db8::1"),
        ("192.0.2", None),
        ("192.0.2.256", None),
        ("fe80::1%eth0", None),
        ("", None),
    ],
)
def test_addresses_are_read_generously(text: str, found: str | None) -> None:
    assert read_address(text) == (None if found is None else read_address(found))
    assert (None if found is None else str(read_address(text))) == found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("192.0.2.0/24", None),
        ("2001:DB8::/32", None),
        ("192.0.2.0", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("192.0.2.0/33", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("192.0.2.0/x", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("192.0.02.0/24", "must not have leading 0s in IP or prefix length"),
        ("192.0.2.0/024", "must not have leading 0s in IP or prefix length"),
        ("::ffff:192.0.2.0/120", "must not have an IPv4-mapped IPv6 address"),
        ("192.0.2.1/24", "must not have bits set beyond the prefix length"),
    ],
)
def test_ranges_are_judged_strictly(text: str, problem: str | None) -> None:
    assert list(address_range(text)) == ([problem] if problem else [])


def test_a_range_is_read_whatever_bits_follow_its_prefix() -> None:
    assert str(read_range("192.0.2.1/024")) == "192.0.2.0/24"


def test_newer_fields_take_one_form_only() -> None:
    assert list(validate_canonical("2001:db8::1", Path("a"))) == []
    (fault,) = validate_canonical("2001:DB8::1", Path("a"))
    assert str(fault) == 'a: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")'


@pytest.mark.parametrize(
    ("text", "count"),
    [("192.0.2.1", 0), ("::ffff:127.0.0.1", 1), ("::1", 1), ("::", 1), ("fe80::1", 1), ("ff02::1", 1)],
)
def test_traffic_does_not_go_to_special_addresses(text: str, count: int) -> None:
    assert len(list(validate_destination(text, Path("a")))) == count
