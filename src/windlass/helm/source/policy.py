"""What a chart may be fetched from: schemes, addresses, digests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Final
from unicodedata import normalize
from urllib.parse import SplitResult, urlsplit

from windlass.errors import ChartRefusedError, ConfigError

if TYPE_CHECKING:
    Address = IPv4Address | IPv6Address

_METADATA: Final = ("168.63.129.16", "192.0.0.0/24")
"""The metadata services of Azure and Oracle, whose addresses do not count as private."""

_SPECIAL: Final = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
        ),
    )
)
"""The IPv4 networks that are not public, since `is_global` depends on the version of Python."""

_UNICAST: Final = IPv6Network("2000::/3")
"""All public IPv6 addresses are in this network."""

_SPECIAL_UNICAST: Final = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
"""Networks in `_UNICAST` that are not public: protocol assignments (Teredo too) and documentation."""

_EMBEDDING: Final = tuple(map(IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))
"""IPv4-compatible, IPv4-mapped, IPv4-translated and NAT64: the last 32 bits are an IPv4 address."""

_LOCAL_NAT64: Final = IPv6Network("64:ff9b:1::/48")
_NO_EMBEDDING: Final = (IPv6Address("::"), IPv6Address("::1"))
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SCHEMES: Final = ("http", "https")
_ANY_HOST: Final = "*"


@dataclass(frozen=True, kw_only=True)
class SourcePolicy:
    """What a chart may be fetched from. The default fits addresses that an untrusted user chooses.

    `allow_http` permits plain HTTP. `allow_without_digest` permits archives that nothing verifies.
    `token_hosts` are hosts that are sent the credentials of an OCI registry if it names them as those that
    give its tokens (`realm`), such as `auth.docker.io`, `*.example.com`, or `*` for any; the registry's own
    host needs no entry.
    `allowed_addresses` are those that may be connected to although they are not public (loopback, link-local,
    private, cluster, metadata service): an address, a network (`10.20.0.0/16`), a host
    (`charts.example.com`) or all hosts below a domain (`*.example.com`). `denied_addresses` are refused
    although they are public: metadata services, and where you add them the nodes or a Service network of
    public addresses. They win over the allowed ones.

    Public IPv6 addresses are those in 2000::/3 without its special-use networks; a form that embeds an IPv4
    address (mapped, compatible, translated, 6to4, Teredo, NAT64) counts as that address, but Teredo is never
    public. A NAT64 prefix of the cluster's own network cannot be recognised: add it to `denied_addresses`.

    An address is checked when the connection is made, so neither a redirect, a link in an index nor a DNS
    name that changes its address gets around it.

    Raises:
        ConfigError: an entry is neither an address, a network nor a host.
    """

    allow_http: bool = False
    allow_without_digest: bool = False
    allowed_addresses: tuple[str, ...] = ()
    denied_addresses: tuple[str, ...] = _METADATA
    token_hosts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for entry in self.allowed_addresses:
            if _network(entry) is None and not _is_host(entry):
                raise ConfigError(
                    f"allowed_addresses: {entry!r} is neither an address, a network nor a host; "
                    "write 10.20.0.0/16, charts.example.com or *.example.com"
                )
        for entry in self.denied_addresses:
            if _network(entry) is None:
                raise ConfigError(
                    f"denied_addresses: {entry!r} is neither an address nor a network; write 192.0.2.0/24"
                )
        for entry in self.token_hosts:
            if entry != _ANY_HOST and not _is_host(entry):
                raise ConfigError(
                    f"token_hosts: {entry!r} is no host; write auth.example.com or *.example.com"
                )

    def check_url(self, url: str) -> SplitResult:
        """Return the parts of a URL whose scheme and host may be asked.

        Raises:
            ChartRefusedError: it is plain HTTP or another scheme, names no host or an address that is
                refused.
        """
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise ChartRefusedError(f"{shown(url)} is not a URL: {error}") from error
        if parts.scheme not in _SCHEMES or not host:
            raise ChartRefusedError(f"{shown(url)} is refused: charts are fetched from https://HOST/…")
        if parts.scheme == "http" and not self.allow_http:
            raise ChartRefusedError(
                f"{shown(url)} is refused: plain HTTP lets anybody on the way replace the chart; use https, "
                "or let the operator's configuration allow it (allowHttp)"
            )
        if (literal := _literal(host)) is not None:
            self.check_address(host, literal)
        elif _is_number(host):
            raise ChartRefusedError(
                f"{host} is refused: it is not a public address in the form 192.0.2.1; write it in full, or "
                "name a host"
            )
        return parts

    def check_address(self, host: str, address: str | Address) -> None:
        """Return if a connection to this address may be made for this host.

        Raises:
            ChartRefusedError: it is not public, and not allowed.
        """
        found = _literal(address) if isinstance(address, str) else address
        if found is None:
            raise ChartRefusedError(f"{host} is refused: its address {address} cannot be checked")
        if not self._permits(host, found):
            where = host if host == str(found) else f"{host} ({found})"
            raise ChartRefusedError(
                f"{where} is refused: it is not a public address; the operator's configuration can allow it "
                "(allowedAddresses)"
            )

    def check_digest(self, url: str, digest: str) -> None:
        """Return if an archive may be fetched with this digest to verify it, or without one.

        Raises:
            ChartRefusedError: there is no digest, and one is needed.
        """
        if not digest and not self.allow_without_digest:
            raise ChartRefusedError(
                f"{shown(url)} is refused: there is no digest to verify it by; name one, use a repository "
                "whose index has digests, or let the operator's configuration allow it (allowWithoutDigest)"
            )

    def allows_token_host(self, host: str) -> bool:
        """Whether credentials of a registry may be sent to this host, which gives its tokens."""
        return any(pattern == _ANY_HOST or _matches(pattern, host) for pattern in self.token_hosts)

    def _permits(self, host: str, address: Address) -> bool:
        meant = _embedded(address)
        if any(_contains(network, each) for network in self._denied for each in _readings(address)):
            return False
        if any(_matches(pattern, host) for pattern in self.allowed_addresses):
            return True
        if any(_contains(network, meant) for network in self._allowed):
            return True
        return _is_public(meant) and not _is_special(address)

    @cached_property
    def _allowed(self) -> tuple[IPv4Network | IPv6Network, ...]:
        return tuple(filter(None, map(_network, self.allowed_addresses)))

    @cached_property
    def _denied(self) -> tuple[IPv4Network | IPv6Network, ...]:
        return tuple(filter(None, map(_network, self.denied_addresses)))


def shown(url: str) -> str:
    """A URL for a message: without the password and the query, which may be secret."""
    scheme, slashes, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{authority.rpartition('@')[2]}{slash}{path.partition('?')[0]}"


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _network(entry: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(entry, strict=False)
    except ValueError:
        return None


def _is_host(entry: str) -> bool:
    host = entry.removeprefix("*.")
    return (
        bool(host)
        and all(part and part.isascii() and "/" not in part for part in host.split("."))
        and (not any(character.isspace() or character in "*@:?#" for character in host))
    )


def _contains(network: IPv4Network | IPv6Network, address: Address) -> bool:
    return network.version == address.version and address in network


def _matches(pattern: str, host: str) -> bool:
    host, pattern = host.rstrip(".").lower(), pattern.lower()
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern


def _is_public(address: Address) -> bool:
    """Whether an address that embeds no other one is public."""
    if isinstance(address, IPv4Address):
        return address.is_global and not _is_special(address)
    return address in _UNICAST and not _is_special(address)


def _is_special(address: Address) -> bool:
    """Whether an address is in a special-use network, whatever it embeds: Teredo is."""
    if isinstance(address, IPv4Address):
        return any(address in network for network in _SPECIAL)
    return any(address in network for network in _SPECIAL_UNICAST)


def _embedded(address: Address) -> Address:
    """The IPv4 address that an IPv6 address stands for, else the address."""
    if isinstance(address, IPv4Address) or address in _NO_EMBEDDING:
        return address
    if any(address in network for network in _EMBEDDING):
        return _last_bits(address)
    teredo = address.teredo[1] if address.teredo else None
    return address.sixtofour or teredo or address


def _readings(address: Address) -> tuple[Address, ...]:
    """The addresses that an address may lead to, for what is denied.

    A local NAT64 may embed an IPv4 address in several ways; the last 32 bits are the usual one.
    """
    local = isinstance(address, IPv6Address) and address in _LOCAL_NAT64
    return (address, _embedded(address), *([_last_bits(address)] if local else []))


def _last_bits(address: Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFFFFFF)


def _is_number(host: str) -> bool:
    """Whether a resolver may take a host for an IPv4 address: its last part is a number, as in `127.1`.

    Digits and dots of other scripts count as the ASCII ones that a resolver is given.
    """
    plain = normalize("NFKC", host).lower().replace("\u3002", ".").removesuffix(".")
    return _NUMBER.fullmatch(plain.rpartition(".")[2]) is not None
