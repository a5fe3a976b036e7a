"""The operator is killed after each single write of each step of Helm, and the next one puts everything right.

What a crash leaves behind is what the server has accepted until then: before a step, in the middle of one with
Helm at work, and after it with nobody to hear of it, so that no other moment differs from these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from real import administrator
from shelves import Shelf, Shelves, no_helm_left, put
from shelves import shelves as opened
from shop_release import Shop
from windlass.errors import ToolError
from windlass.testing import install_kinds
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.testing import Access

pytestmark = pytest.mark.timeout(300)

MOST = 30
"""More writes than any step needs."""


@pytest.fixture
async def shelves(control_plane: Access, namespace: str, tmp_path: Path) -> AsyncIterator[Shelves]:
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    async with administrator(control_plane, namespace) as client:
        await install_kinds(client, [Shop])
        async with opened(control_plane, client, tmp_path / "order") as shelves:
            yield shelves


class Step(ABC):
    """A step of Helm that operators are killed in; `number` says after how many writes, and one more."""

    first = 0
    """How many writes are those of another step, which has operators killed in them itself."""

    def __init__(self, shelves: Shelves, *, changed: bool = False) -> None:
        self.shelves = shelves
        self.changed = changed

    def name(self, number: int) -> str:
        """The object that goes through the step."""
        return "oak"

    @abstractmethod
    async def prepare(self, number: int) -> None:
        """What has to be so before."""

    @abstractmethod
    async def begin(self, number: int) -> None:
        """What starts it."""

    @abstractmethod
    def is_ended(self, number: int, shelf: Shelf) -> bool:
        """Whether it is over, and nobody has died."""

    @abstractmethod
    async def meanwhile(self, number: int) -> None:
        """What people do while there is no operator."""

    @abstractmethod
    def is_mended(self, number: int, shelf: Shelf) -> bool:
        """Whether the next operator has put everything right."""


async def deaths(step: Step) -> int:
    """Kill an operator after its first write in a step, the next one after its second, until none is left.

    Each has put right, before its own death, what the one before it left behind. Returns the number of writes.
    """
    shelves = step.shelves
    for number in range(step.first, MOST):
        name = step.name(number)
        async with shelves.operator() as operator:
            if number > step.first:
                before = number - 1
                await shelves.until(step.name(before), partial(step.is_mended, before))
            await step.prepare(number)
            shelves.kill_after(name, number + 1)
            await step.begin(number)
            if not await operator.dies(shelves.until(name, partial(step.is_ended, number))):
                return number
        await no_helm_left(shelves.namespace)
        await step.meanwhile(number)
    raise AssertionError(f"the step has more than {MOST} writes")


class Installation(Step):
    """Each time another object."""

    @override
    def name(self, number: int) -> str:
        return f"oak-{number:02}"

    @override
    async def prepare(self, number: int) -> None:
        pass

    @override
    async def begin(self, number: int) -> None:
        await put(self.shelves.client, self.name(number), "a", "b")

    @override
    def is_ended(self, number: int, shelf: Shelf) -> bool:
        return shelf.holds("a", "b")

    @override
    async def meanwhile(self, number: int) -> None:
        if self.changed:
            await put(self.shelves.client, self.name(number), "a", "c")

    @override
    def is_mended(self, number: int, shelf: Shelf) -> bool:
        return shelf.holds("a", "c") if self.changed else shelf.holds("a", "b") and len(shelf.revisions) == 1


class Upgrade(Step):
    """A book is put in the place of another one."""

    @override
    async def prepare(self, number: int) -> None:
        if number == self.first:
            await put(self.shelves.client, "oak", "a", "b")
            await self.shelves.until("oak", lambda shelf: shelf.holds("a", "b"))

    @override
    async def begin(self, number: int) -> None:
        await put(self.shelves.client, "oak", "a", f"new-{number}")

    @override
    def is_ended(self, number: int, shelf: Shelf) -> bool:
        return shelf.holds("a", f"new-{number}")

    @override
    async def meanwhile(self, number: int) -> None:
        if self.changed:
            await put(self.shelves.client, "oak", "a", f"other-{number}")

    @override
    def is_mended(self, number: int, shelf: Shelf) -> bool:
        return shelf.holds("a", f"other-{number}" if self.changed else f"new-{number}")


class Rollback(Upgrade):
    """A change whose hook the server refuses is begun, and taken back."""

    first = 3

    def _good(self, number: int) -> str:
        return f"other-{number}" if self.changed and number >= self.first else "b"

    @override
    async def begin(self, number: int) -> None:
        await put(self.shelves.client, "oak", "a", f"new-{number}", f"Not_A_Name_{number}")

    @override
    def is_ended(self, number: int, shelf: Shelf) -> bool:
        return shelf.fell_back_to("a", self._good(number - 1)) and f"Not_A_Name_{number}" in shelf.failure

    @override
    def is_mended(self, number: int, shelf: Shelf) -> bool:
        if self.changed:
            return shelf.holds("a", self._good(number))
        return self.is_ended(number, shelf)


class Removal(Step):
    """Each time of another object."""

    @override
    def name(self, number: int) -> str:
        return f"oak-{number:02}"

    @override
    async def prepare(self, number: int) -> None:
        await put(self.shelves.client, self.name(number), "a", "b")
        await self.shelves.until(self.name(number), lambda shelf: shelf.holds("a", "b"))

    @override
    async def begin(self, number: int) -> None:
        await self.shelves.client.delete(Shop, self.name(number))

    @override
    def is_ended(self, number: int, shelf: Shelf) -> bool:
        return shelf.is_gone

    @override
    async def meanwhile(self, number: int) -> None:
        pass

    @override
    def is_mended(self, number: int, shelf: Shelf) -> bool:
        return shelf.is_gone


class Abandonment(Removal):
    """Each time another object is upgraded, and deleted as soon as the operator has died of that."""

    @override
    async def begin(self, number: int) -> None:
        await put(self.shelves.client, self.name(number), "a", "c")

    @override
    def is_ended(self, number: int, shelf: Shelf) -> bool:
        return shelf.holds("a", "c")

    @override
    async def meanwhile(self, number: int) -> None:
        await self.shelves.client.delete(Shop, self.name(number))


@pytest.mark.parametrize("changed", [False, True], ids=["same", "changed"])
@pytest.mark.parametrize(
    ("step", "writes"),
    [
        (Installation, ["finalizer", "record", "a", "b", "record", "mark of a", "mark of b", "status"]),
        (Upgrade, ["record", "a", "new", "old", "record of the old", "record", "mark of new", "status"]),
        (Rollback, ["record", "a", "new", "record", "rollback", "a", "new", "record", "record", "status"]),
    ],
)
async def test_a_crash_at_any_write_heals(
    shelves: Shelves, step: type[Step], writes: list[str], *, changed: bool
) -> None:
    assert await deaths(step(shelves, changed=changed)) >= len(writes) - 1  # the last death may come too late


@pytest.mark.parametrize(
    ("step", "writes"),
    [
        (Removal, ["record", "a", "b", "record", "finalizer"]),
        (Abandonment, ["record", "a", "new", "old", "record of the old", "record"]),
    ],
)
async def test_a_crash_at_any_write_leaves_nothing_of_what_is_deleted(
    shelves: Shelves, step: type[Step], writes: list[str]
) -> None:
    assert await deaths(step(shelves)) >= len(writes) - 1
