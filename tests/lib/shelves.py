"""Objects that are releases of a small chart, kept by an operator that dies on order, and what one sees of them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
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
from windlass.helm import HelmStatus, ReleaseRecord, read_manifest
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from windlass.client import Client
    from windlass.testing import Access

CHART = Path(__file__).parents[1] / "charts" / "shelf"
PATIENCE = 60.0
_TOLD = {"Initialized", "Deployed", "ReleaseFailed", "Irreconcilable"}


@dataclass(frozen=True)
class Shelf:
    """What there is of one object: its books, the states of its revisions, and what its status tells."""

    books: frozenset[str]
    told: frozenset[str]
    revisions: tuple[str, ...]
    conditions: frozenset[str]
    failure: str

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left."""
        return not self.books and not self.revisions and not self.conditions

    def holds(self, *books: str) -> bool:
        """Whether it is deployed with exactly these, nothing is wrong and nothing is under way."""
        is_told = self.told == set(books) and self.conditions == {"Initialized", "Deployed"}
        return is_told and self.is_made_of(*books)

    def fell_back_to(self, *books: str) -> bool:
        """Whether it is deployed with exactly these, after something else has failed."""
        return self.conditions == {"Initialized", "Deployed", "ReleaseFailed"} and self.is_made_of(*books)

    def is_made_of(self, *books: str) -> bool:
        """Whether the revision in effect is the last one, and there are exactly these."""
        *before, last = self.revisions or ("none",)
        return self.books == set(books) and last == "deployed" and set(before) <= {"superseded", "failed"}


class Mortal:
    """An operator that runs; it is told what kills it by `Shelves.kill_after`."""

    def __init__(self, pid: int, parent: asyncio.subprocess.Process) -> None:
        self._pid = pid
        self._died = asyncio.ensure_future(_line(parent))

    async def dies(self, otherwise: Awaitable[object]) -> bool:
        """Whether it dies before something else is so."""
        other = asyncio.ensure_future(otherwise)
        await asyncio.wait((self._died, other), return_when=asyncio.FIRST_COMPLETED)
        if not self._died.done():
            await other
            return False
        other.cancel()
        return True

    async def kill(self) -> None:
        """Kill it, if it has not done so itself."""
        if not self._died.done():
            os.kill(self._pid, signal.SIGKILL)
        await self._died


async def _line(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().strip()


@asynccontextmanager
async def shelves(access: Access, client: Client, order: Path) -> AsyncIterator[Shelves]:
    """The objects of the client's namespace, to be kept by one operator after the other."""
    namespace = client.options.namespace
    settings = Settings(
        kubeconfig=str(access.kubeconfig), namespace=namespace, chart=str(CHART), order=str(order)
    )
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, mortal_operator.__file__, json.dumps(asdict(settings))), stdin=pipe, stdout=pipe
    )
    try:
        yield Shelves(client, order, process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


@dataclass(frozen=True)
class Shelves:
    """The objects of a namespace."""

    client: Client
    order: Path
    process: asyncio.subprocess.Process

    @property
    def namespace(self) -> str:
        """Where they lie."""
        return self.client.options.namespace

    @asynccontextmanager
    async def operator(self) -> AsyncIterator[Mortal]:
        """An operator, for the length of the block; it is killed if it does not do that itself."""
        self.order.unlink(missing_ok=True)
        assert self.process.stdin is not None
        self.process.stdin.write(b"one more\n")
        mortal = Mortal(int(await _line(self.process)), self.process)
        try:
            yield mortal
        finally:
            await mortal.kill()

    def kill_after(self, name: str, number: int) -> None:
        """Have the operator die right after so many more writes about an object."""
        self.order.write_text(f"{name} {number}")

    async def until(self, name: str, accept: Callable[[Shelf], bool]) -> Shelf:
        """What there is of an object, as soon as that will do."""
        return await until(lambda: look(self.client, name), accept, every=0.1, patience=PATIENCE)


async def put(client: Client, name: str, *books: str) -> None:
    """Create an object that has these books, or let it have them from now on."""
    try:
        await client.patch(Shop, name, MergePatch({"spec": {"books": list(books)}}))
    except NotFound:
        await client.create(shop(name, {"books": list(books)}))


async def look(client: Client, name: str) -> Shelf:
    """What there is of an object now."""
    where = client.options.namespace
    maps = await client.list(ConfigMap, where)
    records = await client.list(ReleaseRecord, where, labels=f"owner=helm,name={name}")
    status = await _status(client, name)
    manifest = status.deployed_release.manifest if status.deployed_release else ""
    return Shelf(
        books=_books(name, [each.metadata.name for each in maps]),
        told=_books(name, [each["metadata"]["name"] for each in read_manifest(manifest)]),
        revisions=tuple(each.state for each in sorted(records, key=lambda record: record.number)),
        conditions=frozenset(each.type for each in status.conditions if each.status == "True") & _TOLD,
        failure=next((each.message for each in status.conditions if each.type == "ReleaseFailed"), ""),
    )


async def _status(client: Client, name: str) -> HelmStatus:
    try:
        return (await client.get(Shop, name)).status
    except NotFound:
        return HelmStatus()


def _books(name: str, maps: Sequence[str]) -> frozenset[str]:
    return frozenset(each.removeprefix(f"{name}-") for each in maps if each.startswith(f"{name}-"))


async def helm_processes(namespace: str) -> list[int]:
    """The programs that are at work for a namespace, the operator aside."""
    return await asyncio.to_thread(_processes, namespace)


def _processes(namespace: str) -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it has just ended
            continue
        if "--namespace" in words and words[words.index("--namespace") + 1] == namespace:
            found.append(int(each.parent.name))
    return found


async def no_helm_left(namespace: str) -> None:
    """Wait until no helm is at work for a namespace: a killed operator takes its own with it."""
    await until(lambda: helm_processes(namespace), lambda found: not found, every=0.02, patience=PATIENCE)
