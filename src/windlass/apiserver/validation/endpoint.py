"""What Services, Endpoints and EndpointSlices share: the protocols of ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import dns_label, label_key
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROTOCOLS: Final = ("SCTP", "TCP", "UDP")


def validate_protocol(port: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """The protocol of a port."""
    protocol = port.get("protocol", "")
    if not protocol:
        yield Fault.required(path.child("protocol"))
    elif protocol not in PROTOCOLS:
        yield Fault.not_supported(path.child("protocol"), protocol, PROTOCOLS)


def validate_application(port: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """What is spoken on a port: `http`, `example.com/protocol`."""
    spoken = port.get("appProtocol")
    if spoken is not None:
        for problem in label_key(spoken):
            yield Fault.invalid(path.child("appProtocol"), spoken, problem)


def validate_label(value: str, path: Path) -> Iterator[Fault]:
    """A DNS label: the name of a port or a host."""
    for problem in dns_label(value):
        yield Fault.invalid(path, value, problem)
