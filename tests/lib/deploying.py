"""Deployments whose pods a test plays: what they are made of, and what is seen of them."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from by_hand import PATIENCE, pods, run, template
from polling import until
from windlass.client import MergePatch
from windlass.errors import NotFound
from windlass.kinds.apps.v1 import Deployment, ReplicaSet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.api import Json
    from windlass.client import Client

LABELS = {"app": "web"}
_TIMES = ("lastUpdateTime", "lastTransitionTime")


def deployment(replicas: int, pod: Json | None = None, **spec: Any) -> Deployment:
    """A Deployment `web` of pods that stay as they are."""
    return Deployment.from_wire(
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "web", "annotations": {"example.com/why": "first"}},
            "spec": {
                "replicas": replicas,
                "selector": {"matchLabels": LABELS},
                "template": pod or template(LABELS),
                **spec,
            },
        }
    )


def rolling(surge: int | str, unavailable: int | str) -> Json:
    """The strategy that replaces pods little by little."""
    return {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable}}


async def change(client: Client, **spec: Any) -> None:
    """Change the spec of the Deployment."""
    await client.patch(Deployment, "web", MergePatch({"spec": spec}))


async def set_image(client: Client, image: str) -> None:
    """Have the Deployment run another image."""
    containers = [{"name": "main", "image": image}]
    await change(client, template={"spec": {"containers": containers}})


async def replica_sets(client: Client) -> dict[str, ReplicaSet]:
    """The sets of the Deployment, by image."""
    found = await client.list(ReplicaSet, client.options.namespace, labels="app=web")
    return {image_of(each): each for each in found}


def image_of(replica_set: ReplicaSet) -> str:
    """The image that a set runs."""
    pod = replica_set.spec.template.spec if replica_set.spec.template else None
    return pod.containers[0].image or "" if pod else ""


async def sizes(client: Client, **wanted: int) -> dict[str, ReplicaSet]:
    """The sets by image, once those of these tags have these sizes and pods: `sizes(client, v1=3, v2=1)`."""

    def fits(found: dict[str, ReplicaSet]) -> bool:
        seen = {
            image.rpartition(":")[2]: (each.spec.replicas, each.status.replicas)
            for image, each in found.items()
        }
        return all(seen.get(tag) == (count, count) for tag, count in wanted.items())

    return await until(lambda: replica_sets(client), fits, patience=PATIENCE)


async def reported(client: Client, accept: Callable[[Json], bool] = bool) -> Json:
    """The status once it is of the present generation and a test accepts it; without times."""

    async def ask() -> tuple[int, Json]:
        found = (await client.get(Deployment, "web")).to_wire()
        status = dict(found.get("status") or {})
        status["conditions"] = {each["type"]: said(each) for each in status.get("conditions", ())}
        return found["metadata"]["generation"], status

    answer = await until(
        ask, lambda told: told[0] == told[1].get("observedGeneration") and accept(told[1]), patience=PATIENCE
    )
    return answer[1]


def said(condition: Json) -> tuple[str, str, str]:
    """Status, reason and message of a condition, all of which must have times."""
    assert all(condition[name] for name in _TIMES)
    return condition["status"], condition["reason"], condition["message"]


def reason(status: Json, type_: str = "Progressing") -> str:
    """The reason of a condition of a status."""
    found: tuple[str, str, str] = status["conditions"].get(type_, ("", "", ""))
    return found[1]


async def serve(client: Client, image: str) -> None:
    """Let all pods of an image that there are run, and be ready."""
    found = await pods(client, "app=web")
    await run(client, *(pod for pod in found if pod.spec.containers[0].image == image))


@asynccontextmanager
async def serving(client: Client) -> AsyncIterator[None]:
    """Let every pod run and be ready as soon as it is there, for the length of the block."""

    over = asyncio.Event()

    async def play() -> None:
        while not over.is_set():  # a request that is cancelled would leave its connection to chance
            for pod in await pods(client, "app=web"):
                if pod.status.phase == "Pending":
                    with suppress(NotFound):
                        await run(client, pod)
            await asyncio.sleep(0.02)

    async with asyncio.TaskGroup() as group:
        group.create_task(play())
        try:
            yield
        finally:
            over.set()
