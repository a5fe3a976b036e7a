"""Commands in containers and connections to their ports, for clients over WebSockets and SPDY.

A request becomes a connection, as `command_upgrade` and `forward_upgrade` find out from its headers:

    upgrade = command_upgrade(headers, Running(kubelet=kubelet, pod=pod, container="main", command=command))
    # answer 101 with upgrade.headers, then
    await upgrade.serve(connection)

The API server serves its clients so, and a kubelet on a port the API server. What carries the bytes is not
known here; `hijack` makes a connection of a request to an HTTP server.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.apiserver.streaming.command import Running as Running
    from windlass.apiserver.streaming.hijack import hijack as hijack
    from windlass.apiserver.streaming.log import log_reply as log_reply
    from windlass.apiserver.streaming.port_forward import Forwarding as Forwarding
    from windlass.apiserver.streaming.upgrade import Upgrade as Upgrade
    from windlass.apiserver.streaming.upgrade import command_upgrade as command_upgrade
    from windlass.apiserver.streaming.upgrade import forward_upgrade as forward_upgrade
    from windlass.apiserver.streaming.upgrade import wants_upgrade as wants_upgrade

__lazy__ = {
    "Forwarding": "windlass.apiserver.streaming.port_forward",
    "Running": "windlass.apiserver.streaming.command",
    "Upgrade": "windlass.apiserver.streaming.upgrade",
    "command_upgrade": "windlass.apiserver.streaming.upgrade",
    "forward_upgrade": "windlass.apiserver.streaming.upgrade",
    "hijack": "windlass.apiserver.streaming.hijack",
    "log_reply": "windlass.apiserver.streaming.log",
    "wants_upgrade": "windlass.apiserver.streaming.upgrade",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
