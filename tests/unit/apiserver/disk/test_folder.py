"""A folder gives back the store that it was given, however often it is opened, and to one process at a time."""

from __future__ import annotations

import os
import sqlite3
from contextlib import asynccontextmanager, closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from windlass.apiserver.disk import Folder
from windlass.apiserver.store import UNSETTLED, Expired, Store, Unwritable
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.apiserver.store import Collection, Record

HISTORY = 12
NAMES = ("/pods", "example.com/widgets", "example.com/gadgets")


@asynccontextmanager
async def opened(path: Path, history: int = HISTORY) -> AsyncIterator[Folder]:
    folder = Folder(path, history)
    try:
        yield folder
    finally:
        await folder.close()


def named(name: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "metadata": {"name": name}, **fields}


def shown(record: Record | None) -> Any:
    if record is None:
        return None
    return record.key, record.revision, record.body, record.version, record.canon is UNSETTLED


def everything(store: Store) -> Any:
    """All that can be asked of a store, and the versions back to which its histories reach."""
    collections = {
        name: (
            [shown(record) for record in each.page().records],
            [(change.type, shown(change.after), shown(change.before)) for change in each._changes],
            each._floor,
        )
        for name, each in store.collections()
    }
    return store.revision, collections


def change(store: Store, chance: Random) -> None:
    """Something that can happen to a store."""
    things = store.collection(chance.choice(NAMES))
    key = chance.choice("abcdefgh")
    record = things.get(key)
    match chance.randrange(12):
        case 0:
            store.compact()
        case 1:
            store.remove(NAMES[1])
        case 2 | 3 | 4 if record is not None:
            things.delete(key, record)
        case number:
            written = things.put(key, named(key, number=number), record)
            if chance.random() < 0.3:
                written.canon = UNSETTLED


