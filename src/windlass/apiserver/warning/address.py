"""Addresses and ranges that are understood, but not written as they should be."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_network
from typing import TYPE_CHECKING

from windlass.apiserver.validation.address import parsed
from windlass.apiserver.validation.network import read_address, read_range
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator


def odd_address(text: str, path: str) -> Iterator[str]:
    """Warn of zeros before a number, of addresses that hide others, and of more than one way to write one."""
    found = read_address(text)
    if found is None:
        return
    exact = parsed(text)
    if exact is None or (isinstance(exact, IPv6Address) and exact.ipv4_mapped is not None):
        yield f"{path}: non-standard IP address {quoted(text)} is invalid: use {quoted(str(found))}"
    elif isinstance(exact, IPv6Address) and str(exact) != text:
        yield (
            f"{path}: IPv6 address {quoted(text)} should be in RFC 5952 canonical format "
            f"({quoted(str(exact))})"
        )


def odd_range(text: str, path: str) -> Iterator[str]:
    """Warn of the same in ranges, and of addresses that reach beyond their prefix."""
    found = read_range(text)
    if found is None:
        return
    start, _, length = text.partition("/")
    address, exact = read_address(start), parsed(start)
    mapped = isinstance(exact, IPv6Address) and exact.ipv4_mapped is not None
    if mapped and address is not None:
        found = ip_network(f"{address}/{max(found.prefixlen - 96, 0)}", strict=False)
    ambiguous = address is not None and address != found.network_address
    if ambiguous:
        alone = f"{address}/{found.max_prefixlen}"
        yield (
            f"{path}: CIDR value {quoted(text)} is ambiguous in this context "
            f"(should be {quoted(str(found))} or {quoted(alone)}?)"
        )
    if exact is None or mapped or length != str(int(length)):
        yield f"{path}: non-standard CIDR value {quoted(text)} is invalid: use {quoted(str(found))}"
    elif not ambiguous and found.version == 6 and str(found) != text:  # noqa: PLR2004 - the family
        yield (
            f"{path}: IPv6 CIDR value {quoted(text)} should be in RFC 5952 canonical format "
            f"({quoted(str(found))})"
        )
