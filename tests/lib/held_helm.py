"""A `helm` that can be held up right before or right after a step, and the operator that runs it, as a process."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from shelves import CHART, PATIENCE
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

Moment = Literal["before", "after"]

_PROGRAM = """#!/bin/sh
held=$(cat {folder}/held)
[ "$1" = version ] || echo "$1" >>{folder}/ran
if [ "$held" = "before $1" ]; then echo . >{folder}/reached; read _ <{folder}/never; fi
[ "$held" = "after $1" ] || exec {helm} "$@"
{helm} "$@"
echo . >{folder}/reached
read _ <{folder}/never
"""
_WATCHES = """
- group: example.com
  version: v1
  kind: Shop
  chart: {chart}
"""


@dataclass(frozen=True)
class HeldHelm:
    """A folder with the program, and what it is told and tells by files and pipes."""

    folder: Path

    @classmethod
    def made_in(cls, folder: Path) -> HeldHelm:
        """Write the program."""
        program = folder / "helm"
        program.write_text(_PROGRAM.format(folder=folder, helm=find_helm()))
        program.chmod(0o755)
        for pipe in ("reached", "never"):
            os.mkfifo(folder / pipe)
        (folder / "watches.yaml").write_text(_WATCHES.format(chart=CHART))
        held = cls(folder)
        held.let_go()
        return held

    def hold(self, moment: Moment, step: str) -> None:
        """Hold the next programs up at this step: `upgrade`, which also installs, or `uninstall`."""
        (self.folder / "held").write_text(f"{moment} {step}")
        (self.folder / "ran").write_text("")

    def let_go(self) -> None:
        """Let the next programs run."""
        (self.folder / "held").write_text("")
        (self.folder / "ran").write_text("")

    async def reached(self) -> None:
        """Wait until a program is held up."""
        async with asyncio.timeout(PATIENCE):
            await asyncio.to_thread((self.folder / "reached").read_text)

    @property
    def ran(self) -> list[str]:
        """The steps that were begun since the last `hold` or `let_go`."""
        return (self.folder / "ran").read_text().split()

    @asynccontextmanager
    async def operator(
        self, kubeconfig: Path, namespace: str, *flags: str
    ) -> AsyncIterator[asyncio.subprocess.Process]:
        """`windlass helm run` with this helm for the length of the block, at the end of which it is killed."""
        with (self.folder / "log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "windlass", "helm", "run"),
                *(f"--watches-file={self.folder / 'watches.yaml'}", f"--kubeconfig={kubeconfig}"),
                *("--metrics-bind-address=0", "--health-probe-bind-address=0", *flags),
                stderr=log,
                env={**os.environ, "PATH": str(self.folder), "WATCH_NAMESPACE": namespace},
            )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
