"""A contender as a process of its own: what it says, and what it has cost so far."""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NoReturn

_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE = 600
_TIME_TO_END = 20
_LAST_WORDS = 3000


@dataclass(frozen=True)
class Cost:
    """CPU seconds, of the process and of its children that have ended; memory now and at its peak in MB."""

    cpu: float
    children: float
    memory: float
    peak: float


@dataclass(frozen=True)
class Spent:
    """Seconds on the clock, and CPU seconds with those of all children."""

    wall: float
    cpu: float


class UnfinishedError(Exception):
    """A contender did not do its work in the time that it had."""


class Measured:
    """A running contender."""

    def __init__(self, process: Process, log: IO[bytes]) -> None:
        self._process = process
        self._log = log

    def cost(self) -> Cost:
        """What it has used since it was started, all its threads together."""
        folder = Path("/proc", str(self._process.pid))
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        lines = (folder / "status").read_text().splitlines()
        sizes = {name: value for name, _, value in (line.partition(":") for line in lines)}
        return Cost(
            cpu=(int(fields[11]) + int(fields[12])) / _TICKS,
            children=(int(fields[13]) + int(fields[14])) / _TICKS,
            memory=int(sizes["VmRSS"].split()[0]) / 1024,
            peak=int(sizes["VmHWM"].split()[0]) / 1024,
        )

    async def says(self, word: str) -> None:
        """Wait until it prints this word on a line of its own."""
        if self._process.stdout is None:
            raise RuntimeError("the process has no output to read")
        while (line := await self._process.stdout.readline()).strip() != word.encode():
            if not line:
                await self.ends()

    async def until(self, event: Coroutine[Any, Any, Any] | asyncio.Future[Any]) -> Any:
        """What is waited for, unless the process ends first or time runs out."""
        awaited, end = asyncio.ensure_future(event), asyncio.ensure_future(self.ends())
        done, pending = await asyncio.wait(
            [awaited, end], timeout=_PATIENCE, return_when=asyncio.FIRST_COMPLETED
        )
        for each in pending:
            each.cancel()
        if not done:
            raise UnfinishedError(f"not done in {_PATIENCE} s, CPU {self.cost().cpu:.0f} s")
        return awaited.result() if awaited in done else end.result()

    async def ends(self) -> NoReturn:
        """Wait for the end of the process, which is a failure of the contender."""
        code = await self._process.wait()
        raise SystemExit(f"a contender ended early with {code}:\n{self.last_words()}")

    def last_words(self) -> str:
        """The end of what it logged."""
        self._log.seek(0)
        return self._log.read()[-_LAST_WORDS:].decode(errors="replace")


@asynccontextmanager
async def started(command: Sequence[str], environment: dict[str, str]) -> AsyncIterator[Measured]:
    """Run a contender for the length of the block."""
    with TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=PIPE, stderr=log, env=environment
        )
        try:
            yield Measured(process, log)
        finally:
            await _stop(process)


async def _stop(process: Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _TIME_TO_END)
    except TimeoutError:
        process.kill()
        await process.wait()
