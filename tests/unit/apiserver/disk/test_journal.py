"""When changes are written, who waits for it, and what a disk that fails does to everybody."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from typing_extensions import override

from polling import soon
from windlass.apiserver import ApiServer, Call, Query, ServerOptions, User, World
from windlass.apiserver.disk.database import Batch, Database
from windlass.apiserver.disk.journal import DiskJournal
from windlass.apiserver.store import Store, Unwritable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from windlass.apiserver import Reply

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
HEADERS = {"authorization": "Bearer secret", "content-type": "application/json"}


class SlowDatabase(Database):
    """A database that begins to write when it is let; `commits` counts how often it has begun."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.free = threading.Event()
        self.free.set()
        self.commits = 0

    @override
    def commit(self, batch: Batch) -> None:
        self.commits += 1
        self.free.wait()
        super().commit(batch)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SlowDatabase]:
    database = SlowDatabase(tmp_path / "objects.sqlite")
    yield database
    database.close()


def stored(database: Database) -> Store:
    saved = database.load()
    return Store.restored(saved, DiskJournal(database, saved.revision))


def serving(store: Store) -> ApiServer:
    tokens = {"secret": User("admin", ("system:masters",))}
    return ApiServer(ServerOptions(world=World(store=store), tokens=tokens))


async def ask(server: ApiServer, method: str, path: str, body: Any = None, *query: tuple[str, str]) -> Reply:
    sent = b"" if body is None else orjson.dumps(body)
    return await server.handle(Call(method=method, path=path, headers=HEADERS, body=sent, query=Query(query)))


async def create(server: ApiServer, name: str, **data: str) -> Reply:
    return await ask(server, "POST", CONFIG_MAPS, {"metadata": {"name": name}, "data": data})


def names(reply: Reply) -> list[str]:
    return [item["metadata"]["name"] for item in orjson.loads(reply.body)["items"]]


async def closed(server: ApiServer) -> None:
    journal = server.world.store.journal
    assert isinstance(journal, DiskJournal)
    await journal.close("closed")


async def test_what_is_not_written_yet_is_shown_to_nobody(database: SlowDatabase) -> None:
    server = serving(stored(database))
    version = orjson.loads((await ask(server, "GET", CONFIG_MAPS)).body)["metadata"]["resourceVersion"]
    watch = await ask(server, "GET", CONFIG_MAPS, None, ("watch", "1"), ("resourceVersion", version))
    assert watch.chunks is not None
    assert await anext(watch.chunks) == b""  # it has begun
    database.free.clear()
    before = database.commits

    asked = [
        asyncio.ensure_future(create(server, "a")),
        asyncio.ensure_future(ask(server, "GET", f"{CONFIG_MAPS}/a")),
        asyncio.ensure_future(ask(server, "GET", CONFIG_MAPS)),
        asyncio.ensure_future(create(server, "a")),  # there is one already
    ]
    watched = asyncio.ensure_future(anext(watch.chunks))
    await soon(lambda: database.commits > before)
    for _ in range(100):
        await asyncio.sleep(0)
    assert not any(each.done() for each in [*asked, watched])

    database.free.set()
    assert [reply.status for reply in await asyncio.gather(*asked)] == [201, 200, 200, 409]
    assert orjson.loads(await watched)["object"]["metadata"]["name"] == "a"
    await watch.chunks.aclose()
    await closed(server)


async def test_all_who_come_while_one_is_being_written_are_written_together(database: SlowDatabase) -> None:
    server = serving(stored(database))
    await ask(server, "GET", CONFIG_MAPS)
    before = database.commits
    database.free.clear()
    first = asyncio.ensure_future(create(server, "first"))
    await soon(lambda: database.commits > before)

    others = [asyncio.ensure_future(create(server, f"a{number}")) for number in range(300)]
    await asyncio.sleep(0)
    database.free.set()
    replies = await asyncio.gather(first, *others)

    assert {reply.status for reply in replies} == {201}
    assert database.commits == before + 2
    await closed(server)
    assert len(stored(database).collection("/configmaps")) == 301


