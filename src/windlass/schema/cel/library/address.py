"""IP addresses and networks, parsed as strictly as Go's `net/netip` does, and told in its words."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address
from typing import ClassVar, Final

from windlass.schema.cel.library.own import Own
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import Type, opaque
from windlass.schema.golang import quoted

IP: Final = opaque("net.IP")
CIDR: Final = opaque("net.CIDR")
_BYTE: Final = 255
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_DIGITS: Final = frozenset("0123456789")
_GROUPS: Final = 8
_MAPPED: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class Address(Own):
    """An IPv4 address of 32 bits or an IPv6 address of 128."""

    cel_type: ClassVar[Type] = IP
    number: int
    bits: int
    zone: str = ""

    @property
    def size(self) -> int:
        """The size in bytes, by which costs are told."""
        return self.bits // 8

    def __str__(self) -> str:
        """The canonical form."""
        if self.bits == 32:  # noqa: PLR2004
            return ".".join(map(str, self.number.to_bytes(4)))
        return str(IPv6Address(self.number))

    @property
    def is_mapped(self) -> bool:
        """Whether it is an IPv4 address in the form of an IPv6 address."""
        return self.bits == 128 and self.number >> 32 == _MAPPED  # noqa: PLR2004

    def agrees(self, other: Address, prefix: int) -> bool:
        """Whether it is of the family of another and has the same first bits."""
        shift = self.bits - prefix
        return self.bits == other.bits and self.number >> shift == other.number >> shift


@dataclass(frozen=True, slots=True)
class Network(Own):
    """An address with the length of a prefix."""

    cel_type: ClassVar[Type] = CIDR
    address: Address
    prefix: int

    @property
    def size(self) -> int:
        """The size of the prefix in bytes, by which costs are told."""
        return -(-self.prefix // 8)

    def __str__(self) -> str:
        return f"{self.address}/{self.prefix}"


def parse_address(text: str) -> Address:
    """An address, which may have a zone.

    Raises:
        EvaluationError: it is none; the message is Go's.
    """
    first = next((char for char in text if char in ".:%"), "")
    if first == ".":
        return Address(_ipv4(text, text), 32)
    if first == ":":
        return _ipv6(text)
    raise _error(text, "missing IPv6 address" if first else "unable to parse IP")


def parse_network(text: str) -> Network:
    """An address and the length of a prefix behind a slash.

    Raises:
        EvaluationError: it is none; the message is Go's.
    """
    begin, slash, length = text.rpartition("/")
    if not slash:
        raise _prefix_error(text, "no '/'")
    try:
        address = parse_address(begin)
    except EvaluationError as error:
        raise _prefix_error(text, str(error)) from None
    if address.zone:
        raise _prefix_error(text, "IPv6 zones cannot be present in a prefix")
    if not length or not _DIGITS.issuperset(length) or (length[0] == "0" and length != "0"):
        raise _prefix_error(text, f"bad bits after slash: {quoted(length)}")
    if len(length) > len(str(2**63)) or int(length) >= 2**63:
        raise _prefix_error(text, f"bad bits after slash: {quoted(length)}")
    if int(length) > address.bits:
        raise _prefix_error(text, "prefix length out of range")
    return Network(address, int(length))


def _error(text: str, message: str, at: str = "") -> EvaluationError:
    where = f" (at {quoted(at)})" if at else ""
    return EvaluationError(f"ParseAddr({quoted(text)}): {message}{where}")


def _prefix_error(text: str, message: str) -> EvaluationError:
    return EvaluationError(f"netip.ParsePrefix({quoted(text)}): {message}")


def _ipv4(text: str, part: str) -> int:
    """The number of four fields, which are a part of the text."""
    fields = [0]
    before = "."
    for index, char in enumerate(part):
        if char in _DIGITS:
            if before != "." and fields[-1] == 0:
                raise _error(text, "IPv4 field has octet with leading zero")
            fields[-1] = fields[-1] * 10 + int(char)
            if fields[-1] > _BYTE:
                raise _error(text, "IPv4 field has value >255")
        elif char == ".":
            if before == "." or index == len(part) - 1:
                raise _error(text, "IPv4 field must have at least one digit", part[index:])
            if len(fields) == 4:  # noqa: PLR2004
                raise _error(text, "IPv4 address too long")
            fields.append(0)
        else:
            raise _error(text, "unexpected character", part[index:])
        before = char
    if len(fields) < 4:  # noqa: PLR2004
        raise _error(text, "IPv4 address too short")
    return int.from_bytes(bytes(fields))


def _ipv6(text: str) -> Address:
    rest, percent, zone = text.partition("%")
    if percent and not zone:
        raise _error(text, "zone must be a non-empty string")
    groups: list[int] = []
    gap = -1
    if rest.startswith("::"):
        gap, rest = 0, rest[2:]
    while rest and len(groups) < _GROUPS:
        group = _group(text, rest)
        if rest[len(group) : len(group) + 1] == ".":
            groups += _embedded(text, rest, groups, has_gap=gap >= 0)
            rest = ""
            break
        groups.append(int(group, 16))
        rest = _behind_group(text, rest[len(group) :])
        if rest.startswith(":"):
            if gap >= 0:
                raise _error(text, "multiple :: in address", rest)
            gap, rest = len(groups), rest[1:]
    if rest:
        raise _error(text, "trailing garbage after address", rest)
    return Address(_joined(text, groups, gap), 128, zone)


def _group(text: str, rest: str) -> str:
    """The hexadecimal digits at the beginning of the rest."""
    size = next((index for index, char in enumerate(rest) if char not in _HEX), len(rest))
    if size > 4:  # noqa: PLR2004
        raise _error(text, "each group must have 4 or less digits", rest)
    if not size:
        raise _error(text, "each colon-separated field must have at least one digit", rest)
    return rest[:size]


def _embedded(text: str, rest: str, groups: list[int], *, has_gap: bool) -> tuple[int, int]:
    """The two groups of an IPv4 address at the end."""
    if not has_gap and len(groups) != _GROUPS - 2:
        message = "embedded IPv4 address must replace the final 2 fields of the address"
        raise _error(text, message, rest)
    if len(groups) > _GROUPS - 2:
        message = "too many hex fields to fit an embedded IPv4 at the end of the address"
        raise _error(text, message, rest)
    number = _ipv4(text, rest)
    return number >> 16, number & 0xFFFF


def _behind_group(text: str, rest: str) -> str:
    if not rest:
        return rest
    if rest[0] != ":":
        raise _error(text, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise _error(text, "colon must be followed by more characters", rest)
    return rest[1:]


def _joined(text: str, groups: list[int], gap: int) -> int:
    missing = _GROUPS - len(groups)
    if missing and gap < 0:
        raise _error(text, "address string too short")
    if not missing and gap >= 0:
        raise _error(text, "the :: must expand to at least one field of zeros")
    groups[max(gap, 0) : max(gap, 0)] = [0] * missing
    number = 0
    for group in groups:
        number = number << 16 | group
    return number
