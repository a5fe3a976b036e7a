from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

from windlass.client import Client, ClientOptions, Retry
from windlass.manager import Manager, ManagerOptions
from windlass.testing.simulation.clock import SimulatedClock
from windlass.testing.simulation.process import Process
from windlass.testing.simulation.schedule import NOBODY
from windlass.testing.simulation.truth import LEASE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windlass.apiserver.outside import Handler
    from windlass.controller import Run
    from windlass.testing.simulation.switchboard import Switchboard
    from windlass.testing.simulation.wire import Wire
    from windlass.testing.simulation.world import SimulatedWorld

_RESTART = (0.2, 15.0)
_SKEW = 30.0


@dataclass
class Member:
    """A place in which processes run one after the other, as in a pod."""

    name: str
    starts: int = 0
    process: Process | None = None
    manager: Manager | None = None


class Crew:
    """The processes of the operator: one, or several of which one leads. One that ended is started again.

    `joined` is set when one has the operator in it, and its webhooks, if it has any, are installed.
    """

    def __init__(
        self, world: SimulatedWorld, wire: Wire, size: int, lead: Callable[[str, Handler], None]
    ) -> None:
        self.wire = wire
        self.joined = asyncio.Event()
        self._lead = lead
        self._switchboard: Switchboard | None = None
        self.elects = size > 1
        self._world = world
        self._members = [Member("operator" if size == 1 else f"operator-{number}") for number in range(size)]
        wire.on_crash = self.crash

    def start(self) -> None:
        """Start every process."""
        for member in self._members:
            self._start(member)

    def managers(self) -> Iterator[Manager]:
        """Those of the processes that run."""
        for member in self._members:
            if member.manager is not None:
                yield member.manager

    def victim(self, name: str) -> Process | None:
        """Whom a disturbance hits: more often than not the one that leads."""
        holder = self._world.truth.holder
        running = [each.process for each in self._members if each.process is not None]
        leading = [each for each in running if each.identity == holder]
        pool = leading if leading and self.wire.chance.number("leads", name) < 2 / 3 else running
        return pool[int(self.wire.chance.number("victim", name) * len(pool))] if pool else None

    def crash(self, process: Process, name: str) -> None:
        """End a process at this instant, and start another one in its place some time later."""
        self.wire.trace.add(process.name, "CRASH", name)
        process.crash()
        self._end(process, name)

    def busy(self) -> Iterator[str]:
        """Who has something to do at this instant, in words."""
        for member in self._members:
            if member.manager is None:
                yield f"{member.name} does not run"
                continue
            yield from (f"{each}: {why}" for each, why in member.manager.cache.behind().items())
            for controller in member.manager.controllers:
                if controller.queue.running or (len(controller.queue) and member.manager.is_leading):
                    yield f"{member.name} still reconciles with {controller.name}"

    def _end(self, process: Process, name: str) -> None:
        for member in self._members:
            if member.process is process:
                member.process = member.manager = None
                delay = self.wire.chance.between(*_RESTART, "restart", name)
                self.wire.loop.call_later(delay, self._start, member, context=NOBODY)

    def _start(self, member: Member) -> None:
        member.starts += 1
        process = Process(f"{member.name}.{member.starts}", self.wire.loop)
        member.process = process
        self.wire.trace.add(process.name, "START")
        process.start(lambda: self._main(member, process))

    async def _main(self, member: Member, process: Process) -> None:
        chance = self.wire.chance
        skew = chance.between(-_SKEW, _SKEW, "skew", process.name) if self.elects else 0.0
        clock = SimulatedClock(self.wire.loop, timedelta(seconds=skew))
        random = Random(f"{chance.seed}/{process.name}")  # noqa: S311 - the same each time
        options = ClientOptions(retry=Retry(clock=clock, random=random))
        manager = Manager(
            Client(self._world.transport(), options),
            ManagerOptions(
                name=LEASE, leader_elect=self.elects, lease_namespace="default", identity=process.identity
            ),
            clock=clock,
            random=random,
        )
        manager.journal.listener = lambda run: self._tell(process, run)
        try:
            self._world.scenario.operator(manager, self._world)
            if manager.companions:
                await self._connect(process, manager)
        finally:
            self.joined.set()
        member.manager = manager
        try:
            await manager.run()
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - a process that fails ends, and is started again
            self.wire.trace.add(process.name, "EXIT", repr(error))
            process.crash()
            self._end(process, f"exit of {process.name}")

    async def _connect(self, process: Process, manager: Manager) -> None:
        from windlass.testing.simulation.switchboard import HOST, Switchboard  # most have no webhooks

        if self._switchboard is None:
            self._switchboard = Switchboard(self._world.client)
            self._lead(f"{HOST}:443", self._switchboard.answer)
        await self._switchboard.connect(process, manager)

    def _tell(self, process: Process, run: Run) -> None:
        did = [f"{write.verb} {write.kind}" for write in run.writes] + [effect.what for effect in run.effects]
        why = ", ".join(run.causes)
        about = f"{run.controller} {run.key.name} ({why}): {run.reason}" + (
            f" [{', '.join(did)}]" if did else ""
        )
        self.wire.trace.add(process.name, "reconciled", about)
        if self._world.court is not None:
            self._world.court.ran(run)
