"""A chart, as the `helm` program alone renders it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.api import read_yaml, write_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.api import Json

_PATIENCE = 40.0


@dataclass(frozen=True)
class Helm:
    """The program, at work on one chart."""

    program: Path
    chart: Path

    async def run(self, command: str, *arguments: str, values: Json | str = "") -> tuple[int, str]:
        """The exit code and the output of a command; values are given as data, or as YAML."""
        text = values if isinstance(values, str) else write_yaml([values])
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *(str(self.program), command, *arguments, str(self.chart), "--values", "-"),
            stdin=pipe,
            stdout=pipe,
            stderr=asyncio.subprocess.STDOUT,
        )
        async with asyncio.timeout(_PATIENCE):
            said, _ = await process.communicate(text.encode())
        return process.returncode or 0, said.decode()

    async def render(
        self, values: Json | str = "", *arguments: str, release: str = "minimart-sample"
    ) -> dict[str, Any]:
        """The objects of a release, by kind; there is one of each."""
        code, said = await self.run("template", *arguments, release, values=values)
        assert code == 0, said
        objects = [each for each in read_yaml(said.encode()) if each]
        by_kind = {each["kind"]: each for each in objects}
        assert len(by_kind) == len(objects)
        return by_kind

    async def refuse(self, values: Json | str) -> str:
        """What it says of values that it does not take."""
        code, said = await self.run("template", "minimart-sample", values=values)
        assert code != 0, said
        return said
