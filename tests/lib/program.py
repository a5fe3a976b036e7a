"""A program that tells in lines what happens to it, run for the length of a block."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import signal
    from collections.abc import AsyncIterator

_PATIENCE = 40.0


class Program:
    """A running program. `lines` is what it has said so far; what it says to stderr is shown with the test's."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._said = asyncio.Condition()
        self._reading = asyncio.ensure_future(self._read())
        self._heard = 0
        self._over = False
        self.lines: list[str] = []

    @classmethod
    async def start(cls, *command: str, **env: str) -> Self:
        """Start it, with more in its environment perhaps; its standard input stays open."""
        pipe = asyncio.subprocess.PIPE
        environment = {**os.environ, **env}
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env=environment))

    async def says(self, line: str) -> None:
        """Wait until it says this, after whatever it was last heard to say."""

        def heard() -> bool:
            return line in self.lines[self._heard :] or self._over

        async with asyncio.timeout(_PATIENCE), self._said:
            await self._said.wait_for(heard)
        assert line in self.lines[self._heard :], f"it ended after {self.lines}"
        self._heard = self.lines.index(line, self._heard) + 1

    def kill(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    async def is_stopped(self) -> None:
        """Wait until it stands still, as after SIGSTOP."""
        options = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        async with asyncio.timeout(_PATIENCE):
            while os.waitid(os.P_PID, self._process.pid, options) is None:  # noqa: ASYNC110, ASYNC222 - it tells nobody, and does not block
                await asyncio.sleep(0.01)

    def tell(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    def end_input(self) -> None:
        """End its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def ended(self) -> int:
        """Wait for its end; its exit code."""
        async with asyncio.timeout(_PATIENCE):
            await self._reading
            return await self._process.wait()

    async def stop(self) -> None:
        """End it for good."""
        if self._process.returncode is None:
            self._process.kill()
        await self.ended()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.lines.append(line.decode().rstrip("\n"))
            await self._tell()
        self._over = True
        await self._tell()

    async def _tell(self) -> None:
        async with self._said:
            self._said.notify_all()


@asynccontextmanager
async def running(*command: str, **env: str) -> AsyncIterator[Program]:
    """A program, gone at the end of the block."""
    program = await Program.start(*command, **env)
    try:
        yield program
    finally:
        await program.stop()
