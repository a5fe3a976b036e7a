"""Functions on IP addresses and networks."""

from __future__ import annotations

from typing import Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.address import CIDR, IP, Address, Network, parse_address, parse_network
from windlass.schema.cel.library.remember import remembered
from windlass.schema.cel.library.signature import function, method, plain
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import BOOL, INT, STRING
from windlass.schema.golang import quoted


def _network(text: str) -> Address:
    return parse_network(text).address


_LOOPBACK: Final = (_network("127.0.0.0/8"), 8), (_network("::1/128"), 128)
_LINK_LOCAL: Final = (_network("169.254.0.0/16"), 16), (_network("fe80::/10"), 10)
_LINK_LOCAL_MULTICAST: Final = (_network("224.0.0.0/24"), 24), (_network("ff02::/16"), 16)
_MULTICAST: Final = (_network("224.0.0.0/4"), 4), (_network("ff00::/8"), 8)
_BROADCAST: Final = parse_address("255.255.255.255")
_MULTICAST_FLAGS: Final = 0xF << 116


@remembered
def _ip(text: str) -> Address:
    try:
        address = parse_address(text)
    except EvaluationError as error:
        message = f"IP Address {quoted(text)} parse error during conversion from string: {error}"
        raise EvaluationError(message) from None
    if address.zone:
        raise EvaluationError(f"IP address {quoted(text)} with zone value is not allowed")
    if address.is_mapped:
        raise EvaluationError(f"IPv4-mapped IPv6 address {quoted(text)} is not allowed")
    return address


def _is_ip(text: str) -> bool:
    try:
        _ip(text)
    except EvaluationError:
        return False
    return True


def _is_canonical(text: str) -> bool:
    return str(_ip(text)) == text


def _family(address: Address) -> int:
    return 4 if address.bits == 32 else 6  # noqa: PLR2004


def _is_unspecified(address: Address) -> bool:
    return address.number == 0


def _is_loopback(address: Address) -> bool:
    return any(address.agrees(*network) for network in _LOOPBACK)


def _is_link_local_multicast(address: Address) -> bool:
    if address.bits == 128:  # noqa: PLR2004 - whatever the flags of the address are
        address = Address(address.number & ~_MULTICAST_FLAGS, 128)
    return any(address.agrees(*network) for network in _LINK_LOCAL_MULTICAST)


def _is_link_local_unicast(address: Address) -> bool:
    return any(address.agrees(*network) for network in _LINK_LOCAL)


def _is_global_unicast(address: Address) -> bool:
    special = (*_LOOPBACK, *_MULTICAST, *_LINK_LOCAL)
    return (
        address.number != 0
        and address != _BROADCAST
        and not any(address.agrees(*network) for network in special)
    )


@remembered
def _cidr(text: str) -> Network:
    # The server says so twice.
    said = "network address parse error during conversion from string: "
    try:
        network = parse_network(text)
    except EvaluationError as error:
        raise EvaluationError(f"{said}{said}{error}") from None
    if network.address.is_mapped:
        raise EvaluationError(f"{said}IPv4-mapped IPv6 address {quoted(text)} is not allowed")
    return network


def _is_cidr(text: str) -> bool:
    try:
        _cidr(text)
    except EvaluationError:
        return False
    return True


def _contains_ip(network: Network, address: Address) -> bool:
    return network.address.agrees(address, network.prefix)


def _contains_ip_text(network: Network, text: str) -> bool:
    try:
        return _contains_ip(network, _ip(text))
    except EvaluationError:
        # The server loses what was wrong.
        raise EvaluationError("no such overload") from None


def _contains_cidr(network: Network, other: Network) -> bool:
    return network.prefix <= other.prefix and network.address.agrees(other.address, network.prefix)


def _contains_cidr_text(network: Network, text: str) -> bool:
    return _contains_cidr(network, _cidr(text))


def _address(network: Network) -> Address:
    return network.address


def _prefix_length(network: Network) -> int:
    return network.prefix


def _masked(network: Network) -> Network:
    address = network.address
    shift = address.bits - network.prefix
    return Network(Address(address.number >> shift << shift, address.bits), network.prefix)


NETWORK_IP: Final = Library(
    "kubernetes.net.ip",
    (
        function("ip", plain("string_to_ip", (STRING,), IP, _ip)),
        function("family", method("ip_family", (IP,), INT, _family)),
        function("ip.isCanonical", plain("ip_is_canonical", (STRING,), BOOL, _is_canonical)),
        function("isUnspecified", method("ip_is_unspecified", (IP,), BOOL, _is_unspecified)),
        function("isLoopback", method("ip_is_loopback", (IP,), BOOL, _is_loopback)),
        function(
            "isLinkLocalMulticast",
            method("ip_is_link_local_multicast", (IP,), BOOL, _is_link_local_multicast),
        ),
        function(
            "isLinkLocalUnicast", method("ip_is_link_local_unicast", (IP,), BOOL, _is_link_local_unicast)
        ),
        function("isGlobalUnicast", method("ip_is_global_unicast", (IP,), BOOL, _is_global_unicast)),
        function("isIP", plain("is_ip", (STRING,), BOOL, _is_ip)),
        function("string", plain("ip_to_string", (IP,), STRING, str)),
    ),
    types={IP.name: IP},
)

NETWORK_CIDR: Final = Library(
    "kubernetes.net.cidr",
    (
        function("cidr", plain("string_to_cidr", (STRING,), CIDR, _cidr)),
        function(
            "containsIP",
            method("cidr_contains_ip_string", (CIDR, STRING), BOOL, _contains_ip_text),
            method("cidr_contains_ip_ip", (CIDR, IP), BOOL, _contains_ip),
        ),
        function(
            "containsCIDR",
            method("cidr_contains_cidr_string", (CIDR, STRING), BOOL, _contains_cidr_text),
            method("cidr_contains_cidr", (CIDR, CIDR), BOOL, _contains_cidr),
        ),
        function("ip", method("cidr_ip", (CIDR,), IP, _address)),
        function("prefixLength", method("cidr_prefix_length", (CIDR,), INT, _prefix_length)),
        function("masked", method("cidr_masked", (CIDR,), CIDR, _masked)),
        function("isCIDR", plain("is_cidr", (STRING,), BOOL, _is_cidr)),
        function("string", plain("cidr_to_string", (CIDR,), STRING, str)),
    ),
    types={CIDR.name: CIDR},
)
