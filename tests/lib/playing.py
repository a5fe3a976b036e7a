"""What the controllers and the nodes of a cluster would say of workloads, where there are none: all is well."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from real import administrator, settled
from windlass.client import MergePatch, WatchOptions
from windlass.errors import NotFound
from windlass.kinds.apps.v1 import Deployment, StatefulSet
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.client import Client
    from windlass.testing import Access

_TIME = "2026-01-02T03:04:05Z"
Wire = dict[str, Any]


@asynccontextmanager
async def played(*servers: Access, namespace: str) -> AsyncIterator[None]:
    """For the length of the block, whatever should run in a namespace of these servers is said to."""
    async with settled(), asyncio.TaskGroup() as tasks:
        playing = [
            tasks.create_task(_play(access, namespace, kind, status))
            for access in servers
            for kind, status in _STATUSES.items()
        ]
        try:
            yield
        finally:
            for task in playing:
                task.cancel()


async def _play(access: Access, namespace: str, kind: Any, status: Callable[[Any], Wire]) -> None:
    async with administrator(access, namespace) as client:
        while True:  # the server ends each watch in time
            changes = client.watch(kind, namespace, options=WatchOptions(initial_events=True))
            async with aclosing(changes):
                async for event in changes:
                    if event.type in {"ADDED", "MODIFIED"}:
                        await _say(client, event.object, status(event.object))


async def _say(client: Client, obj: Any, status: Wire) -> None:
    seen = obj.to_wire().get("status", {})
    if all(seen.get(name) == value for name, value in status.items()):
        return
    with suppress(NotFound):  # it was deleted meanwhile
        await client.status.patch(type(obj), obj.metadata.name, MergePatch({"status": status}))


def _condition(kind: str, reason: str = "Played") -> Wire:
    return {
        "type": kind,
        "status": "True",
        "reason": reason,
        "message": "",
        "lastTransitionTime": _TIME,
    }


def _deployment(obj: Deployment) -> Wire:
    counts = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    conditions = [_condition("Available"), _condition("Progressing", "NewReplicaSetAvailable")]
    return {
        "observedGeneration": obj.metadata.generation,
        **dict.fromkeys(counts, obj.spec.replicas),
        "conditions": [{**each, "lastUpdateTime": _TIME} for each in conditions],
    }


def _stateful_set(obj: StatefulSet) -> Wire:
    counts = ("replicas", "currentReplicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    return {
        "observedGeneration": obj.metadata.generation,
        **dict.fromkeys(counts, obj.spec.replicas),
        "currentRevision": "one",
        "updateRevision": "one",
    }


def _job(_: Job) -> Wire:
    conditions = [_condition("SuccessCriteriaMet"), _condition("Complete")]
    return {
        "startTime": _TIME,
        "completionTime": _TIME,
        "succeeded": 1,
        "conditions": [{**each, "lastProbeTime": _TIME} for each in conditions],
    }


def _pod(_: Pod) -> Wire:
    return {"phase": "Succeeded"}


_STATUSES: dict[Any, Callable[[Any], Wire]] = {
    Deployment: _deployment,
    StatefulSet: _stateful_set,
    Job: _job,
    Pod: _pod,
}
