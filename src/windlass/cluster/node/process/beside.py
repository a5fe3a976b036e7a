"""Commands that are run beside a program, none of which stays behind."""

from __future__ import annotations

from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from windlass.aio import end_child, start_child

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.cluster.node.process.process import Plan


@asynccontextmanager
async def beside(
    plan: Plan, argv: Sequence[str], *, stdin: bool = False, stderr: int = PIPE
) -> AsyncIterator[Process]:
    """Run a command with the environment of a program for the length of a block.

    If an error or a cancellation ends the block, the command is killed with all that it started, and is gone
    when the block is left.

    Raises:
        OSError: it cannot be started.
    """
    child = await start_child(
        argv,
        env=dict(plan.environment),
        cwd=plan.folder,
        stdin=PIPE if stdin else DEVNULL,
        stdout=PIPE,
        stderr=stderr,
    )
    finished = False
    try:
        yield child.process
        finished = True
    finally:
        if not finished:
            await end_child(child)
