from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from sys import intern
from typing import TYPE_CHECKING, Any, Final, TypeVar

from windlass.apiserver.store import UNSETTLED, Record, Saved, Version
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from windlass.apiserver.store import Change, ChangeType

T = TypeVar("T")

FORMAT: Final = 1
"""The version of the tables below; a database says its own."""
_APPLICATION: Final = 0x57494E44
_AT_ONCE: Final = 140  # times seven columns is below 999, the parameters that an old SQLite takes
_TABLES: Final = (
    """CREATE TABLE version (
        revision INTEGER PRIMARY KEY, collection TEXT NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL,
        stored_as TEXT NOT NULL, unsettled INTEGER NOT NULL, body BLOB NOT NULL
    )""",
    "CREATE TABLE collection (name TEXT PRIMARY KEY, floor INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE counter (revision INTEGER NOT NULL)",
    "INSERT INTO counter VALUES (1)",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {FORMAT}",
)
_SETTINGS: Final = (
    # Nobody else may have it, which also spares the file of shared memory that readers would need.
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = WAL",
    # A commit waits for the disk: what it holds survives the end of the machine, not only of the process.
    "PRAGMA synchronous = FULL",
)


@dataclass(slots=True)
class Batch:
    """What is written in one transaction: changes, what is needed no more, and where histories begin now.

    `revision` is that of the newest change.
    """

    revision: int = 0
    changes: list[tuple[str, Change]] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    floors: dict[str, int | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.changes or self.dropped or self.floors)


class Database:
    """The tables: each version of an object that is the newest or still in the history, one row each.

    A row is written once and never changed. Calls may come from any thread, one at a time.
    """

    def __init__(self, file: Path) -> None:
        """Open a database, or make one.

        Raises:
            ConfigError: it is none, or of a form that this version of Windlass does not know.
        """
        self.file = file
        with self._explained():
            self._connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        try:
            with self._explained():
                self._prepare()
        except ConfigError:
            self._connection.close()
            raise

    def load(self) -> Saved:
        """Everything that was committed.

        Raises:
            ConfigError: it cannot be read, or is damaged.
        """
        columns = "collection, type, revision, key, stored_as, unsettled, body"
        with self._explained():
            (found,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":  # SQLite reads on where a part of a page is lost, and takes it for nothing
                raise ConfigError(
                    f"{self.file} is damaged: {found.splitlines()[-1]}; use a copy of it, or another folder"
                )
            rows = self._connection.execute(f"SELECT {columns} FROM version ORDER BY revision")  # noqa: S608
            versions = [_version(*row) for row in rows]
            floors = dict(self._connection.execute("SELECT name, floor FROM collection"))
            counted = self._number("SELECT revision FROM counter")
        newest = versions[-1].record.revision if versions else 0
        return Saved(max(newest, counted), floors, versions)

    def commit(self, batch: Batch) -> None:
        """Write a batch, wholly or not at all, and return when it is safe."""
        rows = [_row(collection, change) for collection, change in batch.changes]
        if len(rows) <= _AT_ONCE and not batch.dropped and not batch.floors:
            self._insert(rows)  # one statement is a transaction by itself
            return
        with self._transaction():
            for some in _parts(rows):
                self._insert(some)
            for revisions in _parts(batch.dropped):
                marks = ", ".join("?" * len(revisions))
                self._connection.execute(f"DELETE FROM version WHERE revision IN ({marks})", revisions)  # noqa: S608
            for name, floor in batch.floors.items():
                self._set_floor(name, floor)
            # The newest version may be among those dropped, and its revision must not come again.
            self._connection.execute("UPDATE counter SET revision = max(revision, ?)", [batch.revision])

    def close(self) -> None:
        """Let go of the file; what was committed stays."""
        self._connection.close()

    def _prepare(self) -> None:
        for setting in _SETTINGS:
            self._connection.execute(setting)
        if not self._number("SELECT count(*) FROM sqlite_master"):
            with self._transaction():
                for statement in _TABLES:
                    self._connection.execute(statement)
        if self._number("PRAGMA application_id") != _APPLICATION:
            raise ConfigError(f"{self.file} is a database of another program; choose another folder")
        found = self._number("PRAGMA user_version")
        if found != FORMAT:
            raise ConfigError(
                f"{self.file} has format {found}, and this version of Windlass knows format {FORMAT} alone; "
                "use the version that wrote it, or another folder"
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise ConfigError(f"cannot use {self.file}: {error}") from error

    def _number(self, query: str) -> int:
        return int(self._connection.execute(query).fetchone()[0])

    def _insert(self, rows: list[tuple[Any, ...]]) -> None:
        """Insert rows by one statement: between statements, others would have the interpreter."""
        if rows:
            marks = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(rows))
            values = [value for row in rows for value in row]
            self._connection.execute(f"INSERT INTO version VALUES {marks}", values)  # noqa: S608

    def _set_floor(self, name: str, floor: int | None) -> None:
        if floor is None:
            self._connection.execute("DELETE FROM collection WHERE name = ?", [name])
        else:
            self._connection.execute("INSERT OR REPLACE INTO collection VALUES (?, ?)", [name, floor])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # some failures have ended it already
                self._connection.execute("ROLLBACK")
            raise


def _row(collection: str, change: Change) -> tuple[Any, ...]:
    after = change.after
    unsettled = after.canon is UNSETTLED
    return after.revision, collection, after.key, change.type, after.version, unsettled, after.body


def _version(collection: str, kind: ChangeType, *columns: Any) -> Version:
    revision, key, stored_as, unsettled, body = columns
    record = Record(key, revision, body, intern(stored_as))
    if unsettled:
        record.canon = UNSETTLED
    return Version(intern(collection), kind, record)


def _parts(values: Iterable[T]) -> Iterator[list[T]]:
    """Values in groups, of which each fits one statement."""
    rest = iter(values)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
