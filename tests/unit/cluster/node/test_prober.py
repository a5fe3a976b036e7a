from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass.aio import ManualClock
from windlass.cluster.node.process.prober import Prober
from windlass.kinds.core.v1.pod_spec import Container

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.kinds.core.v1.pod_spec import Probe

SECOND = timedelta(seconds=1)


class Patient:
    """A process that answers each kind of probe as it is told; None lets it hang."""

    def __init__(self, **probes: dict[str, Any]) -> None:
        self.clock = ManualClock()
        self.faults: dict[int, str | None] = {}
        made = {
            name: {"tcpSocket": {"port": port}, "periodSeconds": 1, **probe}
            for port, (name, probe) in enumerate(probes.items(), 1)
        }
        self.ports = {name: port for port, name in enumerate(probes, 1)}
        container = Container.from_wire({"name": "main", **made})
        self.prober = Prober(container, self._answer, self.clock, lambda: None)

    def say(self, probe: str, fault: str | None) -> None:
        """What a probe finds from now on."""
        self.faults[self.ports[probe]] = fault

    async def _answer(self, probe: Probe) -> str:
        port = int(probe.tcp_socket.port) if probe.tcp_socket else 0
        fault = self.faults.get(port, "")
        if fault is None:
            await asyncio.get_running_loop().create_future()
        return fault or ""

    @asynccontextmanager
    async def probed(self) -> AsyncIterator[None]:
        """Have it probed."""
        task = asyncio.ensure_future(self.prober.run())
        await self.clock.advance(timedelta())
        for _ in range(5):
            await asyncio.sleep(0)
        yield
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_without_probes_it_is_ready_at_once() -> None:
    patient = Patient()
    async with patient.probed():
        assert patient.prober.health.passed
        assert patient.prober.health.ready


async def test_readiness_comes_and_goes_by_its_thresholds() -> None:
    patient = Patient(readinessProbe={"failureThreshold": 2, "successThreshold": 2})
    async with patient.probed():
        seen = [patient.prober.health.ready]
        for fault, seconds in (("", 3), ("busy", 1), ("busy", 2)):
            patient.say("readinessProbe", fault)
            await patient.clock.advance(SECOND * seconds)
            seen.append(patient.prober.health.ready)
        assert seen == [False, True, True, False]
        assert patient.prober.health.complaints[0] == "Readiness probe failed: busy"


async def test_one_that_is_not_alive_is_unhealthy_after_its_threshold() -> None:
    patient = Patient(livenessProbe={"failureThreshold": 2})
    async with patient.probed():
        patient.say("livenessProbe", "dead")
        await patient.clock.advance(SECOND * 1.5)
        assert patient.prober.health.unhealthy == ""
        await patient.clock.advance(SECOND * 2)
        assert patient.prober.health.unhealthy == "dead"


async def test_nothing_else_is_asked_before_the_start_is_over() -> None:
    patient = Patient(startupProbe={"failureThreshold": 3}, livenessProbe={"failureThreshold": 1})
    patient.say("startupProbe", "starting")
    patient.say("livenessProbe", "dead")
    async with patient.probed():
        await patient.clock.advance(SECOND * 1.5)
        before = patient.prober.health
        assert (before.passed, before.unhealthy) == (False, "")
        patient.say("startupProbe", "")
        await patient.clock.advance(SECOND * 2)
        after = patient.prober.health
        assert (after.passed, after.unhealthy) == (True, "dead")


async def test_an_answer_that_does_not_come_is_a_bad_one() -> None:
    patient = Patient(livenessProbe={"failureThreshold": 1, "timeoutSeconds": 2})
    patient.say("livenessProbe", None)
    async with patient.probed():
        await patient.clock.advance(SECOND * 3)
        assert patient.prober.health.unhealthy == "context deadline exceeded"
