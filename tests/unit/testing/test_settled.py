"""Doing nothing costs nothing, and who does something is told."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from operating import install
from polling import until
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Secret, Service
from windlass.manager import Manager
from windlass.reconcile import Context, Reconciler, Result
from windlass.testing import RecordingTransport, assert_settled

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TEMPLATE: dict[str, Any] = {
    "metadata": {"labels": {"app": "w"}},
    "spec": {
        "containers": [
            {
                "name": "main",
                "image": "main:1",
                "ports": [{"containerPort": 80}],
                "resources": {"requests": {"cpu": "1000m", "memory": "1024Mi"}, "limits": {"cpu": "2000m"}},
            }
        ]
    },
}
CHILDREN: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "a quantity that is written anew, and defaulted lists": (
        Deployment,
        {"spec": {"selector": {"matchLabels": {"app": "w"}}, "template": TEMPLATE}},
    ),
    "stringData": (Secret, {"stringData": {"password": "secret"}}),
    "a service": (Service, {"spec": {"ports": [{"port": 80}], "selector": {"app": "w"}}}),
    "empty maps": (ConfigMap, {"data": {}, "metadata": {"name": "w", "labels": {}}}),
}


class Applying(Reconciler[Widget]):
    """Applies one child for each Widget."""

    owns = (Deployment, Secret, Service, ConfigMap)

    def __init__(self, kind: type[Any], content: dict[str, Any]) -> None:
        self._kind = kind
        self._content = content
        self.runs = 0

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs += 1
        await ctx.apply(self._kind.from_wire({"metadata": {"name": ctx.key.name}, **self._content}))
        return Result.ready(WidgetStatus(size=resource.spec.size), again=timedelta(minutes=1))


class Restless(Applying):
    """Says something new each time."""

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        await super().reconcile(resource, ctx)
        return Result.ready(WidgetStatus(note=str(self.runs)))


@asynccontextmanager
async def running(reconciler: Applying) -> AsyncIterator[tuple[Manager, RecordingTransport]]:
    """A manager that has reconciled one Widget."""
    async with Cluster() as cluster:
        user = Client(cluster.transport())
        await install(user, Widget)
        await user.create(Widget(metadata=ObjectMeta(name="w", namespace="default")))
        transport = RecordingTransport(cluster.transport())
        manager = Manager(Client(transport), clock=ManualClock(), random=Random(1))
        manager.add(reconciler)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(manager.run())

            async def is_ready() -> bool:
                return bool((await user.get(Widget, "w", "default")).status.conditions)

            await until(is_ready)
            yield manager, transport
            task.cancel()


@pytest.mark.parametrize("child", CHILDREN)
async def test_another_pass_over_what_a_server_writes_in_its_own_way_makes_no_call(child: str) -> None:
    reconciler = Applying(*CHILDREN[child])
    async with running(reconciler) as (manager, transport):
        before = reconciler.runs
        await assert_settled(manager, transport)

        assert reconciler.runs > before
        assert transport.watches


async def test_a_pass_that_makes_calls_is_told_with_each_of_them() -> None:
    async with running(Restless(*CHILDREN["empty maps"])) as (manager, transport):
        with pytest.raises(AssertionError, match=r"PATCH .*/widgets/w/status"):
            await assert_settled(manager, transport)


async def test_a_manager_that_does_not_come_to_rest_is_told() -> None:
    class Spinning(Applying):
        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            await super().reconcile(resource, ctx)
            return Result.ready(again=timedelta())

    async with running(Spinning(*CHILDREN["empty maps"])) as (manager, transport):
        with pytest.raises(AssertionError, match=r"does not come to rest.*widget"):
            await assert_settled(manager, transport, within=timedelta())
