from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.testing.command import HOST

if TYPE_CHECKING:
    import socket


def hold_port(port: int = 0) -> socket.socket:
    """A free port, or this one, held until the socket is closed.

    The Kubernetes programs cannot be told to choose a port themselves, and a port that was merely seen to be
    free may be taken by the time they ask for it. This socket keeps others away and lets in who shares
    (`--permit-port-sharing`, that is SO_REUSEPORT, which the kernel grants to the same user only). It does
    not listen, so every connection goes to the program.
    """
    import socket

    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind((HOST, port))
    except OSError:
        held.close()
        raise
    return held
