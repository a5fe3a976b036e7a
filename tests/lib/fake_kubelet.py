"""A kubelet whose containers are processes of this machine, for tests of what carries their streams."""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import termios
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from typing_extensions import override

from polling import soon
from windlass.aio import end_child, start_child
from windlass.apiserver.kubelet import Kubelet, KubeletRefusal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import datetime
    from pathlib import Path

    from windlass.aio import Child
    from windlass.apiserver.kubelet import Command, Console, Duplex, LogQuery, PodName

_PIECE = 32 * 1024
_RUNS = "main"


@dataclass
class FakeKubelet(Kubelet):
    """Runs what it is told to in a folder, forwards ports, and has logs that a test writes.

    A container that is not `main` does not run: it has nothing to say, and nothing can be run in it.
    """

    folder: Path
    ports: dict[int, int] = field(default_factory=dict)
    lines: list[tuple[datetime, str]] = field(default_factory=list)
    before: list[tuple[datetime, str]] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[LogQuery] = field(default_factory=list)
    unfollowed: asyncio.Event = field(default_factory=asyncio.Event)
    refusal: KubeletRefusal | None = None
    running: set[int] = field(default_factory=set)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def write(self, at: datetime, line: str) -> None:
        """Let the container write a line."""
        self.lines.append((at, line))
        self._news.set()

    async def until_idle(self) -> None:
        """Wait until nothing runs any more."""
        await soon(lambda: not self.running)

    @override
    async def logs(self, pod: PodName, container: str, query: LogQuery) -> AsyncGenerator[bytes, None]:
        self.asked.append(query)
        self._check(pod, container)
        if query.previous and not self.before:
            raise KubeletRefusal(f'previous terminated container "{container}" not found', 400)
        lines = self.before if query.previous else self.lines
        shown = 0 if query.tail is None else max(0, len(lines) - query.tail)
        left = query.limit if query.limit is not None else 1 << 60
        try:
            while True:
                fresh = lines[shown:]
                shown += len(fresh)
                for at, line in fresh:
                    if query.since is None or at >= query.since:
                        text = f"{at.isoformat()} {line}\n" if query.timestamps else f"{line}\n"
                        yield text.encode()[:left]
                        left -= len(text)
                    if left <= 0:
                        return
                if not query.follow or not await self._more():
                    return
        finally:
            self.unfollowed.set()

    @override
    async def run(self, pod: PodName, container: str, command: Command, console: Console) -> int:
        self._check(pod, container)
        argv = command.argv or ("cat",)  # what every container runs anyway
        if command.tty:
            return await self._run_on_terminal(argv, console)
        child = await start_child(
            argv,
            cwd=self.folder,
            stdin=asyncio.subprocess.PIPE if command.stdin else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        process = child.process
        typing = asyncio.create_task(_typed(console, process)) if command.stdin else None
        self.running.add(process.pid)
        try:
            assert process.stdout
            assert process.stderr
            async with asyncio.TaskGroup() as group:
                group.create_task(_shown(process.stdout, console, error=False))
                group.create_task(_shown(process.stderr, console, error=True))
            return await process.wait()
        finally:
            await _end(child, typing)
            self.running.discard(process.pid)

    @override
    async def forward(self, pod: PodName, port: int, connection: Duplex) -> None:
        if port not in self.ports:
            raise KubeletRefusal(f"nobody listens on port {port}")
        reader, writer = await asyncio.open_connection("127.0.0.1", self.ports[port])
        sending = asyncio.create_task(_sent(connection, writer))
        try:
            while data := await reader.read(_PIECE):
                await connection.write(data)
        finally:
            sending.cancel()
            writer.close()

    def _check(self, pod: PodName, container: str) -> None:
        if self.refusal:
            raise self.refusal
        if container != _RUNS:
            message = f'container "{container}" in pod "{pod.name}" is waiting to start: ContainerCreating'
            raise KubeletRefusal(message, 400)

    async def _more(self) -> bool:
        """Wait until the container writes something else; false if it ends."""
        waits = [asyncio.create_task(each.wait()) for each in (self._news, self.ended)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for each in waits:
            each.cancel()
        more = self._news.is_set()
        self._news.clear()
        return more

    async def _run_on_terminal(self, argv: tuple[str, ...], console: Console) -> int:
        ours, theirs = os.openpty()
        columns, rows = await console.resized()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        try:
            child = await start_child(argv, cwd=self.folder, stdin=theirs, stdout=theirs, stderr=theirs)
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        typing = asyncio.create_task(_typed_on(ours, console))
        loop = asyncio.get_running_loop()
        try:
            with suppress(OSError):  # the terminal ends with the last process that has it
                while data := await loop.run_in_executor(None, os.read, ours, _PIECE):
                    await console.write(data)
            return await child.process.wait()
        finally:
            await _end(child, typing)
            os.close(ours)


async def _typed(console: Console, process: asyncio.subprocess.Process) -> None:
    assert process.stdin
    with suppress(ConnectionError):
        while data := await console.read():
            process.stdin.write(data)
            await process.stdin.drain()
        process.stdin.close()


async def _typed_on(terminal: int, console: Console) -> None:
    while data := await console.read():
        os.write(terminal, data)


async def _shown(stream: asyncio.StreamReader, console: Console, *, error: bool) -> None:
    while data := await stream.read(_PIECE):
        await console.write(data, error=error)


async def _sent(connection: Duplex, writer: asyncio.StreamWriter) -> None:
    while data := await connection.read():
        writer.write(data)
        await writer.drain()
    writer.write_eof()


async def _end(child: Child, typing: asyncio.Task[None] | None) -> None:
    if typing:
        typing.cancel()
    if child.process.returncode is None:
        await end_child(child)