class ReadDatabase(Database):
    """A database that is read after each commit, as it would be after a kill; `seen` is what was there."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.seen: list[Store] = []

    @override
    def commit(self, batch: Batch) -> None:
        super().commit(batch)
        self.seen.append(Store.restored(self.load(), DiskJournal(self, 0)))


async def test_what_happens_in_one_step_is_written_as_a_whole(tmp_path: Path) -> None:
    database = ReadDatabase(tmp_path / "objects.sqlite")
    server = serving(stored(database))
    services = "/api/v1/namespaces/default/services"
    spec = {"ports": [{"port": 80}]}

    async def create_some(writer: str) -> None:
        for number in range(10):
            name = f"{writer}{number}"
            assert (
                await ask(server, "POST", services, {"metadata": {"name": name}, "spec": spec})
            ).status == 201

    await asyncio.gather(*map(create_some, "abcdef"))
    await closed(server)
    database.close()

    for store in database.seen:
        having = {
            record.object()["spec"]["clusterIP"] for record in store.collection("/services").page().records
        }
        taken = {record.name for record in store.collection("networking.k8s.io/ipaddresses").page().records}
        assert having == taken
    assert len(database.seen) >= 10


async def test_who_goes_away_before_the_answer_takes_nothing_from_the_others(database: SlowDatabase) -> None:
    server = serving(stored(database))
    await ask(server, "GET", CONFIG_MAPS)
    before = database.commits
    database.free.clear()
    gone, stays = (asyncio.ensure_future(create(server, name)) for name in ("gone", "stays"))
    await soon(lambda: database.commits > before)
    gone.cancel()
    await asyncio.wait([gone])
    database.free.set()

    assert (await stays).status == 201
    assert names(await ask(server, "GET", CONFIG_MAPS)) == ["gone", "stays"]
    await closed(server)


async def test_a_disk_that_is_full_is_told_and_nothing_is_acknowledged_that_it_does_not_have(
    database: SlowDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    server = serving(stored(database))
    pages = database._number("PRAGMA page_count")
    database._connection.execute(f"PRAGMA max_page_count = {pages + 200}")
    acknowledged: list[str] = []
    with caplog.at_level(logging.ERROR, "windlass.apiserver"):
        while (reply := await create(server, f"a{len(acknowledged)}", text="x" * 50_000)).status == 201:
            acknowledged.append(f"a{len(acknowledged)}")
        after = [await create(server, "later"), await ask(server, "GET", CONFIG_MAPS)]
        after.append(await ask(server, "GET", "/readyz"))

    for refused in (reply, *after):
        status = orjson.loads(refused.body)
        assert (status["code"], status["reason"]) == (500, "InternalError")
        assert status["message"].endswith("objects.sqlite: database or disk is full")
    assert len(acknowledged) > 5
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    await closed(server)
    again = stored(database).collection("/configmaps")
    assert [record.name for record in again.page().records] == sorted(acknowledged)


async def test_a_watch_ends_when_what_it_would_show_cannot_be_written(database: SlowDatabase) -> None:
    server = serving(stored(database))
    watch = await ask(server, "GET", CONFIG_MAPS, None, ("watch", "1"))
    assert watch.chunks is not None
    assert await anext(watch.chunks) == b""
    database._connection.execute("DROP TABLE version")

    reply = await create(server, "a")

    assert reply.status == 500
    assert [chunk async for chunk in watch.chunks] == []
    await closed(server)


async def test_a_store_does_not_go_on_after_its_disk_has_failed(database: SlowDatabase) -> None:
    store = stored(database)
    things = store.collection("/pods")
    things.put("a", {"metadata": {}}, None)
    database._connection.execute("DROP TABLE version")
    assert store.journal is not None
    with pytest.raises(Unwritable, match="no such table"):
        await store.journal.durable(store.revision)
    revision = store.revision

    with pytest.raises(Unwritable, match="no such table"):
        things.put("b", {"metadata": {}}, None)

    assert (len(things), store.revision) == (1, revision)
