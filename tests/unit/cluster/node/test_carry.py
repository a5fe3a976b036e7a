"""Commands that people run in a pod: real processes, which end with whoever asked for them."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from polling import soon
from windlass.apiserver.kubelet import Command, Console
from windlass.cluster.node.carry import run_beside
from windlass.cluster.node.process import Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAN = Plan(command=("true",), environment={"PATH": os.environ["PATH"]}, folder=Path("/"), ports={})
# The command starts another one, which has its pipes too, and says both ids.
FAMILY = "sleep 600 & echo $! $$; wait"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX's")


class Person(Console):
    """Types nothing, and remembers what is shown."""

    def __init__(self) -> None:
        self.seen = b""

    @override
    async def read(self) -> bytes:
        await asyncio.get_running_loop().create_future()
        return b""

    @override
    async def write(self, data: bytes, *, error: bool = False) -> None:
        self.seen += data

    @override
    async def resized(self) -> tuple[int, int]:
        await asyncio.get_running_loop().create_future()
        return 0, 0


def run(person: Person, *argv: str, stdin: bool = False) -> asyncio.Task[int]:
    return asyncio.create_task(run_beside(PLAN, Command(argv=argv, stdin=stdin), person))


def alive(ids: Sequence[int]) -> list[int]:
    """Which of these processes there are; our own children count until somebody has asked how they ended."""
    found = []
    for each in ids:
        try:
            os.kill(each, 0)
        except ProcessLookupError:
            continue
        found.append(each)
    return found


@pytest.mark.parametrize("stdin", [False, True], ids=["listening", "typing"])
@pytest.mark.parametrize("cancellations", [1, 2, 5])
async def test_a_command_that_is_cancelled_is_gone_with_its_children_however_often_it_is(
    cancellations: int, *, stdin: bool
) -> None:
    person = Person()
    command = run(person, "sh", "-c", FAMILY, stdin=stdin)
    await soon(lambda: b"\n" in person.seen)
    child, own = map(int, person.seen.split())

    for _ in range(cancellations):
        command.cancel()
        await asyncio.sleep(0)
    await asyncio.wait([command])

    assert command.cancelled()
    assert alive([own]) == []
    await soon(lambda: not alive([child]))  # it is the system's to bury


@pytest.mark.parametrize("steps", range(4))
async def test_a_command_that_is_cancelled_while_it_starts_is_gone_too(steps: int, tmp_path: Path) -> None:
    said = tmp_path / "id"
    command = run(Person(), "sh", "-c", f"echo $$ > {said}; exec sleep 600")
    for _ in range(steps):
        await asyncio.sleep(0)

    command.cancel()
    await asyncio.sleep(0)
    command.cancel()
    await asyncio.wait([command])

    assert command.cancelled()
    assert alive([int(each) for each in said.read_text().split()] if said.exists() else []) == []


async def test_a_command_ends_with_its_code_and_all_that_it_said() -> None:
    person = Person()

    assert await run(person, "sh", "-c", "echo out; echo err >&2; exit 3") == 3
    assert sorted(person.seen.split()) == [b"err", b"out"]


async def test_a_command_that_there_is_none_of_is_told() -> None:
    person = Person()

    assert await run(person, "no-such-command") == 127
    assert person.seen == b"no-such-command: No such file or directory\n"


def test_a_loop_that_ends_while_a_command_runs_leaves_no_process_behind() -> None:
    person = Person()

    async def main() -> None:
        run(person, "sh", "-c", FAMILY).set_name("left alone")
        await soon(lambda: b"\n" in person.seen)

    asyncio.run(main())

    assert alive([int(person.seen.split()[1])]) == []
