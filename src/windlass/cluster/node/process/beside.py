"""Commands that are run beside a program, none of which stays behind."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process, SubprocessStreamProtocol
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from windlass.cluster.node.process.process import Plan

_LIMIT: Final = 2**16
_PIPES: Final = (0, 1, 2)


@asynccontextmanager
async def beside(
    plan: Plan, argv: Sequence[str], *, stdin: bool = False, stderr: int = PIPE
) -> AsyncIterator[Process]:
    """Run a command with the environment of a program for the length of a block.

    If it still runs when the block is left, it is killed with all that it started. The block is not left
    before it is gone, however often it is cancelled: what is not waited for until then outlives the loop.

    Raises:
        OSError: it cannot be started.
    """
    starting = asyncio.ensure_future(_start(plan, argv, PIPE if stdin else DEVNULL, stderr))
    try:
        await _through(starting.done, lambda: asyncio.wait([starting]))
        yield starting.result()[1]
    finally:
        if not starting.cancelled() and starting.exception() is None:
            await _end(*starting.result())


async def _start(
    plan: Plan, argv: Sequence[str], stdin: int, stderr: int
) -> tuple[asyncio.SubprocessTransport, Process]:
    loop = asyncio.get_running_loop()
    # As asyncio.create_subprocess_exec does it, which keeps the transport to itself.
    transport, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(limit=_LIMIT, loop=loop),
        *argv,
        env=dict(plan.environment),
        cwd=plan.folder,
        stdin=stdin,
        stdout=PIPE,
        stderr=stderr,
        start_new_session=True,  # a group that can be killed whole, which Ctrl-C does not reach
    )
    return transport, Process(transport, protocol, loop)


async def _end(transport: asyncio.SubprocessTransport, child: Process) -> None:
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):  # the latter is macOS's word for a dead group
            os.killpg(child.pid, signal.SIGKILL)
    for number in _PIPES:
        if pipe := transport.get_pipe_transport(number):
            pipe.close()  # whoever escaped from the group may hold it, and would keep us waiting
    await _through(lambda: child.returncode is not None, child.wait)
    transport.close()


async def _through(is_over: Callable[[], bool], wait: Callable[[], Awaitable[object]]) -> None:
    """Wait until something is over; a cancellation is obeyed then, and not before."""
    cancelled: asyncio.CancelledError | None = None
    while not is_over():
        try:
            await wait()
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
