"""exec, attach and portforward: streams to a container, which its kubelet would carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.container import container_of
from windlass.apiserver.subresource.node import kubelet_of

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.resource import Catalog
    from windlass.apiserver.verb.operation import Operation


async def stream(operation: Operation, _catalog: Catalog) -> Reply:
    """Never a stream: the pod has no node, or its kubelet cannot be reached.

    Raises:
        Refusal: 400, 404 or 500, whatever comes first.
    """
    call, route = operation.call, operation.route
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
