"""exec, attach and portforward: streams to a container, which its kubelet carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.exchange import Reply
from windlass.apiserver.kubelet import Command, KubeletRefusal, PodName
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.container import container_of
from windlass.apiserver.subresource.form import connect
from windlass.apiserver.subresource.node import kubelet_of

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Query
    from windlass.apiserver.kubelet import Kubelet
    from windlass.apiserver.verb.operation import Operation


_KINDS: Final = {
    "attach": "PodAttachOptions",
    "exec": "PodExecOptions",
    "portforward": "PodPortForwardOptions",
}
_STREAMS: Final = ("stdin", "stdout", "stderr", "tty")


async def stream(operation: Operation) -> Reply:
    """The connection to a pod, if its kubelet can be reached.

    Raises:
        Refusal: 400, 403, 404 or 500, whatever comes first.
    """
    call, route = operation.call, operation.route
    connect(operation, _KINDS[route.subresource], _options(call.query, route.subresource))
    operation.gate.admit_connection(call, route)
    pod = operation.record().object()
    container = container_of(pod, call.query) if route.subresource != "portforward" else ""
    node = pod["spec"].get("nodeName")
    if not node:
        raise Refusal.bad_request(f"pod {route.name} does not have a host assigned")
    place = kubelet_of(operation.world, node, "pods")
    from windlass.apiserver.streaming import wants_upgrade

    if not wants_upgrade(call.headers):
        raise Refusal.bad_request("Upgrade request required")
    if place.kubelet is None:
        raise Refusal(500, f"error dialing backend: {place.refused}", "")
    return _upgraded(operation, place.kubelet, container)


def _upgraded(operation: Operation, kubelet: Kubelet, container: str) -> Reply:
    """What the kubelet answers, which is passed on as it is."""
    from windlass.apiserver.streaming import Forwarding, Running, command_upgrade, forward_upgrade

    call, route = operation.call, operation.route
    pod, options = PodName(route.namespace, route.name), _options(call.query, route.subresource)
    try:
        if route.subresource == "portforward":
            forwarding = Forwarding(kubelet=kubelet, pod=pod)
            upgrade = forward_upgrade(call.headers, forwarding, options.get("ports", []))
        else:
            running = Running(
                kubelet=kubelet,
                pod=pod,
                container=container,
                command=Command(
                    argv=tuple(options.get("command", ())),
                    stdin=options.get("stdin", False),
                    tty=options.get("tty", False),
                ),
                stdout=options.get("stdout", False),
                stderr=options.get("stderr", False),
            )
            upgrade = command_upgrade(call.headers, running)
    except KubeletRefusal as refusal:
        return Reply.text(str(refusal), refusal.status)
    return Reply(status=101, content_type="", upgrade=upgrade)


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
