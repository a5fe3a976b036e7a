"""A program that ends before it has read its standard input."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from windlass.helm import process
from windlass.helm.process import Command, ProcessLimits


class Closed:
    """A pipe as uvloop leaves it when the program has ended."""

    def __init__(self) -> None:
        self.closed = 0

    def is_closing(self) -> bool:
        return True

    def write(self, _: bytes) -> None:
        raise RuntimeError(
            "unable to perform operation on <WriteUnixTransport closed=True>; the handler is closed"
        )

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("given", [b"", b"values"])
async def test_a_program_that_has_ended_is_given_nothing_any_more(given: bytes) -> None:
    pipe: Any = Closed()

    await process._give(pipe, given)

    assert pipe.closed == 1


def test_a_program_that_reads_nothing_is_run_to_its_end_on_either_loop() -> None:
    import uvloop

    async def ran() -> int:
        command = Command(words=[sys.executable, "-c", ""], environment={}, given=b"x" * 2**20)
        return (await process.run(command)).code

    for runner in (asyncio.run, uvloop.run):
        assert runner(ran()) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limits")
@pytest.mark.parametrize(
    ("script", "exceeded"),
    [
        ("while True: pass", "1s of processor time"),
        ("try: bytearray(2**30)\nexcept MemoryError: exit('fatal error: out of memory')", "256MiB of memory"),
        ("exit('another reason')", ""),
    ],
)
async def test_a_program_that_uses_more_than_it_may_is_stopped(script: str, exceeded: str) -> None:
    limits = ProcessLimits(cpu=1, memory=256 * 2**20)
    ended = await process.run(Command(words=[sys.executable, "-c", script], environment={}, limits=limits))
    assert ended.code
    assert ended.exceeded == exceeded
