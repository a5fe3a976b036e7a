"""IP addresses and ranges of them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_EXAMPLES: Final = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
_OCTETS: Final = 4
_LARGEST_OCTET: Final = 255
_MOST_DIGITS: Final = 3


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
    if _has_leading_zeros(text):
        return ["must not have leading 0s"]
    return [_EXAMPLES]


def parsed(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is, if it is one."""
    if "%" in text:
        return None  # Python takes scopes, the server does not
    try:
        return ip_address(text)
    except ValueError:
        return None


def _has_leading_zeros(text: str) -> bool:
    """Whether an IPv4 address would be fine but for zeros in front of its numbers."""
    head, _, tail = text.rpartition(":")
    octets = tail.split(".")
    if len(octets) != _OCTETS or not all(octet.isascii() and octet.isdigit() for octet in octets):
        return False
    if any(int(octet) > _LARGEST_OCTET for octet in octets):
        return False
    plain = ".".join(str(int(octet)) for octet in octets)
    return parsed(f"{head}:{plain}" if head or text.startswith(":") else plain) is not None
