from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from typing_extensions import override

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, repr=False)
class Proxy:
    """An HTTP proxy. `url` may hold a password; the text of a `Proxy` does not."""

    url: str

    @classmethod
    def parse(cls, text: str, where: str) -> Self:
        """Read the address of a proxy; without a scheme it is `http`.

        Raises:
            ConfigError: it is no address, or a kind of proxy that cannot be used.
        """
        url = text if "://" in text else f"http://{text}"
        parts = _split(url, where)
        if parts.scheme.startswith("socks"):
            raise ConfigError(
                f"{where}: {parts.scheme} proxies are not supported; "
                "use an http:// or https:// proxy, or a tunnel such as `ssh -L` to the API server"
            )
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
            raise ConfigError(
                f"{where}: the proxy address is not an http:// or https:// URL; "
                "write it as http://proxy.example.com:3128"
            )
        return cls(url)

    @override
    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    @override
    def __repr__(self) -> str:
        return f"Proxy({str(self)!r})"


def proxy_from_environment(server: str, environment: Mapping[str, str]) -> Proxy | None:
    """The proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` ask for on the way to a server.

    The rules are those of kubectl: capital names come first, the machine itself is never reached through
    a proxy, and `NO_PROXY` lists host names (each with what lies under it), addresses and networks.

    Raises:
        ConfigError: the variable that applies holds no usable address.
    """
    target = urlsplit(server)
    name = f"{target.scheme.upper()}_PROXY"
    value = environment.get(name) or environment.get(name.lower())
    exceptions = environment.get("NO_PROXY") or environment.get("no_proxy") or ""
    if not value or not _is_proxied(target, exceptions):
        return None
    return Proxy.parse(value, f"the environment variable {name}")


def _is_proxied(target: SplitResult, exceptions: str) -> bool:
    host = (target.hostname or "").lower()
    port = target.port or _DEFAULT_PORTS[target.scheme]
    if host == "localhost" or _is_loopback(host):
        return False
    rules = [rule.strip().lower() for rule in exceptions.split(",")]
    return not any(_exempts(rule, host, port) for rule in rules if rule)


def _exempts(rule: str, host: str, port: int) -> bool:
    """Whether one rule of `NO_PROXY` keeps a host from being reached through the proxy."""
    if rule == "*":
        return True
    if "/" in rule:
        return _in_network(host, rule)
    name, only_port = _host_and_port(rule)
    if only_port and only_port != str(port):
        return False
    name = name.removeprefix("*")
    if name.startswith("."):
        return host.endswith(name)
    return host == name or (not _is_address(host) and host.endswith(f".{name}"))


def _host_and_port(rule: str) -> tuple[str, str]:
    if rule.startswith("["):
        name, _, port = rule[1:].partition("]")
        return name, port.removeprefix(":")
    if rule.count(":") == 1:
        name, _, port = rule.partition(":")
        return name, port
    return rule, ""


def _in_network(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:  # one of the two is a name
        return False


def _is_loopback(host: str) -> bool:
    return _is_address(host) and ip_address(host).is_loopback


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _split(url: str, where: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port  # only asking for the port finds a wrong one
    except ValueError as error:
        raise ConfigError(f"{where}: the proxy address cannot be read ({error}); correct it") from error
    return parts
