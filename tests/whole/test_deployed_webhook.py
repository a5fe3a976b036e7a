"""A webhook that is deployed as people do it, with a Deployment and a Service, really judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deployed_judge import judge
from polling import until
from windlass.client import JsonPatch, MergePatch
from windlass.errors import ApiError
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.discovery.v1 import EndpointSlice

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client


async def scale(client: Client, replicas: int) -> None:
    """Have so many pods judge; returns when the service knows them, or none."""
    await client.patch(Deployment, "judge", MergePatch({"spec": {"replicas": replicas}}))

    def served(slices: list[EndpointSlice]) -> bool:
        ready = [end for each in slices for end in each.endpoints if end.conditions and end.conditions.ready]
        return len(ready) == replicas

    async def slices() -> list[EndpointSlice]:
        namespace = client.options.namespace
        found = await client.list(EndpointSlice, namespace, labels="kubernetes.io/service-name=judge")
        return list(found)

    await until(slices, served, patience=40)


async def judged(client: Client, name: str) -> str:
    """What becomes of an object that is to be judged."""
    try:
        await client.create(ConfigMap.from_wire({"metadata": {"name": name, "labels": {"judged": "yes"}}}))
    except ApiError as error:
        return str(error)
    return "allowed"


async def policy(client: Client, name: str) -> None:
    """Say what to do when nobody judges."""
    operations = [{"op": "replace", "path": "/webhooks/0/failurePolicy", "value": name}]
    await client.patch(ValidatingWebhookConfiguration, client.options.namespace, JsonPatch(operations))


@pytest.fixture
async def deployed(client: Client) -> AsyncIterator[Client]:
    """A user whose webhook is deployed, and does not run yet."""
    for each in judge(client.options.namespace):
        await client.create(each)
    yield client
    await client.delete(ValidatingWebhookConfiguration, client.options.namespace)


async def test_a_webhook_that_is_deployed_is_asked_and_its_failure_policy_acts_while_it_is_away(
    deployed: Client,
) -> None:
    asking = deployed.using(dry_run=True)
    away = 'failed calling webhook "judge.example.com"'

    async def said_of(name: str, text: str) -> None:
        await until(lambda: judged(asking, name), lambda said: text in said, patience=20)

    await said_of("good", away)

    await scale(deployed, 1)
    await said_of("bad", 'admission webhook "judge.example.com" denied the request: refused in judge-')
    assert await judged(asking, "good") == "allowed"

    await scale(deployed, 0)
    await said_of("good", away)
    await policy(deployed, "Ignore")
    await said_of("bad", "allowed")

    await scale(deployed, 1)
    await said_of("bad", "refused in judge-")
