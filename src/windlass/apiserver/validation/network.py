"""Addresses and ranges of addresses, read as generously as the server reads them and judged as strictly."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import TYPE_CHECKING, Final

from windlass.apiserver.validation.address import address, parsed, parsed_leniently
from windlass.schema import Fault, Path, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_RANGE: Final = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
_LINK_LOCAL_GROUPS: Final = (IPv4Network("224.0.0.0/24"), IPv6Network("ff02::/16"))


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text stands for, whatever zeros its numbers begin with; a mapped one is IPv4."""
    found = parsed_leniently(text)
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def read_range(text: str) -> IPv4Network | IPv6Network | None:
    """The range that a text stands for, whatever bits its address has beyond the prefix."""
    start, slash, length = text.partition("/")
    found = parsed_leniently(start)
    if found is None or not slash or not (length.isascii() and length.isdigit()):
        return None
    try:
        return ip_network(f"{found}/{int(length)}", strict=False)
    except ValueError:
        return None


def validate_range(text: str, path: Path, kept: Collection[str] = ()) -> Iterator[Fault]:
    """A range in one of the forms that fields of old take; `kept` ones were there before and may stay."""
    if text not in kept:
        for problem in address_range(text):
            yield Fault.invalid(path, text, problem)


def address_range(text: str) -> Sequence[str]:
    """What is wrong with a range of addresses."""
    found = read_range(text)
    if found is None:
        return [_RANGE]
    start, _, length = text.partition("/")
    exact = parsed(start)
    if exact is None or length != str(found.prefixlen):
        return ["must not have leading 0s in IP or prefix length"]
    if isinstance(exact, IPv6Address) and exact.ipv4_mapped is not None:
        return ["must not have an IPv4-mapped IPv6 address"]
    if exact != found.network_address:
        return ["must not have bits set beyond the prefix length"]
    return ()


def validate_canonical(text: str, path: Path) -> Iterator[Fault]:
    """An address in the one form that newer fields take."""
    for problem in canonical_address(text):
        yield Fault.invalid(path, text, problem)


def canonical_address(text: str) -> Sequence[str]:
    """What is wrong with an address that has to have its one form."""
    return address(text) or _not_canonical(text, str(read_address(text)))


def validate_canonical_range(text: str, path: Path) -> Iterator[Fault]:
    """A range of addresses in the one form that newer fields take."""
    for problem in address_range(text) or _not_canonical(text, str(read_range(text))):
        yield Fault.invalid(path, text, problem)


def _not_canonical(text: str, canonical: str) -> Sequence[str]:
    return () if text == canonical else [f"must be in canonical form ({quoted(canonical)})"]


def validate_destination(text: str, path: Path) -> Iterator[Fault]:
    """An address that traffic can go to; one that is no address at all is said to be so once more."""
    found = read_address(text)
    if found is None:
        yield Fault.invalid(path, text, "must be a valid IP address")
        return
    if found.is_unspecified:
        yield Fault.invalid(path, text, f"may not be unspecified ({text})")
    if found.is_loopback:
        yield Fault.invalid(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)")
    if found.is_link_local:
        yield Fault.invalid(path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)")
    if any(found in group for group in _LINK_LOCAL_GROUPS):
        detail = "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"
        yield Fault.invalid(path, text, detail)


def is_dual_stack(found: Sequence[IPv4Address | IPv6Address | IPv4Network | IPv6Network]) -> bool:
    """Whether there are addresses, or ranges, of both families."""
    return len({each.version for each in found}) > 1
