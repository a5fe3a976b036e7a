"""Reconcilers of built-in kinds, whose status and whose end are more than ours."""

from __future__ import annotations

from typing import Any

from operating import operating
from polling import until
from windlass.client import Client, MergePatch
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Pod
from windlass.kinds.core.v1.pod import PodCondition, PodStatus
from windlass.reconcile import Context, Reconciler, Result


def _pod() -> Pod:
    containers = [{"name": "main", "image": "web:1"}]
    return Pod.from_wire(
        {
            "metadata": {"name": "web", "namespace": "default"},
            "spec": {"nodeName": "a", "containers": containers},
        }
    )


class Node(Reconciler[Pod]):
    """Lets a pod go once it is deleted."""

    until_gone = True

    def __init__(self) -> None:
        self.seen: list[bool] = []

    async def reconcile(self, resource: Pod, ctx: Context) -> Result[Any]:
        from datetime import timedelta

        from windlass.client import DeleteOptions

        deleted = resource.metadata.deletion_timestamp is not None
        self.seen.append(deleted)
        if deleted:
            await ctx.delete(Pod, ctx.key.name, options=DeleteOptions(grace_period=timedelta()))
        return Result.ready()


async def test_one_who_wants_to_sees_an_object_until_it_is_gone() -> None:
    node = Node()
    async with operating(node) as operator:
        await operator.client.create(_pod())
        await until(lambda: _seen(node, deleted=False))
        await operator.client.delete(Pod, "web", "default")
        await until(lambda: _is_gone(operator.client))
        assert node.seen[-1]


async def _seen(node: Node, *, deleted: bool) -> bool:
    return deleted in node.seen


async def _is_gone(client: Client) -> bool:
    try:
        await client.get(Pod, "web", "default")
    except NotFound:
        return True
    return False


class Reporter(Reconciler[Pod]):
    """Says that a pod is ready and keeps what others say, though another one speaks in between once."""

    def __init__(self) -> None:
        self.user: Client | None = None

    async def reconcile(self, resource: Pod, ctx: Context) -> Result[Any]:
        if self.user is not None:
            user, self.user = self.user, None
            gate = {"status": {"conditions": [{"type": "example.com/checked", "status": "True"}]}}
            await user.status.patch(Pod, "web", MergePatch(gate), "default")
        others = [each for each in resource.status.conditions if each.type != "Ready"]
        status = PodStatus(conditions=[PodCondition(type="Ready", status="True"), *others])
        return Result.ready(status)


async def test_what_somebody_says_while_a_status_is_made_is_not_undone() -> None:
    reporter = Reporter()
    async with operating(reporter) as operator:
        reporter.user = operator.client
        await operator.client.create(_pod())

        async def said() -> set[str]:
            found = await operator.client.get(Pod, "web", "default")
            return {each.type for each in found.status.conditions}

        await until(said, lambda found: "Ready" in found)
        assert await said() == {"Ready", "example.com/checked"}


class Contested(Reconciler[Pod]):
    """Fails with a status, just when somebody else has written another one."""

    def __init__(self) -> None:
        self.user: Client | None = None

    async def reconcile(self, resource: Pod, ctx: Context) -> Result[Any]:
        if self.user is None:
            return Result.ready()
        user, self.user = self.user, None
        gate = {"status": {"conditions": [{"type": "example.com/checked", "status": "True"}]}}
        await user.status.patch(Pod, "web", MergePatch(gate), "default")
        return Result.failed(OSError("no room"), PodStatus(message="half of it is there"))


async def test_a_failure_whose_status_somebody_else_overtook_is_still_that_failure() -> None:
    contested = Contested()
    async with operating(contested) as operator:
        contested.user = operator.client
        await operator.client.create(_pod())

        async def failures() -> list[str]:
            return [each.message for each in operator.manager.journal.recent() if each.outcome == "failed"]

        assert await until(failures) == ["no room"]
        await operator.quiet()
        live = await operator.client.get(Pod, "web", "default")
        assert [each.type for each in live.status.conditions] == ["example.com/checked"]
        assert not live.status.message
