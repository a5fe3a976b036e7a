"""Doing nothing costs nothing, and who does something is told."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from applying import CHILDREN, Applying
from operating import install
from polling import until
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import Key, ObjectMeta
from windlass.client import Client, JsonPatch, MergePatch
from windlass.cluster import Cluster
from windlass.kinds.core.v1 import ConfigMap, Namespace, Secret
from windlass.manager import Manager
from windlass.reconcile import Cause, Context, Result
from windlass.testing import RecordingTransport, assert_settled
from windlass.testing.settled import level

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WIDGET = "/apis/test.windlass.dev/v1/namespaces/default/widgets/w"
CONFIG = (ConfigMap, {"data": {"size": "ours"}})


class Restless(Applying):
    """Says something new each time."""

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        await super().reconcile(resource, ctx)
        return Result.ready(WidgetStatus(note=str(self.runs)))


class Meddled(Applying):
    """Tells whether there is a Secret, which somebody creates in the middle of another pass."""

    user: Client | None = None

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        await super().reconcile(resource, ctx)
        if self.user and Cause("another pass") in ctx.causes:
            user, self.user = self.user, None
            await user.create(Secret(metadata=ObjectMeta(name="other", namespace="default")))
            await until(lambda: ctx.get(Secret, "other"))
        return Result.ready(WidgetStatus(note="there" if await ctx.get(Secret, "other") else "not there"))


class Rivalled(Applying):
    """Has somebody beside it who does not write through the operator's transport."""

    user: Client


@asynccontextmanager
async def running(reconciler: Applying) -> AsyncIterator[tuple[Manager, RecordingTransport]]:
    """A manager that has reconciled one Widget."""
    async with Cluster() as cluster:
        user = Client(cluster.transport())
        if isinstance(reconciler, Meddled | Rivalled):
            reconciler.user = user
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
        with pytest.raises(AssertionError) as failure:
            await assert_settled(manager, transport)

    assert str(failure.value) == (
        "another pass over objects that the operator had settled sent requests:\n"
        f"  PATCH {WIDGET}/status?fieldManager=windlass: "
        "patch of Widget default/w: modified .status.note, as field manager windlass"
    )


class Flipping(Applying):
    """Writes another value each time, looks at what is not cached, and applies what changes nothing."""

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs += 1
        await ctx.patch(Widget, ctx.key.name, JsonPatch([]))
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data={"a": "1", "run": str(self.runs)}))
        await ctx.patch(Namespace, "default", MergePatch({"metadata": {"labels": {"run": str(self.runs)}}}))
        return Result.ready(WidgetStatus(size=1))


async def test_the_request_that_keeps_changing_something_is_named_first_with_its_fields() -> None:
    async with running(Flipping(*CHILDREN["empty maps"])) as (manager, transport):
        with pytest.raises(AssertionError) as failure:
            await assert_settled(manager, transport)

    ours, by = "?fieldManager=windlass", ", as field manager windlass"
    maps = "/api/v1/namespaces/default/configmaps/w"
    assert str(failure.value).splitlines()[1:] == [
        f"  PATCH {maps}{ours}&force=true: apply of ConfigMap default/w: modified .data.run{by}",
        f"  PATCH /api/v1/namespaces/default{ours}: patch of what is not watched: .metadata.labels.run{by}",
        f"  PATCH {WIDGET}{ours}: patch that changed nothing{by}",
    ]


async def test_another_field_manager_that_writes_back_is_named_and_not_the_operator() -> None:
    reconciler = Rivalled(*CONFIG)
    async with running(reconciler) as (manager, transport):
        rival = reconciler.user.using(field_manager="rival")
        (informer,) = (each for each in manager.cache.informers if each.kind is ConfigMap)

        changed = asyncio.Event()
        informer.listen(lambda change: None if change.listed else changed.set())

        async def write_back() -> None:
            while True:
                await changed.wait()
                changed.clear()
                await rival.patch(ConfigMap, "w", MergePatch({"data": {"size": "theirs"}}), "default")

        async with asyncio.TaskGroup() as group:
            writing = group.create_task(write_back())
            await rival.patch(ConfigMap, "w", MergePatch({"data": {"size": "theirs"}}), "default")
            with pytest.raises(AssertionError) as failure:
                await assert_settled(manager, transport, within=timedelta(seconds=1))
            writing.cancel()

    text = str(failure.value)
    assert text.startswith(("the manager does not come to rest; ", "others keep changing objects:\n"))
    assert re.search(r"\n  ConfigMap default/w modified \.data\.size, \d+ times, by .*\brival\b", text)


async def test_what_others_change_meanwhile_is_no_fault_of_the_operator() -> None:
    meddled = Meddled(*CHILDREN["empty maps"])
    async with running(meddled) as (manager, transport):
        await assert_settled(manager, transport)

        assert meddled.user is None
        assert (await Client(transport).get(Widget, "w", "default")).status.note == "there"


async def test_a_manager_that_does_not_come_to_rest_is_told() -> None:
    class Spinning(Applying):
        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            await super().reconcile(resource, ctx)
            return Result.ready(again=timedelta())

    async with running(Spinning(*CHILDREN["empty maps"])) as (manager, transport):
        with pytest.raises(AssertionError, match=r"does not come to rest.*widget") as failure:
            await assert_settled(manager, transport, within=timedelta())

    assert "nothing changes; the last runs:\n  widget default/w because of " in str(failure.value)


async def test_what_has_just_happened_is_heard_before_the_other_pass_is_made() -> None:
    async with running(Applying(*next(iter(CHILDREN.values())))) as (manager, transport):
        (informer,) = (each for each in manager.cache.informers if each.kind is Widget)
        user = Client(transport)
        changed = await user.patch(Widget, "w", MergePatch({"metadata": {"labels": {"a": "b"}}}), "default")
        stale = informer.snapshot(Key("default", "w"))
        assert stale is not None
        assert stale.resource_version != changed.metadata.resource_version

        await level(manager, timedelta(seconds=10))

        heard = informer.snapshot(Key("default", "w"))
        assert heard is not None
        assert heard.resource_version == changed.metadata.resource_version
