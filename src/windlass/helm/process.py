"""A program that is run once, to its end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.aio import Child, end_child, start_child
from windlass.errors import HelmError, ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PIPE: Final = 2**16
_MOST_PRINTED: Final = 2**26  # a release as JSON, with its chart: Helm keeps no more than 1 MiB of it, packed
_MOST_SAID: Final = 2**16
_NO_MEMORY: Final = "out of memory"  # as the runtime of Go says it
_TETHER: Final = str(Path(__file__).with_name("tether.py"))


@dataclass(frozen=True, kw_only=True)
class ProcessLimits:
    """What one program may use, on Linux: seconds of processor time, and bytes of memory (`RLIMIT_DATA`).

    Of the largest public charts an upgrade takes 2 seconds, and works with 160 MiB.
    """

    cpu: int = 60
    memory: int = 384 * 2**20


@dataclass(frozen=True, kw_only=True)
class Command:
    """A program with everything that it gets to know; nothing of our own environment is added."""

    words: Sequence[str]
    environment: Mapping[str, str] = field(repr=False)
    given: bytes = field(default=b"", repr=False)
    limits: ProcessLimits | None = None


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a program ended: what it printed, and the end of what it said on standard error.

    `exceeded` is the limit that stopped it, such as `60s of processor time`; empty if none did.
    """

    code: int
    printed: bytes = field(repr=False)
    said: str
    exceeded: str = ""


async def run(command: Command) -> Ended:
    """Run a program to its end.

    Cancelling kills it with all its children, and returns when it is gone; on Linux, so does the end of this
    process, whatever ends it.

    Raises:
        ToolError: it cannot be started.
        HelmError: it prints more than could be meant.
    """
    began = time.monotonic()
    child = await _start(command)
    process, finished = child.process, False
    try:
        printed, said, _ = await asyncio.gather(
            _first(process.stdout), _last(process.stderr), _give(process.stdin, command.given)
        )
        code = await process.wait()
        finished = True
    finally:
        if not finished:
            await end_child(child)
    if len(printed) > _MOST_PRINTED:
        raise HelmError(f"{command.words[0]} printed more than {_MOST_PRINTED >> 20} MiB")
    text = said.decode(errors="replace")
    exceeded = _exceeded(command.limits, code, text, time.monotonic() - began)
    return Ended(code=code, printed=printed, said=text, exceeded=exceeded)


def _exceeded(limits: ProcessLimits | None, code: int, said: str, seconds: float) -> str:
    """Return the limit that stopped a program, as far as how it ended tells.

    The kernel kills a program that has used its processor time, as others may; it cannot have used it in less
    than that time divided by the number of processors.
    """
    if limits is None or sys.platform != "linux":
        return ""
    if code == -signal.SIGKILL and seconds * (os.cpu_count() or 1) >= limits.cpu:
        return f"{limits.cpu}s of processor time"
    if code > 0 and _NO_MEMORY in said:
        return f"{limits.memory >> 20}MiB of memory"
    return ""


async def _start(command: Command) -> Child:
    pipe = asyncio.subprocess.PIPE
    words = _tethered(command)
    try:
        return await start_child(words, env=command.environment, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise ToolError(f"{command.words[0]} cannot be started ({error.strerror or error})") from error


def _tethered(command: Command) -> Sequence[str]:
    if sys.platform != "linux":
        return command.words
    limits = f"{command.limits.cpu},{command.limits.memory}" if command.limits else ""
    # -I -S: no user's setting and no installed package can change or slow it.
    return [sys.executable, "-I", "-S", _TETHER, str(os.getpid()), limits, *command.words]


async def _give(pipe: asyncio.StreamWriter | None, given: bytes) -> None:
    if pipe is None:
        return
    if given and not pipe.is_closing():  # uvloop closes it when the program ends, and refuses to write then
        with suppress(BrokenPipeError, ConnectionResetError):  # a program need not read to the end
            pipe.write(given)
            await pipe.drain()
    pipe.close()


async def _first(pipe: asyncio.StreamReader | None) -> bytes:
    """All that comes, or the beginning of too much; the rest is read too, lest the program wait for us."""
    parts, size = [], 0
    while pipe is not None and (part := await pipe.read(_PIPE)):
        if size <= _MOST_PRINTED:
            parts.append(part)
        size += len(part)
    return b"".join(parts)


async def _last(pipe: asyncio.StreamReader | None) -> bytes:
    kept = b""
    while pipe is not None and (part := await pipe.read(_PIPE)):
        kept = (kept + part)[-_MOST_SAID:]
    return kept
