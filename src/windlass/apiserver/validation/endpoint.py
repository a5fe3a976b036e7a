"""What Endpoints and EndpointSlices share, and Services with them: addresses that traffic can go to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.address import parsed_sloppily
from windlass.apiserver.validation.names import dns_label, label_key
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROTOCOLS: Final = ("SCTP", "TCP", "UDP")


def validate_destination(text: str, path: Path) -> Iterator[Fault]:
    """An address that is not special; one that is no address at all is said to be so again."""
    address = parsed_sloppily(text)
    if address is None:
        yield Fault.invalid(path, text, "must be a valid IP address")
        return
    if address.is_unspecified:
        yield Fault.invalid(path, text, f"may not be unspecified ({text})")
    if address.is_loopback:
        yield Fault.invalid(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)")
    if address.is_link_local:
        yield Fault.invalid(path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)")
    if _is_link_local_multicast(address.packed):
        detail = "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"
        yield Fault.invalid(path, text, detail)


def validate_protocol(port: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """The protocol of a port, and what is spoken above it."""
    protocol = port.get("protocol", "")
    if not protocol:
        yield Fault.required(path.child("protocol"))
    elif protocol not in PROTOCOLS:
        yield Fault.not_supported(path.child("protocol"), protocol, PROTOCOLS)


def validate_application(port: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """What is spoken on a port: `http`, `example.com/protocol`."""
    spoken = port.get("appProtocol")
    for problem in label_key(spoken) if spoken is not None else ():
        yield Fault.invalid(path.child("appProtocol"), spoken, problem)


def validate_label(value: str, path: Path) -> Iterator[Fault]:
    """A DNS label."""
    for problem in dns_label(value):
        yield Fault.invalid(path, value, problem)


def _is_link_local_multicast(packed: bytes) -> bool:
    return packed[:3] == b"\xe0\x00\x00" and len(packed) == 4 or (packed[0] == 0xFF and packed[1] & 0x0F == 0x02)
