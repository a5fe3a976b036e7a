"""IP addresses and ranges of them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_EXAMPLES: Final = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
_OCTETS: Final = 4


def validate_address(text: str, path: Path, kept: Collection[str] = ()) -> Iterator[Fault]:
    """An address in one of the forms that fields of old take; `kept` ones were there before and may stay."""
    if text in kept:
        return
    for problem in address(text):
        yield Fault.invalid(path, text, problem)


def address(text: str) -> Sequence[str]:
    """What is wrong with an address: not one at all, leading zeros, or IPv4 in disguise."""
    found = parsed(text)
    if found is not None:
        mapped = isinstance(found, IPv6Address) and found.ipv4_mapped is not None
        return ["must not be an IPv4-mapped IPv6 address"] if mapped else ()
    return [_EXAMPLES] if parsed_leniently(text) is None else ["must not have leading 0s"]


def parsed(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is, if it is one."""
    if "%" in text:
        return None  # Python takes scopes, the server does not
    try:
        return ip_address(text)
    except ValueError:
        return None


def parsed_leniently(text: str) -> IPv4Address | IPv6Address | None:
    """The same, also where the numbers of an IPv4 address have zeros in front."""
    head, colon, tail = text.rpartition(":")
    octets = tail.split(".")
    if len(octets) == _OCTETS and all(octet.isascii() and octet.isdigit() for octet in octets):
        return parsed(head + colon + ".".join(octet.lstrip("0") or "0" for octet in octets))
    return parsed(text)
