"""Objects that are releases of a small chart, kept by an operator that dies on order, and what one sees of them."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import mortal_operator
from mortal_operator import Settings
from polling import until
from shop_release import Shop, shop
from windlass.client import MergePatch
from windlass.errors import NotFound
from windlass.helm import ReleaseRecord
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from servers import Server
    from windlass.api import Condition
    from windlass.client import Client

CHART = Path(__file__).parents[1] / "charts" / "shelf"
PATIENCE = 60.0
_TOLD = {"Initialized", "Deployed", "ReleaseFailed", "Irreconcilable"}


@dataclass(frozen=True)
class Shelf:
    """What there is of one object: its books, the states of its revisions, and what its conditions say."""

    books: frozenset[str]
    revisions: tuple[str, ...]
    conditions: frozenset[str]
    failure: str

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left."""
        return not self.books and not self.revisions and not self.conditions

    def holds(self, *books: str) -> bool:
        """Whether it is deployed with exactly these, nothing is wrong and nothing is under way."""
        return self.conditions == {"Initialized", "Deployed"} and self._has(books)

    def fell_back_to(self, *books: str) -> bool:
        """Whether it is deployed with exactly these, after something else has failed."""
        return self.conditions == {"Initialized", "Deployed", "ReleaseFailed"} and self._has(books)

    def _has(self, books: tuple[str, ...]) -> bool:
        *before, last = self.revisions or ("none",)
        return self.books == set(books) and last == "deployed" and set(before) <= {"superseded", "failed"}


@dataclass(frozen=True)
class Shelves:
    """The objects of a namespace."""

    server: Server
    client: Client
    order: Path

    @asynccontextmanager
    async def operator(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """The operator, for the length of the block; it is killed if it does not do that itself."""
        self.order.unlink(missing_ok=True)
        settings = Settings(
            kubeconfig=str(self.server.access.kubeconfig),
            namespace=self.server.namespace,
            chart=str(CHART),
            order=str(self.order),
        )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, mortal_operator.__file__, json.dumps(asdict(settings)))
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    def kill_after(self, name: str, number: int) -> None:
        """Have the operator die right after so many more writes about an object."""
        self.order.write_text(f"{name} {number}")

    async def until(self, name: str, accept: Callable[[Shelf], bool]) -> Shelf:
        """What there is of an object, as soon as that will do."""
        return await until(lambda: self.look(name), accept, every=0.1, patience=PATIENCE)

    async def put(self, name: str, *books: str) -> None:
        """Create an object that has these books, or let it have them from now on."""
        try:
            await self.client.patch(Shop, name, MergePatch({"spec": {"books": list(books)}}))
        except NotFound:
            await self.client.create(shop(name, {"books": list(books)}))

    async def look(self, name: str) -> Shelf:
        """What there is of an object now."""
        where = self.server.namespace
        maps = await self.client.list(ConfigMap, where)
        records = await self.client.list(ReleaseRecord, where, labels=f"owner=helm,name={name}")
        ordered = sorted(records, key=lambda record: record.number)
        conditions = await self._conditions(name)
        return Shelf(
            books=frozenset(
                each.metadata.name.removeprefix(f"{name}-")
                for each in maps
                if each.metadata.name.startswith(f"{name}-")
            ),
            revisions=tuple(record.state for record in ordered),
            conditions=frozenset(each.type for each in conditions if each.status == "True") & _TOLD,
            failure=next((each.message for each in conditions if each.type == "ReleaseFailed"), ""),
        )

    async def _conditions(self, name: str) -> list[Condition]:
        try:
            return (await self.client.get(Shop, name)).status.conditions
        except NotFound:
            return []


async def helm_processes(namespace: str) -> list[str]:
    """The command lines of all programs that are at work for a namespace, the operator aside."""
    return await asyncio.to_thread(_processes, namespace)


def _processes(namespace: str) -> list[str]:
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it has just ended
            continue
        if "--namespace" in words and words[words.index("--namespace") + 1] == namespace:
            found.append(" ".join(words))
    return found


async def no_helm_left(namespace: str) -> None:
    """Wait until no helm is at work for a namespace: a killed operator takes its own with it."""

    async def left() -> list[str]:
        return await helm_processes(namespace)

    await until(left, lambda found: not found, every=0.02, patience=PATIENCE)
