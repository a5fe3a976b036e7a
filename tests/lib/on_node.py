"""Pods that a test puts on a simulated node by itself, and what becomes of them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from polling import until
from windlass.errors import AlreadyExists, NotFound
from windlass.kinds.core.v1 import Node, Pod, ServiceAccount

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.client import Client
    from windlass.kinds.core.v1.pod import ContainerStatus

PATIENCE = 30.0
NODE = "node-1"


def pod(name: str, *, annotations: dict[str, str] | None = None, **spec: Any) -> Pod:
    """A pod on the first simulated node, as on the wire; annotations as `{"exit-code": "1"}`."""
    noted = {f"node.windlass.dev/{key}": value for key, value in (annotations or {}).items()}
    containers = [{"name": "main", "image": "web:1"}]
    return Pod.from_wire(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "annotations": noted},
            "spec": {
                "nodeName": NODE,
                "terminationGracePeriodSeconds": 5,
                "containers": containers,
                **spec,
            },
        }
    )


async def create(client: Client, *pods: Pod) -> None:
    """Create pods, in a namespace that may be so new that its account is missing."""
    with suppress(AlreadyExists):
        await client.create(ServiceAccount.from_wire({"metadata": {"name": "default"}}))
    for each in pods:
        await client.create(each)


async def pod_when(client: Client, name: str, accept: Callable[[Pod], bool]) -> Pod:
    """A pod, once a test accepts it."""

    async def ask() -> Pod:
        return await client.get(Pod, name)

    return await until(ask, accept, patience=PATIENCE)


async def node_when(client: Client, name: str, accept: Callable[[Node], bool]) -> Node:
    """A node, once a test accepts it."""

    async def ask() -> Node:
        return await client.get(Node, name)

    return await until(ask, accept, patience=PATIENCE)


async def gone(client: Client, name: str) -> None:
    """Wait until there is no such pod any more."""

    async def is_gone() -> bool:
        try:
            await client.get(Pod, name)
        except NotFound:
            return True
        return False

    await until(is_gone, bool, patience=PATIENCE)


def condition(of: Pod | Node, name: str) -> str:
    """The status of a condition, empty if there is none."""
    return next((each.status for each in of.status.conditions if each.type == name), "")


def is_ready(of: Pod | Node) -> bool:
    """Whether it says that it is ready."""
    return condition(of, "Ready") == "True"


def main(of: Pod) -> ContainerStatus:
    """What is said of the first container of a pod."""
    return of.status.container_statuses[0]


def waits_for(reason: str) -> Callable[[Pod], bool]:
    """Whether the first container of a pod waits for this reason."""

    def does(of: Pod) -> bool:
        state = of.status.container_statuses[0].state if of.status.container_statuses else None
        return state is not None and state.waiting is not None and state.waiting.reason == reason

    return does
