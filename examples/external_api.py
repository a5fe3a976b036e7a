"""Something outside the cluster: a topic of a message broker, made and removed through its HTTP API.

Run `BROKER=http://127.0.0.1:8082 windlass run examples/external_api.py`, and apply a Topic. The broker is
asked whether it has the topic, and told to make it; `/journal` of the operator names the effect. Delete the
Topic, and it goes there too. While the broker is down the Topic says so in its Ready condition, and is tried
again, ever later.
"""

import os
from http import HTTPStatus

import aiohttp

from windlass import Condition, Context, Field, Manager, Reconciler, Resource, Result, Status


class TopicStatus(Status):
    """What was seen."""

    conditions: list[Condition] = []


class Topic(Resource, group="demo.example.com", version="v1"):
    """A topic of the broker, of the same name."""

    status: TopicStatus = Field(default_factory=TopicStatus)


class TopicController(Reconciler[Topic]):
    """Has the broker have each topic."""

    finalizer = "demo.example.com/topic"

    def __init__(self, broker: str) -> None:
        self._broker = broker

    async def reconcile(self, topic: Topic, ctx: Context) -> Result[TopicStatus]:
        if await self._ask("GET", topic) == HTTPStatus.NOT_FOUND:  # to look changes nothing
            await ctx.effect(f"create topic {topic.metadata.name}", lambda: self._ask("PUT", topic))
        return Result.ready(TopicStatus())

    async def finalize(self, topic: Topic, ctx: Context) -> Result[TopicStatus]:
        await ctx.effect(f"delete topic {topic.metadata.name}", lambda: self._ask("DELETE", topic))
        return Result.ready()

    async def _ask(self, method: str, topic: Topic) -> int:
        url = f"{self._broker}/topics/{topic.metadata.namespace}.{topic.metadata.name}"
        async with aiohttp.ClientSession() as session, session.request(method, url) as answer:
            if answer.status != HTTPStatus.NOT_FOUND:
                answer.raise_for_status()
            return answer.status


def add_to(manager: Manager) -> None:
    """Have a manager run it."""
    manager.add(TopicController(os.environ["BROKER"]))
