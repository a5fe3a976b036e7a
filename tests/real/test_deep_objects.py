"""Objects that nest more deeply than can be kept: the API server takes 10,000 levels."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from polling import until
from scripted import answer, status
from unsteady import Unsteady
from windlass.api import Condition, Field, Json, ObjectMeta, Resource, Selection, Status
from windlass.cache import Cache
from windlass.client import Client, Request
from windlass.errors import UndecodableError
from windlass.reconcile import Context, Reconciler, Result
from windlass.testing import on_trial

if TYPE_CHECKING:
    from windlass.client import Response
    from windlass.testing import Access, Trial


class BoxStatus(Status):
    """What is known of a box."""

    size: int = 0
    conditions: list[Condition] = []


class Box(Resource, group="deep.windlass.dev", version="v1"):
    """A kind with anything in it."""

    spec: dict[str, Any]
    status: BoxStatus = Field(default_factory=BoxStatus)


class Counting(Reconciler[Box]):
    """Counts the fields of a box, and has a finalizer."""

    finalizer = "deep.windlass.dev/counted"

    async def reconcile(self, box: Box, ctx: Context) -> Result[BoxStatus]:
        return Result.ready(BoxStatus(size=len(box.spec)))

    async def finalize(self, box: Box, ctx: Context) -> Result[BoxStatus]:
        return Result.ready()


def nested(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


async def write(client: Client, method: str, name: str, spec: bytes) -> None:
    """Create or patch a box by its text, which no JSON library needs to write."""
    creates = method == "POST"
    body = b'{"apiVersion":"deep.windlass.dev/v1","kind":"Box","metadata":{"name":"%s"},"spec":%s}'
    request = Request(
        method=method,
        path=Box.__kind__.path("" if creates else name, client.options.namespace),
        headers={"Content-Type": "application/json" if creates else "application/merge-patch+json"},
        body=body % (name.encode(), spec),
    )
    answer = await client.transport.send(request)
    assert answer.status < 300, answer.body


async def ready(client: Client, name: str) -> tuple[str, str]:
    """The status and the reason of the condition Ready of an object that may not be readable."""
    request = Request(method="GET", path=Box.__kind__.path(name, client.options.namespace))
    obj: Json = await client.json(request)
    for condition in obj.get("status", {}).get("conditions", ()):
        if condition["type"] == "Ready":
            return condition["status"], condition["reason"]
    return "", ""


async def undecodable(trial: Trial, name: str) -> None:
    await until(partial(ready, trial.client, name), ("False", "Undecodable").__eq__)


async def others_are_reconciled(trial: Trial, name: str) -> None:
    await trial.client.create(Box(metadata=ObjectMeta(name=name), spec={"x": 1}))
    await trial.ready(Box, name)


@pytest.mark.parametrize("levels", [300, 1500])
async def test_an_object_that_nests_too_deeply_is_reported_and_stops_nobody(
    control_plane: Access, levels: int
) -> None:
    async with on_trial(control_plane, [Counting()]) as trial:
        await write(trial.client, "POST", "created", nested(levels))
        await undecodable(trial, "created")
        await others_are_reconciled(trial, "first")

        await write(trial.client, "PATCH", "first", nested(levels))
        await undecodable(trial, "first")
        await others_are_reconciled(trial, "second")

        await write(trial.client, "PATCH", "first", b'{"a":1}')
        assert (await trial.ready(Box, "first")).spec == {"a": 1, "x": 1}
        for name in ("created", "first", "second"):
            await trial.client.delete(Box, name)
            await trial.gone(Box, name)


@pytest.mark.parametrize(
    "refusals", [[], [answer(400, status(400, "BadRequest"))]], ids=["streamed", "in pages"]
)
async def test_a_list_that_has_an_object_that_nests_too_deeply_is_read(
    control_plane: Access, refusals: list[Response]
) -> None:
    async with on_trial(control_plane, [Counting()]) as trial:
        for name, levels in (("a", 2), ("b", 300), ("c", 1500), ("d", 2)):
            await write(trial.client, "POST", name, nested(levels))
        transport = Unsteady(trial.client.transport)
        transport.refusals = [*refusals]
        cache = Cache(Client(transport))
        informer = cache.informer(Box, Selection(namespace=trial.namespace))
        running = asyncio.create_task(cache.run())
        await informer.synced()
        running.cancel()
        await asyncio.wait((running,))

        assert sorted(each.name for each in informer.keys()) == ["a", "b", "c", "d"]  # noqa: SIM118
        with pytest.raises(UndecodableError, match=r"Box [bc] nests too deeply"):
            await trial.client.list(Box, trial.namespace)
