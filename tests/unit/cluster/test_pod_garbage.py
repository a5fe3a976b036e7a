"""Which pods are garbage, and in which order they go."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from polling import soon, until
from windlass.aio import ManualClock
from windlass.api import Key
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.cluster.controller.finished_job import expiry
from windlass.cluster.controller.pod_garbage import PodGarbageCollector, PodGarbageOptions
from windlass.cluster.controller.pod_garbage.census import Pods, entry_of
from windlass.errors import NotFound
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import Node, Pod
from windlass.manager import Manager

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

THEN = "2026-01-01T00:00:00Z"


def pod(name: str, phase: str = "Running", **changed: Any) -> dict[str, Any]:
    """A pod as it stands on the wire."""
    metadata = {"name": name, "creationTimestamp": changed.get("created", THEN)}
    status = {"phase": phase, "reason": changed.get("reason", "")}
    return {"metadata": metadata, "spec": {"nodeName": changed.get("node", "")}, "status": status}


def test_pods_that_were_evicted_go_first_then_the_oldest_then_by_name() -> None:
    pods = Pods()
    for each in (
        pod("young", "Failed", created="2026-01-02T00:00:00Z"),
        pod("b", "Succeeded"),
        pod("a", "Failed"),
        pod("evicted", "Failed", reason="Evicted", created="2026-01-03T00:00:00Z"),
        pod("running"),
    ):
        pods.set(Key("default", each["metadata"]["name"]), entry_of(each))
    assert [key.name for key in pods.surplus(0)] == ["evicted", "a", "b", "young"]
    assert [key.name for key in pods.surplus(2)] == ["evicted", "a"]
    assert pods.surplus(4) == []


def test_a_pod_is_on_one_node_and_gone_when_it_is_gone() -> None:
    pods, key = Pods(), Key("default", "pod")
    pods.set(key, entry_of(pod("pod")))
    assert pods.on("") == []
    pods.set(key, entry_of(pod("pod", node="a")))
    assert pods.on("a") == [key]
    pods.set(key, entry_of(pod("pod", "Failed", node="b")))
    assert (pods.on("a"), pods.on("b"), pods.over) == ([], [key], 1)
    pods.set(key, None)
    assert (pods.on("b"), pods.over, pods.get(key)) == ([], 0, None)


@asynccontextmanager
async def collecting(clock: ManualClock, **options: Any) -> AsyncIterator[Client]:
    """A cluster in which the garbage of pods is collected, in a time that stands still."""
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        manager = Manager(client, clock=clock)
        manager.add(PodGarbageCollector(PodGarbageOptions(**options)))
        async with asyncio.TaskGroup() as group:
            running = group.create_task(manager.run())
            yield client
            running.cancel()


async def made(client: Client, name: str, node: str = "") -> Pod:
    """A pod on a node."""
    spec = {"containers": [{"name": "main", "image": "web:1"}], **({"nodeName": node} if node else {})}
    return await client.create(Pod.from_wire({"metadata": {"name": name}, "spec": spec}))


async def names(client: Client) -> list[str]:
    """The pods that are there."""
    return [each.metadata.name for each in await client.list(Pod, "default")]


async def test_pods_of_a_node_that_stays_away_are_ended_and_those_of_others_are_not() -> None:
    clock = ManualClock()
    async with collecting(clock) as client:
        await client.create(Node.from_wire({"metadata": {"name": "here"}}))
        await made(client, "fine", "here")
        await made(client, "orphan", "gone")
        await soon(lambda: timedelta(seconds=40) in clock.sleeps)
        assert await names(client) == ["fine", "orphan"]
        await clock.advance(timedelta(seconds=41))
        await until(lambda: names(client), lambda found: found == ["fine"])


async def test_a_node_that_comes_in_time_keeps_its_pods() -> None:
    clock = ManualClock()
    async with collecting(clock) as client:
        await made(client, "early", "late")
        await made(client, "orphan", "gone")
        await soon(lambda: clock.sleeps.count(timedelta(seconds=40)) > 0)
        await client.create(Node.from_wire({"metadata": {"name": "late"}}))
        await clock.advance(timedelta(seconds=41))
        await until(lambda: names(client), lambda found: found == ["early"])


async def test_too_many_pods_that_are_over_go() -> None:
    async with collecting(ManualClock(), most_over=1) as client:
        for name in ("a", "b", "c"):
            await made(client, name)
            body = {"metadata": {"name": name, "namespace": "default"}, "status": {"phase": "Succeeded"}}
            await client.status.update(Pod.from_wire({**(await client.get(Pod, name)).to_wire(), **body}))
        await until(lambda: names(client), lambda found: len(found) == 1)


async def test_a_pod_that_ends_on_a_node_out_of_service_is_ended() -> None:
    async with collecting(ManualClock()) as client:
        taint = {"key": "node.kubernetes.io/out-of-service", "value": "shutdown", "effect": "NoExecute"}
        await client.create(Node.from_wire({"metadata": {"name": "down"}, "spec": {"taints": [taint]}}))
        await made(client, "going", "down")
        await made(client, "staying", "down")
        await client.delete(Pod, "going")

        async def is_gone() -> bool:
            try:
                await client.get(Pod, "going")
            except NotFound:
                return True
            return False

        await until(is_gone)
        assert await names(client) == ["staying"]


def job(ttl: int | None, *conditions: tuple[str, str], deleted: bool = False) -> Job:
    """A job whose conditions changed at one moment."""
    told = [{"type": type_, "status": status, "lastTransitionTime": THEN} for type_, status in conditions]
    metadata = {"name": "job", **({"deletionTimestamp": THEN} if deleted else {})}
    spec: dict[str, Any] = {"template": {"spec": {"containers": []}}, "ttlSecondsAfterFinished": ttl}
    return Job.from_wire({"metadata": metadata, "spec": spec, "status": {"conditions": told}})


def test_a_job_is_to_go_so_long_after_it_ended_as_it_says() -> None:
    ended = datetime(2026, 1, 1, tzinfo=UTC)
    assert expiry(job(60, ("Complete", "True"))) == ended + timedelta(minutes=1)
    assert expiry(job(0, ("Suspended", "False"), ("Failed", "True"))) == ended
    assert expiry(job(None, ("Complete", "True"))) is None
    assert expiry(job(60, ("Complete", "False"))) is None
    assert expiry(job(60)) is None
    assert expiry(job(60, ("Complete", "True"), deleted=True)) is None
