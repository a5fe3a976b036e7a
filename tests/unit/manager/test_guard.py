"""Who may see secured metrics, as the embedded API server decides."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.client import Client, Request, Response, Stream, Transport
from windlass.cluster import Cluster, ClusterOptions
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding, PolicyRule, RoleRef, Subject
from windlass.manager import Ask, Guard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager


class Seen(Transport):
    """Keeps the paths of the requests that pass."""

    def __init__(self, inner: Transport) -> None:
        self._inner = inner
        self.paths: list[str] = []

    @override
    async def send(self, request: Request) -> Response:
        self.paths.append(request.path.rpartition("/")[2])
        return await self._inner.send(request)

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        return self._inner.stream(request)

    @override
    async def close(self) -> None:
        await self._inner.close()


class World:
    """A cluster in which `prometheus` may see metrics once `grant` was called, and a guard before them."""

    def __init__(self, cluster: Cluster, user: str) -> None:
        self.clock = ManualClock()
        self.sent = Seen(cluster.transport(user))
        self.guard = Guard(Client(self.sent), self.clock)
        self._cluster = cluster

    async def ask(self, user: str = "prometheus") -> int:
        return await self.ask_with(f"Bearer {self._cluster.access.token(user)}")

    async def ask_with(self, authorization: str) -> int:
        refusal = await self.guard.refusal(Ask(path="/metrics", headers={"authorization": authorization}))
        return refusal.status if refusal else 200

    async def grant(self) -> None:
        client = Client(self._cluster.transport())
        rule = PolicyRule(verbs=["get"], non_resource_urls=["/metrics"])
        await client.create(ClusterRole(metadata=ObjectMeta(name="metrics-reader"), rules=[rule]))
        binding = ClusterRoleBinding(
            metadata=ObjectMeta(name="metrics-reader"),
            role_ref=RoleRef(
                api_group="rbac.authorization.k8s.io", kind="ClusterRole", name="metrics-reader"
            ),
            subjects=[Subject(kind="User", name="prometheus", api_group="rbac.authorization.k8s.io")],
        )
        await client.create(binding)


@asynccontextmanager
async def world(user: str = "admin") -> AsyncIterator[World]:
    options = ClusterOptions(users={"prometheus": ("system:authenticated",)})
    async with Cluster(options) as cluster:
        yield World(cluster, user)


async def test_who_may_get_metrics_is_let_through() -> None:
    async with world() as here:
        await here.grant()

        assert await here.ask() == 200


async def test_who_may_not_is_told_so_by_name() -> None:
    async with world() as here:
        assert await here.ask() == 403


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer made-up"])
async def test_who_is_not_known_is_refused(authorization: str) -> None:
    async with world() as here:
        assert await here.ask_with(authorization) == 401


async def test_a_yes_is_kept_for_a_minute() -> None:
    async with world() as here:
        await here.grant()
        await here.ask()
        await here.clock.advance(timedelta(seconds=59))
        await here.ask()
        kept = list(here.sent.paths)
        await here.clock.advance(timedelta(seconds=1))
        await here.ask()

    assert kept == ["tokenreviews", "subjectaccessreviews"]
    assert here.sent.paths == kept * 2


async def test_a_no_is_asked_again_soon_so_that_a_new_grant_helps() -> None:
    async with world() as here:
        before = await here.ask()
        await here.grant()
        still = await here.ask()
        await here.clock.advance(timedelta(seconds=10))

        assert (before, still, await here.ask()) == (403, 403, 200)


async def test_without_the_right_to_review_nobody_is_let_through_and_the_log_says_which_is_missing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with world(user="nobody") as here:
        await here.grant()

        assert await here.ask() == 500

    assert "tokenreviews" in vars(caplog.records[-1])["windlass"]["error"]


async def test_made_up_tokens_do_not_fill_the_memory() -> None:
    async with world() as here:
        for number in range(300):
            await here.ask_with(f"Bearer made-up-{number}")

    assert len(here.guard._known) == 256
