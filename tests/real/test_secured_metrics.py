"""Metrics that only those may scrape whom the API server lets, with the tokens of service accounts."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import aiohttp

from polling import until
from real import administrator
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.client import request_token
from windlass.kinds.core.v1 import ServiceAccount
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding, PolicyRule, RoleRef, Subject
from windlass.manager import Address, Guard, ManagerOptions, Metrics, MetricsOptions, Probe, Serving, Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client
    from windlass.testing import Access


async def account(client: Client, name: str) -> str:
    """A new service account's token."""
    await client.create(ServiceAccount(metadata=ObjectMeta(name=name)))
    return (await request_token(client, name)).token


@asynccontextmanager
async def granted(client: Client, name: str, namespace: str) -> AsyncIterator[None]:
    """Let a service account get /metrics for the length of the block, by the role that operators ship."""
    metadata = ObjectMeta(name=f"{namespace}-metrics-reader")
    rule = PolicyRule(verbs=["get"], non_resource_urls=["/metrics"])
    reference = RoleRef(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name=str(metadata.name))
    subject = Subject(kind="ServiceAccount", name=name, namespace=namespace)
    await client.create(ClusterRole(metadata=metadata, rules=[rule]))
    await client.create(ClusterRoleBinding(metadata=metadata, role_ref=reference, subjects=[subject]))
    yield
    await client.delete(ClusterRoleBinding, reference.name)
    await client.delete(ClusterRole, reference.name)


async def test_a_service_account_may_scrape_once_it_is_granted_metrics(
    control_plane: Access, namespace: str
) -> None:
    clock = ManualClock()
    metrics = MetricsOptions(address=Address("127.0.0.1", 0), secure=True)
    async with administrator(control_plane, namespace) as client:
        token = await account(client, "prometheus")
        site = Site(
            live=Probe("healthz"),
            ready=Probe("readyz"),
            metrics=Metrics(clock),
            journal=lambda _: (),
            guard=Guard(client, clock),
        )
        async with Serving(ManagerOptions(metrics=metrics), site) as serving, aiohttp.ClientSession() as web:

            async def scraped(bearer: str) -> tuple[int, str]:
                await clock.advance(timedelta(minutes=1))  # what the guard remembers is forgotten
                headers = {"Authorization": f"Bearer {bearer}"}
                async with web.get(
                    f"https://{serving.metrics}/metrics", headers=headers, ssl=False
                ) as answer:
                    return answer.status, await answer.text()

            made_up = await scraped("made-up")
            before = await scraped(token)
            async with granted(client, "prometheus", namespace):
                status, text = await until(lambda: scraped(token), lambda answer: answer[0] == 200)

    assert made_up == (401, "Unauthorized\n")
    user = f"system:serviceaccount:{namespace}:prometheus"
    assert before == (403, f"Authorization denied for user {user}\n")
    assert (status, "leader_election_master_status" in text) == (200, True)
