"""A kind with two versions that can be converted in two ways, for trials that must not meet; also a program.

`python databases.py ACCESS WAY TIMES` runs so many trials of one way, or one that lasts where TIMES is 0, on the
control plane that the file ACCESS describes.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windlass.api import Definition, ObjectMeta, Resource, Spec
from windlass.testing import Access, on_trial
from windlass.webhook import Conversion, Spoke, WebhookServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.manager import Manager
    from windlass.testing import Trial

GROUP = "databases.windlass.dev"
DEFINITION = f"databases.{GROUP}"


class TextSpec(Spec):
    size: str


class NumberSpec(Spec):
    amount: int


class Database(Resource, group=GROUP, version="v2"):
    """The hub: a number, of which only the other version has the unit."""

    spec: NumberSpec


class OldDatabase(Resource, group=GROUP, version="v1", kind="Database", definition=Definition(storage=True)):
    """What is stored: a text with a unit."""

    spec: TextSpec


class StoredDatabase(
    Resource, group=GROUP, version="v2", kind="Database", definition=Definition(storage=True)
):
    """The same in a definition that has no v1."""

    spec: NumberSpec


class NextDatabase(Resource, group=GROUP, version="v3", kind="Database"):
    """A version that the other definition has not."""

    spec: TextSpec


def _in(unit: str) -> Conversion[Database]:
    """A conversion by one unit, which cannot read what the other one wrote."""

    def to_hub(old: OldDatabase) -> Database:
        amount, found, rest = old.spec.size.partition(unit)
        if not found or rest:
            raise ValueError(f"{old.spec.size!r} is not in {unit}")
        return Database(spec=NumberSpec(amount=int(amount)))

    def from_hub(database: Database) -> OldDatabase:
        return OldDatabase(spec=TextSpec(size=f"{database.spec.amount}{unit}"))

    return Conversion(hub=Database, spokes=(Spoke(OldDatabase, to_hub=to_hub, from_hub=from_hub),))


def _to_next(database: StoredDatabase) -> NextDatabase:
    return NextDatabase(spec=TextSpec(size=str(database.spec.amount)))


def _from_next(database: NextDatabase) -> StoredDatabase:
    return StoredDatabase(spec=NumberSpec(amount=int(database.spec.size)))


CONVERSIONS = {"Gi": _in("Gi"), "Mi": _in("Mi")}
WITHOUT_V1 = Conversion(
    hub=NextDatabase, spokes=(Spoke(StoredDatabase, to_hub=_to_next, from_hub=_from_next),)
)


def converting(way: str) -> Callable[[Manager], None]:
    """An operator that converts in one of the ways."""
    return WebhookServer([CONVERSIONS[way]]).add_to


async def check(trial: Trial, way: str, **metadata: Any) -> None:
    """Create objects in both versions, and read each in the other one."""
    new = Database(metadata=ObjectMeta(name="new", **metadata), spec=NumberSpec(amount=3))
    old = OldDatabase(metadata=ObjectMeta(name="old", **metadata), spec=TextSpec(size=f"5{way}"))
    await trial.client.create(new)
    await trial.client.create(old)
    assert (await trial.client.get(OldDatabase, "new")).spec.size == f"3{way}"
    assert (await trial.client.get(Database, "old")).spec.amount == 5
    listed = await trial.client.list(Database)
    assert {each.metadata.name: each.spec.amount for each in listed} == {"new": 3, "old": 5}


async def _run(access: Access, way: str, times: int) -> None:
    for _ in range(times or 1):
        async with on_trial(access, [converting(way)]) as trial:
            await check(trial, way, finalizers=["windlass.dev/kept"])
            print("checked", flush=True)  # noqa: T201 - for whoever started it
            if not times:
                await asyncio.Event().wait()


if __name__ == "__main__":
    _file, _way, _times = sys.argv[1:]
    asyncio.run(_run(Access.from_dict(json.loads(Path(_file).read_text())), _way, int(_times)))
