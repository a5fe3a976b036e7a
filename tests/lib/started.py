"""An operator that `windlass` runs in a process of its own, and the lines of its log."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_PROGRAM = "from windlass.cli import main; main()"


class Operator:
    """A running operator whose log is JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def line(self, message: str) -> dict[str, Any]:
        """The next line whose message begins like this."""
        assert self._process.stderr is not None
        async for text in self._process.stderr:
            line = json.loads(text)
            if line["msg"].startswith(message):
                assert isinstance(line, dict)
                return line
        raise AssertionError(f"it ended without saying {message!r}")

    async def stop(self) -> int | None:
        """Tell it to stop, and say how it ended."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        await self._process.communicate()
        return self._process.returncode


async def started(*arguments: str, env: Mapping[str, str] | None = None) -> Operator:
    """Run `windlass` with these arguments, and more in its environment perhaps."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM, *arguments),
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **(env or {})},
    )
    return Operator(process)
