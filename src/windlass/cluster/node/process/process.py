from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.cluster.node.pod import Ended

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

    from windlass.aio import Clock
    from windlass.cluster.node.log import RunLog

_GUARD: Final = Path(__file__).with_name("guard.py")
_PIECE: Final = 16 * 1024


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be run: a command, its variables, where it starts, and its ports on this machine."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    ports: Mapping[int, int]


class Process:
    """A program in the place of a container, under a guard, so that it ends when this process does."""

    def __init__(self, run: str, started: datetime, plan: Plan, child: asyncio.subprocess.Process) -> None:
        self._run = run
        self._started = started
        self._child = child
        self.plan = plan
        self.ended: Ended | None = None

    @classmethod
    async def start(cls, run: str, plan: Plan, clock: Clock) -> Process:
        """Start a program; what cannot be started ends at once, and says why in its log."""
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", str(_GUARD), *plan.command),
            env=dict(plan.environment),
            cwd=plan.folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for this process, which then stops them in order
        )
        return cls(run, clock.now(), plan, child)

    async def follow(self, log: RunLog, clock: Clock) -> None:
        """Write down what it says, until it has ended."""
        out = self._child.stdout
        kept = b""
        while out is not None and (piece := await out.read(_PIECE)):
            *lines, kept = (kept + piece).split(b"\n")
            for line in lines:
                log.write(clock.now(), line)
            if len(kept) > _PIECE:
                log.write(clock.now(), kept)
                kept = b""
        if kept:
            log.write(clock.now(), kept)
        code = await self._child.wait()
        if code < 0:  # the guard itself was killed
            code = 128 - code
        reason = "Error" if code else "Completed"
        self.ended = Ended(self._run, self._started, clock.now(), code, reason)
        log.close()

    async def stop(self, grace: timedelta, clock: Clock) -> None:
        """Ask it to end, and kill it after a while."""
        with suppress(ProcessLookupError):
            self._child.send_signal(signal.SIGTERM)
        await clock.sleep(grace)
        self.kill()

    def kill(self) -> None:
        """Kill it, and everything that it started."""
        if self._child.stdin is not None:
            self._child.stdin.close()
