from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.testing.simulation.channel import Channels
    from windlass.testing.simulation.crew import Crew
    from windlass.testing.simulation.process import Process
    from windlass.testing.simulation.weather import Forecast
    from windlass.testing.simulation.wire import Split
    from windlass.testing.simulation.world import SimulatedWorld

_TIMED: Final = ("cuts", "silences", "compactions", "ends", "splits", "pauses", "meddling")
_SPLITS: Final[tuple[Split, ...]] = ("refused", "silent", "deaf")


class Storm:
    """The disturbances that come at moments of their own, rather than with a request."""

    def __init__(
        self, world: SimulatedWorld, crew: Crew, channels: Channels, compact: Callable[[], None]
    ) -> None:
        self._world = world
        self._crew = crew
        self._channels = channels
        self._compact = compact
        self._wire = channels.wire

    async def rage(self, forecast: Forecast) -> None:
        """Let everything happen that the seed says, and return when the last of it is over."""
        planned = sorted((at, name, kind) for kind in _TIMED for at, name in forecast.times(kind))
        async with asyncio.TaskGroup() as group:
            for at, name, kind in planned:
                await asyncio.sleep(at - self._wire.loop.time())
                if self._wire.chance.allows(name):
                    group.create_task(self._happen(kind, name))

    async def _happen(self, kind: str, name: str) -> None:
        match kind:
            case "compactions":
                self._tell("server", name)
                self._compact()
            case "meddling":
                self._tell("others", name)
                await self._world.scenario.meddle(self._world, int(name.rpartition(" ")[2]))
            case "cuts" | "silences":
                self._disturb_watch(name, silent=kind == "silences")
            case _:
                victim = self._crew.victim(name)
                if victim is not None:
                    await self._hit(victim, kind, name)

    async def _hit(self, victim: Process, kind: str, name: str) -> None:
        """Do something to a process, and undo it after a while where that is possible."""
        if kind == "ends":
            self._crew.crash(victim, name)
            return
        weather = self._world.scenario.weather
        duration = self._wire.chance.between(0.5, weather.longest_pause, "for", name)
        await (self._pause if kind == "pauses" else self._split)(victim, name, duration)

    async def _pause(self, process: Process, name: str, duration: float) -> None:
        self._tell(process.name, name)
        process.freeze()
        await asyncio.sleep(duration)
        if process.state == "frozen":
            self._wire.trace.add(process.name, "goes on", name)
            process.thaw()

    async def _split(self, process: Process, name: str, duration: float) -> None:
        how = _SPLITS[int(self._wire.chance.number("how", name) * len(_SPLITS))]
        self._tell(process.name, f"{name}: its network is {how}")
        self._wire.splits[process] = how
        if how == "refused":
            self._cut(process, silent_only=False)
        await asyncio.sleep(duration)
        self._wire.splits.pop(process, None)
        self._wire.trace.add(process.name, "reconnected", name)
        self._cut(process, silent_only=True)

    def _cut(self, process: Process, *, silent_only: bool) -> None:
        for channel in list(self._channels.open):
            if channel.process is process and (channel.silent or not silent_only):
                channel.cut()

    def _disturb_watch(self, name: str, *, silent: bool) -> None:
        watches = list(self._channels.open)
        if not watches:
            return
        watch = watches[int(self._wire.chance.number("watch", name) * len(watches))]
        if silent:
            self._tell(watch.process.name, f"{name}: {watch.about} falls silent")
            watch.silent = True
        else:
            self._tell(watch.process.name, name)
            watch.cut()

    def _tell(self, who: str, about: str) -> None:
        self._wire.trace.add(who, "!", about)
