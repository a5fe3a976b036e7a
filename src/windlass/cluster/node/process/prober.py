from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass.aio import within

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from windlass.aio import Clock
    from windlass.kinds.core.v1.pod_spec import Container, Probe


@dataclass
class Health:
    """What probes have found out about a process; `complaints` are what people are told, until they are."""

    passed: bool = False
    ready: bool = False
    unhealthy: str = ""
    complaints: list[str] = field(default_factory=list)


class Prober:
    """Asks a process by its probes until cancelled, and tells whenever its health changes."""

    def __init__(
        self,
        container: Container,
        ask: Callable[[Probe], Coroutine[Any, Any, str]],
        clock: Clock,
        tell: Callable[[], None],
    ) -> None:
        self._container = container
        self._ask = ask
        self._clock = clock
        self._tell = tell
        self.health = Health()

    async def run(self) -> None:
        """Wait until the process has come up, then watch whether it is alive and ready."""
        health, container = self.health, self._container
        if container.startup_probe:
            await self._until_started(container.startup_probe)
        health.passed, health.ready = True, container.readiness_probe is None
        self._tell()
        async with asyncio.TaskGroup() as group:
            if container.liveness_probe:
                group.create_task(self._watch_life(container.liveness_probe))
            if container.readiness_probe:
                group.create_task(self._watch_readiness(container.readiness_probe))

    async def _until_started(self, probe: Probe) -> None:
        await self._wait(probe.initial_delay_seconds or 0)
        failures = 0
        while fault := await self._once(probe):
            failures += 1
            self._complain(f"Startup probe failed: {fault}")
            if failures >= (probe.failure_threshold or 3):
                self.health.unhealthy = fault
                self._tell()
            await self._wait(probe.period_seconds or 10)

    async def _watch_life(self, probe: Probe) -> None:
        await self._wait(probe.initial_delay_seconds or 0)
        failures = 0
        while True:
            fault = await self._once(probe)
            failures = failures + 1 if fault else 0
            if failures >= (probe.failure_threshold or 3):
                self.health.unhealthy = fault
                self._tell()
            await self._wait(probe.period_seconds or 10)

    async def _watch_readiness(self, probe: Probe) -> None:
        await self._wait(probe.initial_delay_seconds or 0)
        good = bad = 0
        while True:
            fault = await self._once(probe)
            good, bad = (0, bad + 1) if fault else (good + 1, 0)
            if fault:
                self._complain(f"Readiness probe failed: {fault}")
            ready = self.health.ready
            if good >= (probe.success_threshold or 1):
                ready = True
            elif bad >= (probe.failure_threshold or 3):
                ready = False
            if ready != self.health.ready:
                self.health.ready = ready
                self._tell()
            await self._wait(probe.period_seconds or 10)

    async def _once(self, probe: Probe) -> str:
        try:
            return await within(self._clock, timedelta(seconds=probe.timeout_seconds or 1), self._ask(probe))
        except TimeoutError:
            return "context deadline exceeded"

    def _complain(self, message: str) -> None:
        self.health.complaints.append(message)
        self._tell()

    async def _wait(self, seconds: int) -> None:
        await self._clock.sleep(timedelta(seconds=seconds))
