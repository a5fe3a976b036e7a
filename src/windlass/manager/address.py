from __future__ import annotations

from dataclasses import dataclass

from windlass.errors import ConfigError

_OFF = "0"
_LAST_PORT = 65535


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens; the host is empty for every interface, the port 0 for any free one."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Address | None:
        """Read a bind address as the flags of operators have it: `:8080`, `127.0.0.1:8080`, `[::1]:8080`.

        None for `0`, which means that there is to be no such server.

        Raises:
            ConfigError: the text is no address.
        """
        if text == _OFF:
            return None
        host, colon, port = text.rpartition(":")
        bracketed = host.startswith("[") and host.endswith("]")
        if not colon or not _is_port(port) or (":" in host and not bracketed):
            raise ConfigError(
                f"{text!r} is no address to listen on; "
                "write :8080, 127.0.0.1:8080 or [::1]:8080, or 0 for none"
            )
        return cls(host[1:-1] if bracketed else host, int(port))

    def __str__(self) -> str:
        """As it is written in a flag."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def is_loopback(host: str) -> bool:
    """Whether this is an address of the loopback interface, or `localhost`."""
    from ipaddress import IPv6Address, ip_address  # takes a while to load

    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host == "localhost"
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) <= _LAST_PORT
