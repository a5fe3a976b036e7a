"""Operators of the chart that race: ours, and operator-sdk's own from its module."""

import asyncio
import re
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from benchmarks.measured import Measured, Spent, started
from benchmarks.shop import CHART, Shop, Shops

Environment = dict[str, str]

_PASSES = re.compile(rb"^controller_runtime_reconcile_total\{.*\} (\S+)$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class ChartOperator:
    """How to start one; the flags are the same for both."""

    name: str
    command: Sequence[str]
    environment: Environment
    workers: int

    @asynccontextmanager
    async def on(self, shops: Shops, folder: Path, period: float) -> AsyncIterator["Operating"]:
        """Have it make releases of Shops for the length of the block, and look at each once a period."""
        port = _free_port()
        flags = (
            f"--watches-file={_watches(folder)}",
            f"--reconcile-period={period:g}s",
            f"--max-concurrent-reconciles={self.workers}",
            f"--metrics-bind-address=127.0.0.1:{port}",
            "--health-probe-bind-address=0",
        )
        environment = {**self.environment, "WATCH_NAMESPACE": shops.namespace}
        async with started([*self.command, *flags], environment) as process:
            yield Operating(process, shops, port)


@dataclass(frozen=True)
class Operating:
    """An operator at work."""

    process: Measured
    shops: Shops
    port: int

    async def deploy(self, names: Sequence[str]) -> Spent:
        """Create Shops, and wait until it says of all that they are deployed."""
        before = self._cpu()
        wall = await self.process.until(self.shops.deploy(names))
        return Spent(wall, self._cpu() - before)

    async def work(self, seconds: float) -> tuple[int, float]:
        """Let it run for a while: how many passes it made, and the CPU seconds of all together."""
        before, cpu = await self._passes(), self._cpu()
        await self.process.until(asyncio.sleep(seconds))
        return await self._passes() - before, self._cpu() - cpu

    def _cpu(self) -> float:
        cost = self.process.cost()
        return cost.cpu + cost.children

    async def _passes(self) -> int:
        return sum(int(float(each)) for each in _PASSES.findall(await asyncio.to_thread(self._metrics)))

    def _metrics(self) -> bytes:
        with urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as answer:
            text: bytes = answer.read()
        return text


def ours(helm: Path) -> Sequence[str]:
    """Windlass, with this `helm`."""
    return (sys.executable, "-c", "from windlass.cli import main; main()", "helm", "run", f"--helm={helm}")


def counting(helm: Path, log: Path) -> Path:
    """A program that is `helm`, and adds a line to a file at each run."""
    wrapper = log.with_name("helm")
    wrapper.write_text(f'#!/bin/sh\necho "$1" >> "{log}"\nexec "{helm}" "$@"\n')
    wrapper.chmod(0o755)
    log.touch()
    return wrapper


def _watches(folder: Path) -> Path:
    kind = Shop.__kind__
    entry = f"- {{group: {kind.group}, version: {kind.version}, kind: {kind.name}, chart: {CHART}}}\n"
    file = folder / "watches.yaml"
    file.write_text(entry)
    return file


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port
