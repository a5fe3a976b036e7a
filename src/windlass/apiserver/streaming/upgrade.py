"""How a request becomes a connection: what the client offers, and what is agreed upon."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.kubelet import Duplex, KubeletRefusal
from windlass.apiserver.streaming.channel import V5, WEBSOCKET_PROTOCOLS
from windlass.apiserver.streaming.port_forward import PORT_FORWARD, TUNNEL
from windlass.apiserver.streaming.spdy_channel import SPDY_PROTOCOLS
from windlass.apiserver.streaming.websocket import accept_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.apiserver.streaming.command import Running
    from windlass.apiserver.streaming.port_forward import Forwarding

_SPDY: Final = "SPDY/3.1"
_SPDY_PROTOCOL: Final = "X-Stream-Protocol-Version"
_WEBSOCKET_PROTOCOL: Final = "Sec-WebSocket-Protocol"

Serve = Callable[[Duplex], Coroutine[Any, Any, None]]
"""What happens on a connection, until it is to be closed."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What is answered to a request that becomes a connection, and what happens there."""

    headers: dict[str, str]
    serve: Serve

    def followed(self, ended: Callable[[], None]) -> Upgrade:
        """The same, and a word when the connection has ended, however it did."""

        async def serve(connection: Duplex) -> None:
            try:
                await self.serve(connection)
            finally:
                ended()

        return replace(self, serve=serve)


def wants_upgrade(headers: Mapping[str, str]) -> bool:
    """Whether a request is to become a connection. Header names are lower case."""
    return "upgrade" in headers.get("connection", "").lower()


def command_upgrade(headers: Mapping[str, str], running: Running) -> Upgrade:
    """The connection on which a command is run.

    Raises:
        KubeletRefusal: 400 or 403, the client speaks nothing that is spoken here, or wants no stream at all.
    """
    if not (running.command.stdin or running.stdout or running.stderr):
        raise KubeletRefusal("you must specify at least 1 of stdin, stdout, stderr", 400)
    if _is_websocket(headers):
        offered = _listed(headers, _WEBSOCKET_PROTOCOL)
        protocol = V5 if V5 in offered else _chosen(offered or [""], ("", *WEBSOCKET_PROTOCOLS))
        return _websocket(headers, protocol, lambda connection: running.over_websocket(connection, protocol))
    protocol = _spdy_protocol(headers, SPDY_PROTOCOLS)
    return _spdy(protocol, lambda connection: running.over_spdy(connection, protocol))


def forward_upgrade(headers: Mapping[str, str], forwarding: Forwarding, ports: Sequence[int]) -> Upgrade:
    """The connection on which connections to ports are carried; only older clients name the ports before.

    Raises:
        KubeletRefusal: 400 or 403, the client speaks nothing that is spoken here.
    """
    if not _is_websocket(headers):
        return _spdy(_spdy_protocol(headers, (PORT_FORWARD,)), forwarding.over_spdy)
    offered = _listed(headers, _WEBSOCKET_PROTOCOL)
    if TUNNEL in offered:
        return _websocket(headers, TUNNEL, forwarding.over_tunnel)
    from windlass.apiserver.streaming.port_channel import PROTOCOLS, forward_channels

    if not ports:
        raise KubeletRefusal('query parameter "port" is required', 400)
    protocol = _chosen(offered or [""], PROTOCOLS)
    return _websocket(
        headers, protocol, lambda connection: forward_channels(forwarding, ports, connection, protocol)
    )


def _is_websocket(headers: Mapping[str, str]) -> bool:
    return headers.get("upgrade", "").lower() == "websocket"


def _websocket(headers: Mapping[str, str], protocol: str, serve: Serve) -> Upgrade:
    answer = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Accept": accept_key(headers.get("sec-websocket-key", "")),
    }
    return Upgrade(answer | ({_WEBSOCKET_PROTOCOL: protocol} if protocol else {}), serve)


def _spdy(protocol: str, serve: Serve) -> Upgrade:
    return Upgrade({"Connection": "Upgrade", "Upgrade": _SPDY, _SPDY_PROTOCOL: protocol}, serve)


def _spdy_protocol(headers: Mapping[str, str], known: Sequence[str]) -> str:
    if _SPDY.lower() not in headers.get("upgrade", "").lower():
        raise KubeletRefusal("unable to upgrade: missing upgrade headers in request", 400)
    offered = _listed(headers, _SPDY_PROTOCOL)
    if not offered:
        raise KubeletRefusal(f"unable to upgrade: header {_SPDY_PROTOCOL} does not exist in request", 400)
    return _chosen(offered, known)


def _chosen(offered: Sequence[str], known: Sequence[str]) -> str:
    for each in offered:
        if each in known:
            return each
    said = f"client supports [{' '.join(offered)}], server accepts [{' '.join(known)}]"
    raise KubeletRefusal(f"unable to upgrade: unable to negotiate protocol: {said}", 403)


def _listed(headers: Mapping[str, str], name: str) -> list[str]:
    """The values of a header, which came several times or with commas."""
    return [part for part in re.split(r"[,\s]+", headers.get(name.lower(), "")) if part]
