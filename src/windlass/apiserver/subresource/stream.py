"""exec, attach and portforward: streams to a container, which its kubelet would carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.container import container_of
from windlass.apiserver.subresource.form import connect
from windlass.apiserver.subresource.node import kubelet_of

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Query, Reply
    from windlass.apiserver.verb.operation import Operation


_KINDS: Final = {
    "attach": "PodAttachOptions",
    "exec": "PodExecOptions",
    "portforward": "PodPortForwardOptions",
}
_STREAMS: Final = ("stdin", "stdout", "stderr", "tty")


async def stream(operation: Operation) -> Reply:
    """Never a stream: the pod has no node, or its kubelet cannot be reached.

    Raises:
        Refusal: 400, 404 or 500, whatever comes first.
    """
    call, route = operation.call, operation.route
    connect(operation, _KINDS[route.subresource], _options(call.query, route.subresource))
    pod = operation.record().object()
    if route.subresource != "portforward":
        container_of(pod, call.query)
    node = pod["spec"].get("nodeName")
    if not node:
        raise Refusal.bad_request(f"pod {route.name} does not have a host assigned")
    kubelet = kubelet_of(operation.world, node, "pods")
    if "upgrade" not in call.headers.get("connection", "").lower():
        raise Refusal.bad_request("Upgrade request required")
    raise Refusal(500, f"error dialing backend: {kubelet.refused}", "")


def _options(query: Query, subresource: str) -> dict[str, Any]:
    """What the query says of a stream."""
    if subresource == "portforward":
        ports = [int(text) for text in query.texts("ports") if text.isdecimal()]
        return {"ports": ports} if ports else {}
    found: dict[str, Any] = {name: True for name in _STREAMS if query.flag(name)}
    if query.text("container"):
        found["container"] = query.text("container")
    if query.texts("command"):
        found["command"] = query.texts("command")
    return found
