"""A program that ends before it has read its standard input."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from windlass.helm import process
from windlass.helm.process import Command


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
