"""What becomes of a request that the server itself fails to answer."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson
import pytest
from typing_extensions import override

from windlass.aio import SystemClock
from windlass.apiserver import ApiServer, Call, Query, User, World
from windlass.apiserver.server import ServerOptions

if TYPE_CHECKING:
    from windlass.apiserver import Reply

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
HEADERS = {"authorization": "Bearer secret", "content-type": "application/json"}


class Clock(SystemClock):
    """A clock that stops working when it is told to."""

    def __init__(self) -> None:
        self.broken = False

    @override
    def now(self) -> datetime:
        if self.broken:
            raise RuntimeError("the clock is broken")
        return datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock) -> ApiServer:
    tokens = {"secret": User("admin", ("system:masters",))}
    return ApiServer(ServerOptions(world=World(clock=clock), tokens=tokens))


async def create(server: ApiServer, name: str, **headers: str) -> Reply:
    body = orjson.dumps({"metadata": {"name": name}})
    return await server.handle(
        Call(method="POST", path=CONFIG_MAPS, headers={**HEADERS, **headers}, body=body)
    )


async def test_a_fault_of_the_server_is_answered_as_a_panic_of_the_real_one_is(
    server: ApiServer, clock: Clock
) -> None:
    clock.broken = True
    failed = await create(server, "a")
    clock.broken = False
    after = await create(server, "a")

    assert orjson.loads(failed.body) == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": 'an error on the server ("") has prevented the request from succeeding',
        "reason": "InternalError",
        "details": {},
        "code": 500,
    }
    assert (failed.status, after.status) == (500, 201)


async def test_a_fault_is_logged_once_with_its_stack_and_without_secrets(
    server: ApiServer, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    clock.broken = True
    with caplog.at_level(logging.DEBUG):
        await create(server, "a")

    (record,) = [each for each in caplog.records if each.name == "windlass.apiserver"]
    assert record.getMessage() == f"cannot answer POST {CONFIG_MAPS}"
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], RuntimeError)
    assert "secret" not in caplog.text.replace(
        "test_a_fault_is_logged_once_with_its_stack_and_without_secrets", ""
    )


async def test_a_fault_in_a_watch_ends_it_with_an_error_that_is_logged(
    server: ApiServer, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    await create(server, "a")
    table = {**HEADERS, "accept": "application/json;as=Table;g=meta.k8s.io;v=v1"}
    watching = await server.handle(
        Call(method="GET", path=CONFIG_MAPS, query=Query([("watch", "1")]), headers=table)
    )
    assert watching.chunks is not None
    clock.broken = True  # a table shows ages

    lines = [chunk async for chunk in watching.chunks if chunk]

    (event,) = [orjson.loads(line) for line in lines]
    assert (event["type"], event["object"]["code"]) == ("ERROR", 500)
    assert [each.getMessage() for each in caplog.records] == [f"cannot answer GET {CONFIG_MAPS}"]


async def test_the_audit_id_is_the_clients_as_far_as_it_is_short(server: ApiServer) -> None:
    own = await create(server, "a", **{"audit-id": "x" * 100})
    new = await create(server, "b")

    assert own.headers["audit-id"] == "x" * 64
    assert len(new.headers["audit-id"]) == 36