@pytest.mark.parametrize("seed", range(20))
async def test_what_was_stored_is_there_again_with_its_versions_and_its_history(
    tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    before: Any = None
    for _ in range(4):
        async with opened(tmp_path) as folder:
            assert before in (None, everything(folder.store))
            for _ in range(chance.randrange(60)):
                change(folder.store, chance)
                if chance.random() < 0.2:
                    await durable(folder.store)
            before = everything(folder.store)


async def test_what_was_waited_for_outlives_a_process_that_does_not_say_goodbye(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.store.collection("/pods").put("a", named("a"), None)
    await durable(folder.store)
    before = everything(folder.store)
    folder.store.collection("/pods").put("b", named("b"), None)
    folder.release()

    async with opened(tmp_path) as again:
        assert everything(again.store) == before


async def test_the_number_of_rows_stays_bounded_under_endless_writes_of_one_object(tmp_path: Path) -> None:
    async with opened(tmp_path) as folder:
        things = folder.store.collection("/pods")
        for number in range(50 * HISTORY):
            things.put("a", named("a", number=number), things.get("a"))
            if number % 7 == 0:
                await durable(folder.store)

    assert HISTORY <= rows(tmp_path) <= HISTORY + HISTORY // 4 + 2


async def test_nothing_is_left_of_objects_that_came_and_went_but_their_history(tmp_path: Path) -> None:
    async with opened(tmp_path) as folder:
        things = folder.store.collection("/pods")
        for number in range(20 * HISTORY):
            things.delete(f"{number}", things.put(f"{number}", named(f"{number}"), None))
        await durable(folder.store)

    assert HISTORY <= rows(tmp_path) <= HISTORY + HISTORY // 4 + 2


async def test_revisions_do_not_come_again_when_the_newest_version_is_forgotten(tmp_path: Path) -> None:
    async with opened(tmp_path) as folder:
        things = folder.store.collection("/pods")
        things.delete("a", things.put("a", named("a"), None))
        folder.store.compact()
        newest = folder.store.revision

    async with opened(tmp_path) as again:
        assert again.store.revision == newest
        with pytest.raises(Expired):
            again.store.collection("/pods").position(newest - 1)


async def test_a_collection_in_which_nothing_happened_yet_can_still_be_watched_from_its_beginning(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as folder:
        beginning = folder.store.revision
        folder.store.collection("/pods")
        folder.store.collection("/nodes").put("a", named("a"), None)

    async with opened(tmp_path) as again:
        pods: Collection = again.store.collection("/pods")
        assert pods.changes(pods.position(beginning)) == []


async def test_what_is_written_into_a_collection_that_is_gone_does_not_come_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as folder:
        gone = folder.store.collection("example.com/widgets")
        folder.store.remove("example.com/widgets")
        gone.put("a", named("a"), None)  # by a request that was on its way
        folder.store.collection("example.com/widgets")

    async with opened(tmp_path) as again:
        assert len(again.store.collection("example.com/widgets")) == 0
    assert rows(tmp_path) == 0


async def test_another_who_wants_the_folder_is_told_who_has_it(tmp_path: Path) -> None:
    async with opened(tmp_path):
        with pytest.raises(ConfigError, match=f"in use by process {os.getpid()}; stop it"):
            Folder(tmp_path)


async def test_what_a_process_left_that_was_killed_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("1\n")

    async with opened(tmp_path):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


async def test_who_writes_after_the_end_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as folder:
        pods = folder.store.collection("/pods")

    with pytest.raises(Unwritable, match="is closed"):
        pods.put("a", named("a"), None)
    assert (len(pods), pods.end, pods.get("a")) == (0, 0, None)


async def test_nobody_but_its_owner_can_read_what_is_kept(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    for path, mode in ((tmp_path / "new" / "folder", 0o700), (tmp_path / "open", 0o755)):
        async with opened(path) as folder:
            folder.store.collection("/secrets").put("a", named("a"), None)
            await durable(folder.store)
            files = {each.name: each.stat().st_mode & 0o777 for each in path.iterdir()}

        assert path.stat().st_mode & 0o777 == mode
        assert files == dict.fromkeys(["lock", "objects.sqlite", "objects.sqlite-wal"], 0o600)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("PRAGMA user_version = 7", "has format 7, and this version of Windlass knows format 1 alone"),
        ("PRAGMA application_id = 7", "is a database of another program"),
        ("DROP TABLE counter", "no such table: counter"),
    ],
)
async def test_a_database_of_another_form_is_refused_and_left_alone(
    tmp_path: Path, statement: str, said: str
) -> None:
    async with opened(tmp_path) as folder:
        folder.store.collection("/pods").put("a", named("a"), None)
    with closing(sqlite3.connect(tmp_path / "objects.sqlite")) as connection:
        connection.execute(statement)
    before = (tmp_path / "objects.sqlite").read_bytes()

    for _ in range(2):  # the second time, too: nobody holds the lock
        with pytest.raises(ConfigError, match=said):
            Folder(tmp_path)
    assert (tmp_path / "objects.sqlite").read_bytes() == before


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "objects.sqlite").write_bytes(b"my diary" * 1000)

    with pytest.raises(ConfigError, match=r"objects\.sqlite: file is not a database"):
        Folder(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("mine")

    with pytest.raises(ConfigError, match=r"cannot use the folder .*data: "):
        Folder(tmp_path / "data")


async def durable(store: Store) -> None:
    assert store.journal is not None
    await store.journal.durable(store.revision)


def rows(path: Path) -> int:
    with closing(sqlite3.connect(path / "objects.sqlite")) as connection:
        return int(connection.execute("SELECT count(*) FROM version").fetchone()[0])


async def test_a_database_of_which_a_part_is_lost_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path) as folder:
        for number in range(100):
            folder.store.collection("/pods").put(f"a/{number}", named(str(number)), None)
    file = tmp_path / "objects.sqlite"
    content = file.read_bytes()
    lost = content.index(b'"name":"50"') - 100
    file.write_bytes(content[:lost] + bytes(1000) + content[lost + 1000 :])

    with pytest.raises(ConfigError, match=r"objects\.sqlite is damaged: .*; use a copy of it, or another"):
        Folder(tmp_path)
