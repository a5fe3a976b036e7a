"""Pods that no scheduler and no kubelet touches: a test says by hand what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polling import until
from windlass.client import MergePatch
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.client import Client

PATIENCE = 20.0
"""How long real controllers are waited for, in seconds."""
_TIME = "2026-01-02T03:04:05Z"
_CONDITIONS = ("PodScheduled", "Initialized", "ContainersReady", "Ready")


def template(labels: dict[str, str], **spec: Any) -> dict[str, Any]:
    """The template of a pod that stays as it is until a test says otherwise, as on the wire."""
    containers = [{"name": "main", "image": "web:1"}]
    return {
        "metadata": {"labels": labels},
        "spec": {"schedulerName": "by-hand", "containers": containers, **spec},
    }


async def pods(client: Client, labels: str) -> list[Pod]:
    """The pods of the client's namespace with these labels that are not being deleted, by name."""
    found = await client.list(Pod, client.options.namespace, labels=labels)
    staying = [each for each in found if not each.metadata.deletion_timestamp]
    return sorted(staying, key=lambda pod: pod.metadata.name)


async def pods_when(client: Client, labels: str, accept: Callable[[Sequence[Pod]], bool]) -> list[Pod]:
    """The pods with these labels, once a test accepts them."""

    async def ask() -> list[Pod]:
        return await pods(client, labels)

    return await until(ask, accept, patience=PATIENCE)


async def run(client: Client, *those: Pod, address: str = "10.9.8.7") -> None:
    """Let pods run, and be ready."""
    for pod in those:
        await _say(client, pod, "Running", {"running": {"startedAt": _TIME}}, ready=True, address=address)


async def end(client: Client, *those: Pod, code: int = 0) -> None:
    """Let the containers of pods end."""
    for pod in those:
        state = {"terminated": {"exitCode": code, "reason": "Error" if code else "Completed"}}
        await _say(client, pod, "Failed" if code else "Succeeded", state, ready=False)


async def _say(
    client: Client, pod: Pod, phase: str, state: dict[str, Any], *, ready: bool, address: str = ""
) -> None:
    containers = [
        {
            "name": each.name,
            "image": each.image,
            "imageID": each.image,
            "ready": ready,
            "restartCount": 0,
            "state": state,
        }
        for each in pod.spec.containers
    ]
    said = "True" if ready else "False"
    conditions = [
        {"type": each, "status": said, "lastTransitionTime": _TIME, "lastProbeTime": None}
        for each in _CONDITIONS
    ]
    status: dict[str, Any] = {"phase": phase, "conditions": conditions, "containerStatuses": containers}
    if address:
        status |= {"podIP": address, "podIPs": [{"ip": address}]}
    patch = MergePatch({"status": status})
    await client.status.patch(Pod, pod.metadata.name, patch, pod.metadata.namespace)
