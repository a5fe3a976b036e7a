"""Processes that are started for a while, of which none stays behind.

Both functions finish what they began when they are cancelled, also for the second time: a process that nobody
waits for outlives the loop, of which Python warns.
"""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import Process, SubprocessStreamProtocol
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

_LIMIT: Final = 2**16
_PIPES: Final = (0, 1, 2)


class Child(NamedTuple):
    """A process that we started; `leads` says that it leads a group, of all that it starts."""

    process: Process
    transport: asyncio.SubprocessTransport
    leads: bool


async def start_child(argv: Sequence[str], *, leads: bool = True, **options: Any) -> Child:
    """Start a process, with the options of `asyncio.create_subprocess_exec`.

    One that leads is in a session of its own, which Ctrl-C in a terminal does not reach.

    Raises:
        OSError: it cannot be started.
    """
    starting = asyncio.ensure_future(_started(argv, leads=leads, options=options))
    try:
        await through(starting.done, lambda: asyncio.wait([starting]))
    except asyncio.CancelledError:
        if not starting.cancelled() and starting.exception() is None:
            await end_child(starting.result())
        raise
    return starting.result()


async def end_child(child: Child) -> None:
    """Kill a process, or what is left of its group if it leads; returns when it is gone.

    Its pipes are let go of: who has escaped from its group may hold them too, and would keep us waiting.
    """
    process, transport, leads = child
    with suppress(ProcessLookupError, PermissionError):  # the latter is macOS's word for a dead group
        if leads and os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    for number in _PIPES:
        if pipe := transport.get_pipe_transport(number):
            pipe.close()
    await through(lambda: process.returncode is not None, process.wait)
    transport.close()


async def through(is_over: Callable[[], bool], wait: Callable[[], Awaitable[object]]) -> None:
    """Wait until something is over, which is bound to end soon; a cancellation is obeyed then."""
    cancelled: asyncio.CancelledError | None = None
    while not is_over():
        try:
            await wait()
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled


async def _started(argv: Sequence[str], *, leads: bool, options: dict[str, Any]) -> Child:
    loop = asyncio.get_running_loop()
    # As asyncio.create_subprocess_exec does it, which keeps the transport to itself. A session and not just a
    # group, because uvloop does not know the latter.
    transport, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(limit=_LIMIT, loop=loop), *argv, start_new_session=leads, **options
    )
    return Child(Process(transport, protocol, loop), transport, leads)
