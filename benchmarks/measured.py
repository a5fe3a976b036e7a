"""A contender as a process of its own: what it says, and what it has cost so far."""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NoReturn

_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE = 20
_LAST_WORDS = 3000


@dataclass(frozen=True)
class Cost:
    """CPU seconds, and resident memory now and at its peak in MB."""

    cpu: float
    memory: float
    peak: float


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
        await asyncio.wait_for(process.wait(), _PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
