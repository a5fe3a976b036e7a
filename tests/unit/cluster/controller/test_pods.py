"""How the controllers of sets create and delete pods, on a server that may refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operating import operating
from polling import until
from widget import Widget, WidgetStatus
from windlass.api import ObjectMeta
from windlass.cluster.controller.pods import create_pod, create_pods, delete_pod
from windlass.errors import Conflict
from windlass.kinds.core.v1 import Namespace, Pod
from windlass.kinds.events.v1 import Event
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from operating import Operating


def pods(count: int, **spec: Any) -> list[Pod]:
    """Pods that a server takes, unless they have no containers."""
    whole = {"containers": [{"name": "main", "image": "web:1"}], **spec}
    return [Pod.from_wire({"metadata": {"generateName": "w-"}, "spec": whole})] * count


class Doing(Reconciler[Widget]):
    """Does something once for each Widget, and tells what came of it."""

    owns = (Pod,)

    def __init__(self, act: Callable[[Context], Awaitable[Any]]) -> None:
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        if resource.status.note:
            return Result.ready()
        return Result.ready(WidgetStatus(note=str(await self._act(ctx))))


async def events(operator: Operating, namespace: str = "default") -> set[str]:
    await operator.quiet()
    found = await operator.client.list(Event, namespace)
    return {f"{each.type} {each.reason}" for each in found}


def posts(operator: Operating) -> int:
    sent = operator.transport.requests
    return sum(each.method == "POST" and each.path.endswith("/pods") for each in sent)


async def test_a_server_that_refuses_all_pods_is_asked_for_one() -> None:
    async def act(ctx: Context) -> str:
        made, failure = await create_pods(pods(20, containers=[]), ctx)
        return f"{len(made)} {type(failure).__name__}"

    async with operating(Doing(act)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "0 Invalid"
        assert posts(operator) == 1
        await until(lambda: events(operator), lambda said: "Warning FailedCreate" in said)


async def test_after_a_refusal_the_pods_of_later_batches_are_not_tried() -> None:
    async def act(ctx: Context) -> str:
        made, failure = await create_pods([*pods(3), *pods(1, containers=[]), *pods(20)], ctx)
        return f"{len(made)} {type(failure).__name__}"

    async with operating(Doing(act)) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "6 Invalid"
        assert posts(operator) == 7


async def test_a_namespace_that_ends_takes_no_pods_and_that_is_no_failure() -> None:
    async def act(ctx: Context) -> bool:
        await operator.client.delete(Namespace, "shop")
        return await create_pod(pods(1)[0], ctx) is None

    async with operating(Doing(act)) as operator:
        await operator.client.create(Namespace(metadata=ObjectMeta(name="shop")))
        await operator.make(namespace="shop")

        async def widget() -> Widget:
            return await operator.client.get(Widget, "w", "shop")

        await until(widget, lambda found: found.status.note == "True")
        assert await events(operator, "shop") == set()


async def test_a_pod_that_has_come_back_under_its_name_is_not_deleted() -> None:
    async def act(ctx: Context) -> str:
        made = await create_pod(pods(1)[0], ctx)
        assert made is not None
        try:
            await delete_pod(made.metadata.name, "the one before", ctx)
        except Conflict:
            return made.metadata.name
        return ""

    async with operating(Doing(act)) as operator:
        await operator.make()
        name = (await operator.ready()).status.note
        left = await operator.client.list(Pod, "default")
        assert [each.metadata.name for each in left] == [name]
        await until(lambda: events(operator), lambda said: "Warning FailedDelete" in said)
