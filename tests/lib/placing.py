"""Nodes without a kubelet, and pods for them: what a scheduler does shows on paper alone."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from by_hand import PATIENCE
from polling import until
from windlass.client import DeleteOptions, MergePatch
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Node, Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.client import Client

Wire = dict[str, Any]

GROUP = "placing.windlass.dev/test"
"""The label that keeps the nodes of a test apart from those of others."""
HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
_NOW_AND_OFF = DeleteOptions(grace_period=timedelta())


class Place:
    """Nodes that are one test's own, and pods that ask for them."""

    def __init__(self, client: Client, group: str) -> None:
        self.client = client
        self.group = group

    async def node(
        self, name: str, labels: dict[str, str] | None = None, allocatable: Wire | None = None, **spec: Any
    ) -> str:
        """Add a node that is ready; by default it has 4 CPUs, 8 GiB and room for 20 pods."""
        full = f"{self.group}-{name}"
        given = {GROUP: self.group, HOSTNAME: full, **(labels or {})}
        metadata = {"name": full, "labels": given}
        await self.client.create(Node.from_wire({"metadata": metadata, "spec": spec}))
        room = {"cpu": "4", "memory": "8Gi", "pods": "20", **(allocatable or {})}
        ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "by hand"}
        status = {"capacity": room, "allocatable": room, "conditions": [ready]}
        await self.client.status.patch(Node, full, MergePatch({"status": status}))

        async def ask() -> Node:
            return await self.client.get(Node, full)

        await until(ask, lambda node: not _is_new(node), patience=PATIENCE)
        return full

    async def pod(self, name: str, labels: dict[str, str] | None = None, **spec: Any) -> Pod:
        """Create a pod that asks for the nodes of this test; `cpu` and `requests` are of its container."""
        requests = {**spec.pop("requests", {}), **({"cpu": spec.pop("cpu")} if "cpu" in spec else {})}
        container = {"name": "main", "image": "web:1", "resources": {"requests": requests, "limits": {}}}
        for each, value in requests.items():
            if "/" in each:
                container["resources"]["limits"][each] = value  # type: ignore[index]
        container |= spec.pop("container", {})
        selector = {GROUP: self.group, **spec.pop("nodeSelector", {})}
        whole = {"containers": [container], "nodeSelector": selector, **spec}
        made = {"metadata": {"name": name, "labels": labels or {}}, "spec": whole}
        return await self.client.create(Pod.from_wire(made))

    async def placed(self, *names: str) -> dict[str, str]:
        """Which nodes pods got, once all of them have one; without the prefix."""
        pods = [await self.when(each, lambda pod: bool(pod.spec.node_name)) for each in names]
        return {
            each.metadata.name: (each.spec.node_name or "").removeprefix(f"{self.group}-") for each in pods
        }

    async def refused(self, name: str, message: str = "") -> str:
        """What a pod's condition says, once it was told that no node does, in words that contain this."""

        def is_refused(pod: Pod) -> bool:
            found = _scheduled(pod)
            return bool(found and found.reason == "Unschedulable" and message in (found.message or ""))

        pod = await self.when(name, is_refused)
        found = _scheduled(pod)
        return found.message or "" if found else ""

    async def when(self, name: str, accept: Callable[[Pod], bool]) -> Pod:
        """A pod, once a test accepts it."""

        async def ask() -> Pod:
            return await self.client.get(Pod, name)

        return await until(ask, accept, patience=PATIENCE)

    async def remove(self, name: str) -> None:
        """Let a pod be gone, as if its kubelet had ended it."""
        with suppress(NotFound):
            await self.client.delete(Pod, name, options=_NOW_AND_OFF)


@asynccontextmanager
async def place(client: Client, namespace: str) -> AsyncIterator[Place]:
    """A place of one's own, which is cleared afterwards."""
    made = Place(client, namespace)
    try:
        yield made
    finally:
        for pod in await client.list(Pod):
            await made.remove(pod.metadata.name)
        for node in await client.list(Node, labels=f"{GROUP}={namespace}"):
            await client.delete(Node, node.metadata.name)


def _scheduled(pod: Pod) -> Any:
    return next((each for each in pod.status.conditions if each.type == "PodScheduled"), None)


def _is_new(node: Node) -> bool:
    return any(each.key.startswith("node.kubernetes.io/not-ready") for each in node.spec.taints)
